"""Commands that are fuzzed beside the examples of all helps: files that no example reads, and every
format."""

from __future__ import annotations

import shlex

FILES = {
    "anki.txt": "#separator:tab\n#html:true\n#tags column:3\n"
    '"Who built the <b>Taj&nbsp;Mahal</b>?<br>A) Akbar<br>B) Shah Jahan"\tB\tindia\n',
    "two-columns.txt": "1. Who built the          2. Who wrote the\nTaj Mahal?                Comedy?\n"
    "A. Akbar                  A. Dante\nB. Shah Jahan             B. Luther\n",
    "forms.txt": "Question 1\t1 pts\nWho built the Taj Mahal?\nSelect one:\nAkbar\nShah Jahan\n\n"
    "Question 2\nWho wrote it?\n☐ Dante\n☑ Luther\n\nCircle true or false.\n1. Rome fell. (T/F)\n"
    "2. Vienna is in France. ( F )\n\nTeacher copy - answers\n1. True. See page 3\n2-2 B\n",
    "answers.json": '{"results": [{"question": {"stem": "Who?", "choices": [{"text": "Ann", "label": '
    '"A"}, {"text": "Bob", "label": "B"}]}, "answerKey": "B"}, {"question": "Who?", "options": '
    '[{"id": 1, "text": "Ann"}, {"text": "Bob", "isCorrect": true}]}, {"question": "Who?", '
    '"correct_answer": "Ann", "incorrect_answers": ["Bob"]}]}\n',
    "left-out.txt": "Shah Jahan built the Taj Mahal.\n",
    "mentions.txt": "岳阳 ||| 岳阳楼\t岳阳楼记\n",
    "marks.tsv": "S-EN-ESSAY-1\tmore-essay.xml\t4\n",
    # any sheet: the root alone is declared
    "sheet.xsd": '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
    '<xs:element name="answer_sheet"/></xs:schema>\n',
    "topics.tsv": "q1\tWho built the Taj Mahal?\nq2\tWhere did Akbar live?\n",
}
"""Files of their own, by name."""

_LINES = """
indexer textbook samples/textbook-en.jsonl --terms samples/glossary-en.csv --without left-out.txt --index more-en
indexer textbook samples/wiki-en.xml --index more-wiki
indexer triples samples/triples-zh.kb --mentions mentions.txt --index more-triples
indexer datasets samples/datasearch-collection.jsonl.bz2 samples/datasearch-data.tar.bz2 \
 --only samples/datasearch-questions.tsv --index more-data
indexer tables samples/tbqa.dev.txt --index more-tables
retriever textbook-en --questions topics.tsv --format trec --metadata
retriever more-tables --questions samples/tbqa.dev.txt --model tbqa.model.json
answerer ntcir-mc samples/sample-exam-en.xml --model exam.model.json --metadata -o more-mc.xml \
 --trace more-mc.jsonl
answerer ntcir-mc samples/questions-en.txt --method slqal -o more-own.tsv --trace more-own.jsonl
answerer ntcir-mc samples/questions-en.gift --method slqal -o more-gift.tsv
answerer ntcir-mc samples/questions-en.csv --method slqal -o more-csv.tsv
answerer ntcir-mc quiz.docx --method slqal -o more-word.tsv
answerer ntcir-mc quiz.pdf --method slqal -o more-pdf.tsv
answerer ntcir-mc quiz.qti.xml --method slqal -o more-qti.tsv
answerer ntcir-mc package.zip --method slqal -o more-package.tsv
answerer ntcir-mc forms.txt --method slqal --allow-unanswered -o more-forms.tsv
answerer ntcir-mc answers.json --method slqal --allow-unanswered -o more-json.tsv
answerer check samples/questions-en.txt more-own.tsv
evaluation explain more-own.jsonl --gold samples/questions-en.txt
answerer ask --questions samples/ask-en.txt
answerer nlpcc-dbqa samples/dbqa.dev.txt --model dbqa.model.json --metadata -o more-dbqa.txt \
 --trace more-dbqa.jsonl
answerer nlpcc-tbqa samples/tbqa.dev.txt --model tbqa.model.json --metadata -o more-tbqa.txt \
 --trace more-tbqa.jsonl
answerer selqa samples/selqa.test.json --model selqa.model.json --metadata -o more-selqa.json \
 --trace more-selqa.jsonl
answerer nlpcc-kbqa samples/kbqa-zh.txt --model kbqa.model.json --metadata -o more-kbqa.txt \
 --trace more-kbqa.jsonl
answerer datasearch-qa samples/datasearch-questions.tsv --model datasearch.model.json --metadata \
 -o more-data.tsv --trace more-data.jsonl
answerer ntcir-term samples/term-en.xml --metadata -o more-term.xml --trace more-term.jsonl
answerer ntcir-essay samples/essay-en.xml --model essay.model.json --metadata \
 -o more-essay.xml --trace more-essay.jsonl
answerer ntcir-sheet samples/sheet-en.xml --model essay.model.json --metadata \
 -o more-sheet.xml --trace more-sheet.jsonl
answerer ntcir-extraction samples/essay-en.xml --model essay.model.json --metadata -o more-extraction.xml \
 --trace more-extraction.jsonl
answerer ntcir-summarization samples/essay-en.xml extraction.xml --model essay.model.json \
 --metadata -o more-summary.xml --trace more-summary.jsonl
answerer ntcir-evaluation-method samples/essay-en.gold.xml --answers worse/dropped/1.xml \
 --nuggets samples/nuggets-en.xml --metadata -o more-judged.xml --trace more-judged.jsonl
answerer check samples/dbqa.dev.txt dbqa.scores.txt
answerer check samples/tbqa.dev.txt tbqa.scores.txt
answerer check samples/selqa.test.json SelQA-ass-result.json
answerer check samples/kbqa-zh.txt answers.txt
answerer check samples/datasearch-questions.tsv answers.tsv
answerer check samples/term-en.xml term.run.xml --schema sheet.xsd
answerer check samples/essay-en.xml extraction.xml
answerer check samples/essay-en.gold.xml judged.xml
answerer check-quiz samples/sample-exam-en.xml --key samples/sample-exam-en.gold.xml -o more-check.csv
retriever textbook-en --topics samples/collection/topics.trec -o more-topics.txt
answerer u4-tqa samples/u4-tqa.questions.json --reports samples/u4-reports.tar.xz --model tqa.json --metadata \
 -o more-cells.json --trace more-cells.jsonl
answerer u4-tr samples/u4-tr.questions.json --reports samples/u4-reports.tar.xz --model tr.json --metadata \
 -o more-tables.json --trace more-tables.jsonl
evaluation explain more-term.jsonl
evaluation explain more-essay.jsonl --gold samples/essay-en.gold.xml
evaluation explain more-kbqa.jsonl --gold samples/kbqa-zh.txt
evaluation explain more-data.jsonl --gold samples/datasearch-gold.tsv
evaluation explain more-tbqa.jsonl --gold samples/tbqa.dev.txt
evaluation ntcir-essay samples/essay-en.gold.xml more-essay.xml --nuggets samples/nuggets-en.xml
evaluation ntcir-essay samples/essay-en.gold.xml more-essay.xml --marks marks.tsv
evaluation ntcir-essay samples/essay-en.gold.xml worse
evaluation ntcir-essay samples/essay-en.gold.xml worse/dropped --nuggets samples/nuggets-en.xml \
 --marks worse/dropped/marks.tsv --correlation
evaluation export ntcir-term samples/term-en.gold.xml more-term.xml --trace more-term.jsonl --run run-term.txt
evaluation export nlpcc-dbqa samples/dbqa.dev.txt more-dbqa.txt --run run-dbqa.txt
retriever collection --topics samples/collection/topics.trec -o more-bm25.txt
retriever collection --topics samples/collection/topics.trec --rm3 -o more-rm3.txt
evaluation report trec samples/collection/qrels.txt more-bm25.txt more-rm3.txt --topics samples/collection/topics.trec \
 --index collection -o report-trec.html
evaluation report ntcir-term samples/term-en.gold.xml more-term.xml --trace more-term.jsonl -o report-term.html
evaluation report nlpcc-kbqa samples/kbqa-zh.txt more-kbqa.txt --trace more-kbqa.jsonl -o report-kbqa.html
evaluation report ntcir-essay samples/essay-en.gold.xml more-essay.xml --trace more-essay.jsonl -o report-essay.html
evaluation report nlpcc-dbqa samples/dbqa.dev.txt more-dbqa.txt --trace more-dbqa.jsonl -o report-dbqa.html
evaluation report nlpcc-tbqa samples/tbqa.dev.txt more-tbqa.txt --trace more-tbqa.jsonl -o report-tbqa.html
evaluation report selqa samples/selqa.test.json more-selqa.json --trace more-selqa.jsonl -o report-selqa.html
evaluation report datasearch-qa samples/datasearch-gold.tsv more-data.tsv --trace more-data.jsonl -o report-data.html
"""

FURTHER = [shlex.split(line) for line in _LINES.replace("\\\n", "").splitlines() if line]
"""The words of each."""
