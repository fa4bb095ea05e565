"""Numbered questions as strangers type them: what is a question, a choice, an answer, and what is
neither."""

from __future__ import annotations

from textwrap import dedent

import pytest

from answerer.formats.question_file.numbered import read_numbered
from answerer.formats.question_file.parts import right_choice
from answerer.formats.question_file.read import read_question_file
from tests.answerer.formats.question_file.shown import shown

# what is odd about it: (text, a line a question: id | text | choices as label=text | right labels)
READ = {
    "digits of another script": (
        "১. কোনটি পাথর?\nA) জল\nB) শিলা\n২. কোনটি গাছ?\n১) আম\n২) লোহা\n",
        ["১|কোনটি পাথর?|A=জল B=শিলা|", "২|কোনটি গাছ?|১=আম ২=লোহা|"],
    ),
    "the plain form": (
        """
        1. What is the capital
           of France?
        A) London
        B) Paris, the city
           of light
        Answer: B
        """,
        ["1|What is the capital of France?|A=London B=Paris, the city of light|B"],
    ),
    "choices on one line": (
        """
        1. Which? A) x  B) y
        2. What?
        a. one b. two c. three
        """,
        ["1|Which?|A=x B=y|", "2|What?|a=one b=two c=three|"],
    ),
    "a key at the end without a heading": (
        """
        1. Which?
        A) x
        B) y

        2. What?
        a. one
        b. two

        1. B
        2. a
        """,
        ["1|Which?|A=x B=y|B", "2|What?|a=one b=two|a"],
    ),
    "two lists of digits in brackets": (
        """
        (1) First?
        (1) a (2) b
        (2) Second?
        (1) c
        (2) d
        (3) e
        Answers: 1. 2  2. 3
        """,
        ["1|First?|1=a 2=b|2", "2|Second?|1=c 2=d 3=e|3"],
    ),
    "as many choices as questions": (
        """
        (3) Third?
        (1) a (2) b (3) c (4) d
        (4) Fourth?
        (1) e (2) f (3) g (4) h
        (5) Fifth?
        (1) i
        (2) j
        """,
        ["3|Third?|1=a 2=b 3=c 4=d|", "4|Fourth?|1=e 2=f 3=g 4=h|", "5|Fifth?|1=i 2=j|"],
    ),
    "circled choices, the last of which is the next question's number": (
        """
        (1) Which?
        ① a
        ② b
        (2) What?
        ① c
        ② d
        ③ e
        (3) Who?
        ① f
        ② g
        Answers
        (1) ②  (2) ③  (3) ①
        """,
        ["1|Which?|①=a ②=b|②", "2|What?|①=c ②=d ③=e|③", "3|Who?|①=f ②=g|①"],
    ),
    "a key whose lines end inside a pair": (
        """
        問1　海はどれか。
        ア　湾　イ　峰
        問2　山はどれか。
        ア　湾　イ　峰
        問3　島はどれか。
        ア　谷　イ　礁
        問4　川はどれか。
        ア　沢　イ　丘

        解答　問1　ア　問2　イ　問
        3　イ　問4
        ア
        """,
        [
            "1|海はどれか。|ア=湾 イ=峰|ア",
            "2|山はどれか。|ア=湾 イ=峰|イ",
            "3|島はどれか。|ア=谷 イ=礁|イ",
            "4|川はどれか。|ア=沢 イ=丘|ア",
        ],
    ),
    "a key whose numbers are above the answers": (
        """
        (1) Which?
        ① a
        ② b
        (2) What?
        ① c
        ② d
        (3) Who?
        ① e
        ② f
        解答
        番号\t(1)\t(2)\t(3)
        答え\t②\t①\t②
        """,
        ["1|Which?|①=a ②=b|②", "2|What?|①=c ②=d|①", "3|Who?|①=e ②=f|②"],
    ),
    "statements to be judged below choices, with no blank line before the instruction": (
        """
        問1　海はどれか。
        ア　湾　イ　峰
        正誤問題
        次の文が正しければ○、誤っていれば×を書きなさい。
        問2　湾は海である。（　　）
        問3　峰は海である。（　　）
        解答
        問1　ア　問2　◯　問3　Ｘ
        """,
        [
            "1|海はどれか。|ア=湾 イ=峰|ア",
            "2|湾は海である。|A=○ B=×|A",
            "3|峰は海である。|A=○ B=×|B",
        ],
    ),
    "circled statements to be judged": (
        """
        正しいものには○、誤っているものには×をつけよ。
        ①　湾は海である。
        ②　峰は海である。

        解答
        ①○　②×
        """,
        ["①|湾は海である。|A=○ B=×|A", "②|峰は海である。|A=○ B=×|B"],
    ),
    "circled choices of signs below a question about them": (
        """
        問1　次の文が正しければ○、誤っていれば×とするとき、
        正しい○×の組合せはどれか。
        ①　ア○　イ×
        ②　ア×　イ○
        正解　②
        """,
        [
            "1|次の文が正しければ○、誤っていれば×とするとき、正しい○×の組合せはどれか。"
            "|①=ア○ イ× ②=ア× イ○|②"
        ],
    ),
    "circled choices of signs below a question with an instruction": (
        """
        問1　正しければ○、誤っていれば×とし、順に並べたものを選べ。
        ①　○××
        ②　×○○
        正解　②
        """,
        ["1|正しければ○、誤っていれば×とし、順に並べたものを選べ。|①=○×× ②=×○○|②"],
    ),
    "numbers without a sign below an instruction": (
        """
        正しければ○、誤っていれば×を書け。
        １　湾は海である。
        ２　峰は海である。

        解答　１　○　２　✕
        """,
        ["1|湾は海である。|A=○ B=×|A", "2|峰は海である。|A=○ B=×|B"],
    ),
    "a key of signs alone judges": (
        """
        Q1. 湾は海である。
        Q2. 峰は海である。（　　）

        解答
        Q1 ○　Q2 ×
        """,
        ["1|湾は海である。|A=○ B=×|A", "2|峰は海である。|A=○ B=×|B"],
    ),
    "an answer of a sign below a statement": (
        """
        問１　湾は海である。
        答え　○

        問２　峰は海である。
        答え　×
        """,
        ["1|湾は海である。|A=○ B=×|A", "2|峰は海である。|A=○ B=×|B"],
    ),
    "an instruction above questions that a word announces": (
        """
        Circle true or false.

        Question 1: Fog is wet.
        Question 2: Snow is hot.

        Answers
        1. T  2. F
        """,
        ["1|Fog is wet.|A=True B=False|A", "2|Snow is hot.|A=True B=False|B"],
    ),
    "questions counted in ideographs behind a word": (
        """
        問一　海はどれか。
        ア　湾　イ　峰
        問二　第二の山はどれか。
        ア　湾　イ　峰

        こたえ
        問一　ア　問二　イ
        """,
        ["1|海はどれか。|ア=湾 イ=峰|ア", "2|第二の山はどれか。|ア=湾 イ=峰|イ"],
    ),
    "questions counted in ideographs before a comma, to ten and beyond": (
        """
        十、海はどれか。
        ア　湾　イ　峰
        十一、山はどれか。
        ア　湾　イ　峰
        二十、島はどれか。
        ア　谷　イ　礁

        解答
        十、ア　十一、イ　二十、イ
        """,
        [
            "10|海はどれか。|ア=湾 イ=峰|ア",
            "11|山はどれか。|ア=湾 イ=峰|イ",
            "20|島はどれか。|ア=谷 イ=礁|イ",
        ],
    ),
    "numbers in wide brackets, a key with strokes": (
        """
        〔1〕海はどれか。
        ア　湾　イ　峰
        〔2〕山はどれか。
        ア　湾　イ　峰

        解答
        1ア / 〔2〕イ
        """,
        ["1|海はどれか。|ア=湾 イ=峰|ア", "2|山はどれか。|ア=湾 イ=峰|イ"],
    ),
    "a key of labels alone": (
        """
        設問1　海はどれか。
        ア　湾　イ　峰
        設問2　山はどれか。
        ア　湾　イ　峰

        解答
        ア イ
        """,
        ["1|海はどれか。|ア=湾 イ=峰|ア", "2|山はどれか。|ア=湾 イ=峰|イ"],
    ),
    "headings in ideographs above numbered questions": (
        """
        一、選択問題
        1. 海はどれか。
        ア　湾　イ　峰
        二、選択問題
        2. 山はどれか。
        ア　湾　イ　峰

        解答
        1. ア　2. イ
        """,
        ["1|海はどれか。|ア=湾 イ=峰|ア", "2|山はどれか。|ア=湾 イ=峰|イ"],
    ),
    "a list inside the question": (
        """
        1. Consider:
        1) foo
        2) bar

        Which is right?

        A) 1 only
        B) 1 and 2
        """,
        ["1|Consider:\n1) foo\n2) bar\nWhich is right?|A=1 only B=1 and 2|"],
    ),
    "initials and abbreviations": (
        """
        1. Who succeeded J.
        A. Garfield at 3 p.m. in the U.S.?
        A. Chester A. Arthur
        B. Robert E. Lee
        C. 1.5 million men
        """,
        [
            "1|Who succeeded J. A. Garfield at 3 p.m. in the U.S.?"
            "|A=Chester A. Arthur B=Robert E. Lee C=1.5 million men|"
        ],
    ),
    "choices of brackets, of labels and years": (
        """
        1. Which?
        A) (1) and (2)
        B) A and B
        C) 1914. Then war
        """,
        ["1|Which?|A=(1) and (2) B=A and B C=1914. Then war|"],
    ),
    "a year at the beginning of a line": (
        """
        1. What began in
        1914. What else?
        A) x
        B) y
        """,
        ["1|What began in 1914. What else?|A=x B=y|"],
    ),
    "blank lines between choices": (
        """
        1. Which?

        A) x

        B) y

        2. What?

        A) z

        B) w
        """,
        ["1|Which?|A=x B=y|", "2|What?|A=z B=w|"],
    ),
    "headings and page numbers": (
        """
        History quiz     Name ______
        Answer all questions.

        1 - Which?
        A - x
        B - y
        Page 2
        2 - What?
        A - z
        B - w
        ANSWER KEY: 1-A 2-B
        """,
        ["1|Which?|A=x B=y|A", "2|What?|A=z B=w|B"],
    ),
    "Japanese in full width": (
        """
        問１　次の空欄に入る語を選べ。
        鉄の【　】は1
        933年の、
        ア．鉄　　イ．銅
        ウ．銀　　エ．金
        正解：イ
        【問2】都はどこか。
        （ア）京（イ）江戸
        答え　ア
        第３問 僧は誰か。
        ① 鄭和　② 玄奘
        """,
        [
            "1|次の空欄に入る語を選べ。鉄の【 】は1 933年の、|ア=鉄 イ=銅 ウ=銀 エ=金|イ",
            "2|都はどこか。|ア=京 イ=江戸|ア",
            "3|僧は誰か。|①=鄭和 ②=玄奘|",
        ],
    ),
    "labels as choices": (
        """
        問1 選べ。
        1. ア 2. イ 3. ウ
        問2 選べ。
        1　甲と乙　2　乙と丙
        解答 問1 ３　問2 1
        """,
        ["1|選べ。|1=ア 2=イ 3=ウ|3", "2|選べ。|1=甲と乙 2=乙と丙|1"],
    ),
    "Aiken, whose question begins as a choice does": (
        """
        A. Lincoln was born in?
        A. 1809
        B. 1865
        ANSWER: A
        What is it?
        A) x
        B) y
        ANSWER: B
        """,
        ["|A. Lincoln was born in?|A=1809 B=1865|A", "|What is it?|A=x B=y|B"],
    ),
    "without numbers, answers and blank lines": (
        """
        What is X?
        A) 1
        B) 2
        What is Y?
        A) 3
        B) 4

        What is Z
        or so?
        A) 5
        B) 6
        """,
        ["|What is X?|A=1 B=2|", "|What is Y?|A=3 B=4|", "|What is Z or so?|A=5 B=6|"],
    ),
    "signs before labels": (
        """
        1. Which?
        a) x
        *b) y
        2. **Who?**
        a) x
        **b) y**
        3. When?
        [ ] A. x
        [x] B. y
        4. Why?
        * A. x
        * B. y
        """,
        ["1|Which?|a=x b=y|b", "2|Who?|a=x b=y|", "3|When?|A=x B=y|B", "4|Why?|A=x B=y|"],
    ),
    "answers in all words": (
        """
        1) Which?
        A) x
        B) y
        Ans. (b)
        Explanation: B is right.
        2) Which?
        A) x
        B) y
        The correct answer is A.
        3) Which?
        A) x
        B) Paris
        Correct answer: Paris
        4) Which?
        A) x
        B) y
        ANSWER: B) y
        """,
        [
            *("1|Which?|A=x B=y|B", "2|Which?|A=x B=y|A", "3|Which?|A=x B=Paris|B"),
            "4|Which?|A=x B=y|B",
        ],
    ),
    "a key in columns, by sections": (
        """
        Section A
        1. a?
        A) x
        B) y
        2. b?
        A) x
        B) y
        Section B
        1. c?
        A) x
        B) y
        Answer Key
        Section A
        1. A     2. B
        Section B
        1. B
        """,
        ["1|a?|A=x B=y|A", "2|b?|A=x B=y|B", "1|c?|A=x B=y|B"],
    ),
    "places for answers": (
        """
        ____ 1. Which?
            a. one
            b. two
        ( ) 2. Who?
        (A) Ann (B) Bob
        ANS: B
        """,
        ["1|Which?|a=one b=two|", "2|Who?|A=Ann B=Bob|B"],
    ),
    "questions inside a question": (
        """
        問1　次の各問いに答えよ。
        (1) 首都はどこか。
          ア 東京 イ 京都
        (2) 最高峰はどれか。
          ア 富士山 イ 北岳
        """,
        [
            "1|次の各問いに答えよ。(1) 首都はどこか。|ア=東京 イ=京都|",
            "|(2) 最高峰はどれか。|ア=富士山 イ=北岳|",
        ],
    ),
    "Chinese": (
        """
        第1题 首都是哪里？（2分）
        A、北京 B、上海
        答案：A
        第2题 谁？
        A. 甲  B. 乙
        正确答案 B
        """,
        ["1|首都是哪里？（2分）|A=北京 B=上海|A", "2|谁？|A=甲 B=乙|B"],
    ),
    "a key above the questions": (
        """
        ANSWERS
        1. A
        2. B

        1. a?
        A) x
        B) y
        2. b?
        A) x
        B) y
        """,
        ["1|a?|A=x B=y|A", "2|b?|A=x B=y|B"],
    ),
    "choices like a key": (
        """
        1. a?
        A) x
        B) y
        2. Which letter?

        1. A
        2. B
        3. C
        """,
        ["1|a?|A=x B=y|", "2|Which letter?|1=A 2=B 3=C|"],
    ),
    "choices in two columns": (
        """
        1. Which?
        a.  x  c.  z
        b.  y  d.  w
        ANS:  C  PTS:  1  DIF:  Easy
        2. What?
        ① 甲　　③ 丙
        ② 乙　　④ 丁
        正解：②
        """,
        ["1|Which?|a=x b=y c=z d=w|c", "2|What?|①=甲 ②=乙 ③=丙 ④=丁|②"],
    ),
    "answers in the words of many languages": (
        """
        1. Which?
        A. x
        B. y
        Correct option: B. y
        2. Which?
        A. x
        B. y    Ans: (b)
        3. Which?
        A. x
        B. y
        Answer - A
        4. Which?
        A. x
        B. y
        Respuesta correcta: B
        5. Which?
        A. x
        B. y
        Bonne réponse : A
        6. Which?
        A. x
        B. y
        我的答案：A 正确答案：B
        7. Which?
        A. x
        B. y
        Solution: A
        8. Which?
        A. x
        B. y
        """
        "Antwort: B\n",
        [f"{n}|Which?|A=x B=y|{right}" for n, right in enumerate("BBABABAB", 1)],
    ),
    "boxes to tick, and a key in one line": (
        """
        1. Which?
        - [ ] x
        - [x] y
        2. What?
        a) x
        b) y
        3. Who?
        a) x
        b) y
        Key: 2b 3a
        """,
        ["1|Which?|A=x B=y|B", "2|What?|a=x b=y|b", "3|Who?|a=x b=y|a"],
    ),
    "a Cyrillic letter among labels": (
        """
        1. Which?
        A) x
        B) y
        \u0421) z
        Answer: C
        """,
        ["1|Which?|A=x B=y C=z|C"],
    ),
    "true or false in many forms": (
        """
        1. ____ The sky is blue. (T/F)
        2. Iron floats.   True   False
        3. Water is wet.
        True / False
        4. Gold is a gas.
        o True
        o False
        T F 5. Tin is a metal.
        6. Ice is warm.
        Answer: False
        7. True or False? Lead floats.
        8. Snow is white. ( ) True ( ) False
        Key: 1. T 2. F 3. True 4. False 5. T 7. F 8. T
        """,
        [
            f"{n}|{text}|A=True B=False|{right}"
            for n, (text, right) in enumerate(
                (
                    *(("The sky is blue.", "A"), ("Iron floats.", "B"), ("Water is wet.", "A")),
                    *(("Gold is a gas.", "B"), ("Tin is a metal.", "A"), ("Ice is warm.", "B")),
                    *(("Lead floats.", "B"), ("Snow is white.", "A")),
                ),
                1,
            )
        ],
    ),
    "a key straight below statements": (
        """
        1. Which?
        a) x
        b) y
        Part B. True or false?
        2. Ice is cold.
        3. Iron floats.
        True   False
        Key (teacher only)
        1. b  2. T  3. F
        """,
        [
            "1|Which?|a=x b=y|b",
            "2|Ice is cold.|A=True B=False|A",
            "3|Iron floats.|A=True B=False|B",
        ],
    ),
    "statements below a heading": (
        """
        Part A. Circle true or false.
        1. The sky is blue.
        2. Iron floats on
           water.

        Part B
        3. Which of these is true and which is false?
        A) x
        B) y
        """,
        [
            "1|The sky is blue.|A=True B=False|",
            "2|Iron floats on water.|A=True B=False|",
            "3|Which of these is true and which is false?|A=x B=y|",
        ],
    ),
    "judged in Japanese": (
        """
        次の文が正しければ○、誤っていれば×を書け。
        (1) 空は青い。（　　）
        (2) 鉄は浮く。（　○・×　）
        (3) 水は濡れる。（ ○ ）
        """,
        ["1|空は青い。|A=○ B=×|", "2|鉄は浮く。|A=○ B=×|", "3|水は濡れる。|A=○ B=×|A"],
    ),
    "judged in Chinese, then a choice in brackets": (
        """
        一、判断题
        1. 天空是蓝色的。（ √ ）
        2. 铁会浮起来。（ × ）
        二、单选题
        3. 首都是（ A ）。
        A. 北京 B. 上海
        4. 河是（ B ）。
        A. 黄山 B. 长江
        """,
        [
            *("1|天空是蓝色的。|A=正确 B=错误|A", "2|铁会浮起来。|A=正确 B=错误|B"),
            *("3|首都是（ ）。|A=北京 B=上海|A", "4|河是（ ）。|A=黄山 B=长江|B"),
        ],
    ),
    "answers in the places for them": (
        """
        __B__ 1. Which?
        A) x
        B) y
        __A__ 2. What?
        A) x
        B) y
        """,
        ["1|Which?|A=x B=y|B", "2|What?|A=x B=y|A"],
    ),
    "a label in brackets behind the last choice": (
        """
        1. Which? a. x  b. y  c. z  (b)
        2. What? a. x  b. y  c. z  (c)
        """,
        ["1|Which?|a=x b=y c=z|b", "2|What?|a=x b=y c=z|c"],
    ),
    "answers with reasons": (
        """
        1. Which?
        A) x
        B) y
        Answer: B (because y is it)
        2. What?
        A) x
        B) y
        The correct answer is A because x is it.
        """,
        ["1|Which?|A=x B=y|B", "2|What?|A=x B=y|A"],
    ),
    "boxes and circles for labels": (
        """
        1. Which?
        ☐ x
        ☑ y
        2. What?
        ( ) x
        (x) y
        3. Who?
        ○ Ann
        ○ Bob
        """,
        ["1|Which?|A=x B=y|B", "2|What?|A=x B=y|B", "3|Who?|A=Ann B=Bob|"],
    ),
    "bullets where no choice has a label": (
        """
        1. Which?
        • x
        • y
        2. What?
        - x
        - y
        """,
        ["1|Which?|A=x B=y|", "2|What?|A=x B=y|"],
    ),
    "letters without a sign": (
        """
        1. Which?
        A one x
        B two y
        C red z
        2. What?
        A/ one
        B/ two
        """,
        ["1|Which?|A=one x B=two y C=red z|", "2|What?|A=one B=two|"],
    ),
    "labels of other scripts": (
        """
        1. Ποιος;
        α) Άννα
        β) Βάσω
        2. 누구인가?
        가. 김
        나. 이
        """,
        ["1|Ποιος;|α=Άννα β=Βάσω|", "2|누구인가?|가=김 나=이|"],
    ),
    "copied from learning platforms": (
        """
        Question 1
        Not yet answered
        Marked out of 1.00
        Which?
        Select one:
        a. x
        b. y
        The correct answer is: y
        Question 2\t1 pts
        What?

        Group of answer choices

        red

        blue

        Question 3
        Who? *
        1 point
        Mark only one oval.
           Ann
           Bob
        """,
        ["1|Which?|a=x b=y|b", "2|What?|A=red B=blue|", "3|Who?|A=Ann B=Bob|"],
    ),
    "instructions, pictures and passages between questions": (
        """
        1. Which?
        A) x
        B) y
        Read the passage and answer questions 2 and 3.
        The cat sat on the mat. It slept.
        2. What?
        A) x
        B) y
        ![](figure.png)
        Choose the best answer.
        3. Who?
        A) Ann
        B) Bob
        """,
        ["1|Which?|A=x B=y|", "2|What?|A=x B=y|", "3|Who?|A=Ann B=Bob|"],
    ),
    "questions and answers behind letters": (
        """
        Q: Which?
        A) x
        B) y
        A: B

        Q: What?
        A) x
        B) y
        A: A
        """,
        ["|Which?|A=x B=y|B", "|What?|A=x B=y|A"],
    ),
    "a learning platform's numbering": (
        """
        Question 1:
        Who?
        A\tAnn
        B\tBob
        Question 2
        Whom?
        ○ A. Cid
        ○ B. Dan
        """,
        ["1|Who?|A=Ann B=Bob|", "2|Whom?|A=Cid B=Dan|"],
    ),
    "a key judges statements below a title": (
        """
        Test
        ___ 1. It rains.
        ___ 2. It snows.

        Answer key
        1. T
        2. F
        """,
        ["1|It rains.|A=True B=False|A", "2|It snows.|A=True B=False|B"],
    ),
    "questions below a key": (
        """
        1. Which?
        A) x
        B) y

        Answers
        1. B

        Part II
        3. Who?
        A) Ann
        B) Bob
        """,
        ["1|Which?|A=x B=y|B", "3|Who?|A=Ann B=Bob|"],
    ),
    "a title that speaks of answers": (
        "Quiz with answers\n1. Which?\nA) x\nB) y\nAnswer: B\n",
        ["1|Which?|A=x B=y|B"],
    ),
    "an instruction that speaks of answers": (
        "Choose the right answers.\n1. Which?\nA) x\nB) y\nAnswer: B\n",
        ["1|Which?|A=x B=y|B"],
    ),
    "feet of pages among choices": (
        """
        1. Which?
        A) x
        Page 3 of 7
        B) y
        © 2021 Green School
        2. What?
        A) x
        www.school.example   4
        B) y
        - 4 -
        """,
        ["1|Which?|A=x B=y|", "2|What?|A=x B=y|"],
    ),
    "explanations right below statements": (
        """
        1. It rains. True / False
        Clouds are wet.
        2. It snows. True / False
        Ice is cold.
        """,
        ["1|It rains.|A=True B=False|", "2|It snows.|A=True B=False|"],
    ),
    "explanations below the answers of statements without numbers": (
        """
        It rains.
        Answer: True
        Clouds are wet.
        It snows.
        Answer: False
        Ice is cold.
        """,
        ["|It rains.|A=True B=False|A", "|It snows.|A=True B=False|B"],
    ),
    "explanations below answers in brackets": (
        """
        True or false?
        1. It rains. (True)
        Clouds are wet.
        2. It snows. (F)
        Ice is cold.
        """,
        ["1|It rains.|A=True B=False|A", "2|It snows.|A=True B=False|B"],
    ),
    "explanations below true and false on lines of their own": (
        """
        It rains.
        False
        True
        Clouds are wet.
        It snows.
        True
        False
        Ice is cold.
        """,
        ["|It rains.|A=False B=True|", "|It snows.|A=True B=False|"],
    ),
    "columns copied one label a line": (
        """
        1. Which?
        a.
        x
        c.
        z
        b.
        y
        d.
        w
        """,
        ["1|Which?|a=x b=y c=z d=w|"],
    ),
    "a key of statements without a heading": (
        """
        Circle true or false.
        1. It rains.
        2. It snows.

        1. T  2. F
        """,
        ["1|It rains.|A=True B=False|A", "2|It snows.|A=True B=False|B"],
    ),
    "a star before a choice inside a line": (
        "1. Which? A. x *B. y C. z\n",
        ["1|Which?|A=x B=y C=z|B"],
    ),
    "Cyrillic labels in a row": (
        "1. Цвет?\nА) алый  Б) белый\nВ) серый  Г) синий\n2. Цвет?\nА. алый Б. белый В. серый\n",
        ["1|Цвет?|А=алый Б=белый В=серый Г=синий|", "2|Цвет?|А=алый Б=белый В=серый|"],
    ),
    "Cyrillic letters among Latin labels in a row": (
        "1. Цвет?\nА) алый  B) белый  С) серый\n",
        ["1|Цвет?|A=алый B=белый C=серый|"],
    ),
    "a letter as the first choice of a question behind Q": (
        "Q: Which vitamin?\nA. B\nB. C\nAnswer: B\n\nQ: Which one?\nA. D\nB. K\nAnswer: A\n",
        ["|Which vitamin?|A=B B=C|B", "|Which one?|A=D B=K|A"],
    ),
    "capitals in brackets above small labels": (
        "1. Red? (B)\na) sky\nb) rose\n2. Blue? (A)\na) sky\nb) rose\n",
        ["1|Red?|a=sky b=rose|b", "2|Blue?|a=sky b=rose|a"],
    ),
    "a range behind an answer word": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nKey: 1-2 BA\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "a key behind the name of its section": (
        "Part I\n1. Hot?\nA. ice\nB. fire\n\nPart I answers: 1. B\n\n"
        "Part II\n1. Wet?\nA. rain\nB. sand\n\nAnswers Part II: 1. A\n",
        ["1|Hot?|A=ice B=fire|B", "1|Wet?|A=rain B=sand|A"],
    ),
    "several labels of a question in a key": (
        "1. Hot?\nA. fire\nB. ice\nC. lava\n2. Wet?\nA. sand\nB. rain\nAnswers: 1. A, C  2. B\n",
        ["1|Hot?|A=fire B=ice C=lava|", "2|Wet?|A=sand B=rain|B"],
    ),
    "labels in a column below an answer word": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nAnswers:\nB\nA\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "a key right below the last choice": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n1.B 2.A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "texts with labels in brackets in a key": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nKey\n1. Fire (B)\n2. Rain (A)\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "texts of bullets in a key": (
        "1. Hot?\n- ice\n- fire\n2. Wet?\n- rain\n- sand\n\nAnswers\n1. fire\n2. rain\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "dots between number and label in a key": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nKey\n1.......B\n2.......A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "a scheme of marks": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nMark scheme\n1 B (1 mark)\n2 A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "the answer section of ExamView": (
        "1. Hot?\na. ice\nb. fire\n\nAnswer Section\n\nMULTIPLE CHOICE\n\n1. ANS: B PTS: 1\n",
        ["1|Hot?|a=ice b=fire|b"],
    ),
    "a table on its side with `No.`": (
        "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\nKey\nNo.\t1\t2\nAns\tB\tA\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "numbered answers beside numbered questions": (
        "Q1: Hot?\nA: ice\nB: fire\nA1: B\nQ2: Wet?\nA: rain\nB: sand\nA2: A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "numbered answers at the end": (
        "Q1: Hot?\nA: ice\nB: fire\n\nQ2: Wet?\nA: rain\nB: sand\n\nA1: B\nA2: A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "Roman numbers": (
        "I. Hot?\nA) ice\nB) fire\nII. Wet?\nA) rain\nB) sand\n\nKey: I. B  II. A\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "numbers on keycaps, ticks before choices": (
        "1⃣ Hot?\n❌ A) ice\n✅ B) fire\n\n2⃣ Wet?\n✅ A) rain\n❌ B) sand\n",
        ["1|Hot?|A=ice B=fire|B", "2|Wet?|A=rain B=sand|A"],
    ),
    "points in brackets": (
        "(2 pts) 1. Hot?\nA. ice\nB. fire (1 point)\n2. Wet? (2 points)\nA. rain\nB. sand\n"
        "3. 冷たい？（２点）\nA. 氷\nB. 火\n",
        ["1|Hot?|A=ice B=fire (1 point)|", "2|Wet?|A=rain B=sand|", "3|冷たい？|A=氷 B=火|"],
    ),
    "choices in brackets": (
        "1. Fire is ____. (a. hot, b. cold)\n(2) 雨は＿。（ア．湿る　イ．乾く）\n\n1. a\n2. イ\n",
        ["1|Fire is ____.|a=hot b=cold|a", "2|雨は＿。|ア=湿る イ=乾く|イ"],
    ),
    "an answer below its word in bold type": (
        "1. Hot?\nA. ice\nB. fire\n\nAnswer\n\n**B**\n",
        ["1|Hot?|A=ice B=fire|B"],
    ),
    "the word option before an answer": (
        "1. Hot?\nA. ice\nB. fire\nAnswer: Option B\n",
        ["1|Hot?|A=ice B=fire|B"],
    ),
    "sections in Japanese": (
        "第１問　温度の問い。\n\n問１　熱いのは。\n① 氷　② 火\n\n第２問　水の問い。\n\n"
        "問１　湿るのは。\n① 雨　② 砂\n\n解答\n第１問　問１ ②\n第２問　問１ ①\n",
        ["1|熱いのは。|①=氷 ②=火|②", "1|湿るのは。|①=雨 ②=砂|①"],
    ),
    "years right behind wide stops": (
        "問1 いつか。\n１．313年\n２．476年\n\n解答　問1 2\n",
        ["1|いつか。|1=313年 2=476年|2"],
    ),
    "a key that leaves a question out": (
        "問1 熱いのは。\nア 氷　イ 火\n\n【解答】問1 イ　問2 省略\n",
        ["1|熱いのは。|ア=氷 イ=火|イ"],
    ),
    "an explanation behind an answer": (
        "問1 熱いのは。\nア 氷　イ 火\n正解：イ　解説：火は熱い。\n",
        ["1|熱いのは。|ア=氷 イ=火|イ"],
    ),
    "letters and reasons behind statements": (
        "True or false?\n1. Fire is cold. F - it is hot\n2. Rain is wet. T\n",
        ["1|Fire is cold.|A=True B=False|B", "2|Rain is wet.|A=True B=False|A"],
    ),
    "a word before labels": (
        "Question 1: Which?\nOption A: x\nOption B: y\nAnswer: Option B\n",
        ["1|Which?|A=x B=y|B"],
    ),
    "pictures before labels and answers": (
        "1. Which?\n❌ A) x\n✅ B) y\n\n2. What?\nA) x ❌\nB) y ✅\n\n3. Who?\nA) ✅\nB) ❌\n"
        "✅ **Correct answer: A**\n💡 Explanation: it is.\n",
        ["1|Which?|A=x B=y|B", "2|What?|A=x B=y|B", "3|Who?|A=✅ B=❌|A"],
    ),
    "brackets right behind numbers in a key": (
        "1. Hot?\n(a) ice\n(b) fire\n2. Wet?\n(a) rain\n(b) sand\n\nAns. 1(b), 2(a)\n",
        ["1|Hot?|a=ice b=fire|b", "2|Wet?|a=rain b=sand|a"],
    ),
    "a word in the brackets of a key": (
        "【問1】熱いのは。\n(1)氷\n(2)火\n【問2】湿るのは。\n(1)雨\n(2)砂\n\n【答え】\n【問1】(2)\n【問2】(1)\n",
        ["1|熱いのは。|1=氷 2=火|2", "2|湿るのは。|1=雨 2=砂|1"],
    ),
    "labels behind questions": (
        "1. Hot? b\na. ice\nb. fire\n2. Wet is ... a\na. rain\nb. sand\n",
        ["1|Hot?|a=ice b=fire|b", "2|Wet is ...|a=rain b=sand|a"],
    ),
    "the end of a test": (
        "1. Hot?\na. ice\nb. fire\nEnd of the test. Good luck!\n",
        ["1|Hot?|a=ice b=fire|"],
    ),
    "arrows behind choices": (
        "問1 熱いのは。\nア 氷\nイ 火 ←正解\n",
        ["1|熱いのは。|ア=氷 イ=火|イ"],
    ),
    "bullets above labelled choices": (
        "1. Consider:\n- iron\n- gold\nA) x\nB) y\n",
        ["1|Consider: - iron - gold|A=x B=y|"],
    ),
}


@pytest.mark.parametrize("odd", READ)
def test_questions_choices_and_answers(odd: str) -> None:
    text, expected = READ[odd]
    read = read_numbered(dedent(text))
    assert (shown(read), read.rejected) == (expected, [])


@pytest.mark.parametrize(
    "form",
    [
        *("_____ {n}. {text}", "{n}. _____ {text}", "{n}. {text} ______", "(   ) {n}. {text}"),
        *("{n}. {text}   T   F", "{n}. T   F  {text}", "{n}.\tT\tF\t{text}", "T  F  {n}. {text}"),
        *("{n}. {text}\nTrue\nFalse", "{n}. {text}\n\n  True\n  False\n", "{n}. {text}\n T\n F"),
        *("{n}. {text}\n  True False", "{n}. {text}\n  ____ True   ____ False"),
        *("{n}. {text}\n ___ True\n ___ False", "{n}. {text}   T ___   F ___"),
    ],
)
@pytest.mark.parametrize(
    "heading", ["", "II. True/False\n", "Part B. Write T or F on the line.\n", "Circle T or F.\n"]
)
def test_statements_on_worksheets(form: str, heading: str) -> None:
    texts = ["Iron is a metal.", "Salt is sweet."]
    below = "\n".join(form.format(n=n, text=text) for n, text in enumerate(texts, 3))
    above = "1. Which?\na) x\nb) y\n2. Which?\na) x\nb) y\n\n"
    read = read_numbered(f"{above}{heading}{below}\n\nAnswer key\n1. b\n2. a\n3. T\n4. False\n")
    assert [(one.name, one.text, len(one.choices), one.answers) for one in read.questions] == [
        *(("1", "Which?", 2, ("b",)), ("2", "Which?", 2, ("a",))),
        *(("3", texts[0], 2, ("T",)), ("4", texts[1], 2, ("False",))),
    ]
    assert read.rejected == []


@pytest.mark.parametrize("form", ["__{}__ {}. {}", "{1}. __{0}__ {2}", "_{}_ {}. {}"])
def test_filled_places_hold_the_answers(form: str) -> None:
    above = "\n".join(form.format(label, n, "Who?\nA) Ann\nB) Bob") for label, n in ("B1", "A2"))
    below = "\n".join(form.format(label, n, "It rains.") for label, n in ("T3", "F4"))
    read = read_numbered(f"{above}\nTrue or false\n{below}\n")
    assert [(one.name, one.text, *one.answers) for one in read.questions] == [
        *(("1", "Who?", "B"), ("2", "Who?", "A"), ("3", "It rains.", "T"), ("4", "It rains.", "F"))
    ]


def test_more_boxes_than_letters_are_no_choices() -> None:
    read = read_numbered("1. Which?\n" + "".join(f"[ ] x{n}\n" for n in range(27)))
    assert (read.questions, [remark.line for remark in read.rejected]) == ([], [1])


def test_a_key_of_labels_does_not_judge_what_has_no_choices() -> None:
    read = read_numbered("1. Discuss.\n2. Who?\nA) Ann\nB) Bob\n\nKey\n1. F\n2. B\n")
    assert [one.text[:10] for one in read.rejected] == ["question 1"]
    assert read.notes == []


def test_what_is_no_question_is_named_by_its_line() -> None:
    text = "Quiz\n\n1. Which?\nA) x\nB) y\n\n2. Discuss.\n\n3. Which?\nA) x\n\n4.\nA) x\nB) y\n\n"
    read = read_numbered(f"{text}5. Which?\nA) x\nB)\nC) z\n")
    assert [one.name for one in read.questions] == ["1"]
    assert [(one.line, one.text[:10]) for one in read.rejected] == [
        (7, "question 2"),
        (9, "question 3"),
        (12, "question 4"),
        (16, "question 5"),
    ]
    assert [(one.line, "'Quiz'" in one.text) for one in read.notes] == [(1, True)]


@pytest.mark.parametrize(
    "mark", [" ✓", " ✅", " (correct)", " *", " <-- correct answer", "［正解］"]
)
def test_a_sign_behind_a_choice_says_that_it_is_right(mark: str) -> None:
    read = read_numbered(f"1. Who?\nA) Ann{mark}\nB) Bob\n2. Who?\nA) Ann\nB) Bob{mark}\n")
    assert [(one.choices[0].text, one.choices[1].text, one.answers) for one in read.questions] == [
        ("Ann", "Bob", ("A",)),
        ("Ann", "Bob", ("B",)),
    ]


def test_stars_behind_several_choices_may_be_of_a_footnote_and_are_named() -> None:
    read = read_numbered(
        "1. Who?\nA) Ann*\nB) Bob\nC) Cid *\n2. Who?\nA) Ann*\nB) Bob*\nC) Cid\nAnswer: B\n"
    )
    assert [(one.name, one.answers) for one in read.questions] == [("2", ("B",))]
    assert [(one.line, "stars behind several choices" in one.text) for one in read.rejected] == [
        (1, True)
    ]


@pytest.mark.parametrize("mark", [" ✓", " (Answer: A)"])
def test_an_answer_beside_a_text_is_named_for_it_would_be_read_as_text(mark: str) -> None:
    read = read_numbered(
        f"1. Who?\nA) Ann (Answer: A)\nB) Bob\n2. Who{mark}\nA) Ann\nB) Bob\n3. Who?\nA) Ann\nB) Bob\n"
    )
    assert [one.name for one in read.questions] == ["3"]
    assert [one.line for one in read.rejected] == [1, 4]


def test_a_key_with_other_words_is_named_and_no_answer_of_the_last_question() -> None:
    text = "1. Hot?\nA. ice\nB. fire\n2. Wet?\nA. rain\nB. sand\n\n"
    read = read_numbered(f"{text}Key: 1. B 2. A Bonus: B\n")
    assert [question.answers for question in read.questions] == [(), ()]
    assert [(note.line, note.text[:10]) for note in read.notes] == [(8, "like a key")]


def test_open_questions_in_a_key_are_counted_and_the_key_goes_on() -> None:
    text = "1. Hot?\nA. ice\nB. fire\n\n2. Name one.\n\n3. Wet?\nA. rain\nB. sand\n\n"
    read = read_numbered(f"{text}Key\n1. B\n2. Iron, gold\n3. A\n")
    assert shown(read) == ["1|Hot?|A=ice B=fire|B", "3|Wet?|A=rain B=sand|A"]
    assert [(note.line, note.text[:6]) for note in read.notes] == [(13, "a line")]


def test_choices_that_all_ask_are_questions_of_a_part_and_named() -> None:
    read = read_numbered(
        "1. Metals\na) Which is hard?\nb) Which is soft?\n2. Hot?\na) ice\nb) fire\n"
    )
    assert shown(read) == ["2|Hot?|a=ice b=fire|"]
    assert [remark.line for remark in read.rejected] == [1]


def test_an_answer_behind_a_gap_in_the_last_choice_is_named() -> None:
    read = read_numbered("1. Hot?\na) fire\nb) ice\ta) fire\n")
    assert (read.questions, [remark.line for remark in read.rejected]) == ([], [1])


def test_a_key_that_does_not_fit_is_named() -> None:
    read = read_numbered("1. Which?\nA) x\nB) y\nAnswers: 1. B 7. A\n")
    assert read.questions[0].answers == ("B",)
    assert [(one.line, one.text[:24]) for one in read.notes] == [(4, "an answer to question 7,")]


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        (["B", "b.", "(B)", "Ｂ", "2", "②", "paris", "B) Paris"], 1),
        (["Rome."], 0),
        (["A, C", "D", "Berlin", "", "0"], None),
    ],
)
def test_an_answer_is_a_label_a_text_or_a_place(answers: list[str], place: int | None) -> None:
    (read,) = read_numbered("1. Which?\nA) Rome\nB) Paris\nC) 1789\n").questions
    assert {right_choice(read.choices, answer) for answer in answers} == {place}


def test_what_nobody_sees_before_numbers_and_labels_says_nothing() -> None:
    text = "\ufeff\u200b1. Who?\n\u200eA. Ptolemy\nB.\u200b Euclid\n\u200bAnswer: B\n"
    parsed = read_question_file(text.encode(), "quiz.txt")
    assert [
        (one.text, [choice.text for choice in one.choices], one.answers) for one in parsed.questions
    ] == [("Who?", ["Ptolemy", "Euclid"], ("B",))]


def test_labels_with_a_gap_or_a_repeat_are_named_and_no_half_question() -> None:
    read = read_numbered(
        "1. Which?\nA) x\nB) y\nD) z\n\n2. Which?\nA) x\nB) y\nB) z\n\n"
        "3. Which?\nA) x     A) z\nB) y     B) w\n\n4. Which?\nA) x\nB) y\n"
    )
    assert [one.name for one in read.questions] == ["4"]
    assert [(one.line, one.text.partition(":")[0]) for one in read.rejected][:2] == [
        (1, "question 1 has labels A, B, D"),
        (6, "question 2 has labels A, B, B"),
    ]


def test_feedback_is_left_out_and_counted() -> None:
    read = read_numbered("1. Which?\n... It is y.\n+ Yes, y.\na) x\n... No.\n*b) y\n@ Page 8.\n")
    (one,) = read.questions
    assert (one.text, [choice.text for choice in one.choices], one.answers) == (
        "Which?",
        ["x", "y"],
        ("b",),
    )
    assert [(note.line, note.text[:27]) for note in read.notes] == [
        (2, "4 lines of feedback left ou")
    ]


@pytest.mark.parametrize("line", ["Vastaus: B", ">> B"])
def test_a_line_like_an_answer_in_unknown_words_is_named_and_no_part_of_a_choice(line: str) -> None:
    read = read_numbered(f"1. Which?\nA) x\nB) y\n{line}\n")
    assert [choice.text for choice in read.questions[0].choices] == ["x", "y"]
    assert [note.line for note in read.notes] == [4]


@pytest.mark.parametrize(
    "text",
    [
        "The mill\n\nIt burned down.\n1. The fire began at night.\n2. Nobody was hurt.\n",
        "Dear all,\n\nplease bring:\n1. a pen\n2. paper\n\nSee you\n",
    ],
)
def test_a_list_in_prose_is_no_question(text: str) -> None:
    read = read_numbered(text)
    assert (read.questions, [(one.line, one.text[:14]) for one in read.rejected]) == (
        [],
        [(3, "a list in a te")],
    )


QUESTIONS = "1. Which?\nA) x\nB) y\n\n2. What?\nA) x\nB) y\n\n"


@pytest.mark.parametrize(
    "heading",
    [
        "Teacher copy - answers",
        "Answers to the quiz",
        "Answer Key for Chapter 3",
        "=== ANSWERS ===",
        "Solutions",
        "| # | Correct answer |",
        "Lösungen",
        "参考答案",
        "模範解答",
    ],
)
@pytest.mark.parametrize(
    "key",
    [
        "1. B\n2. A\n",
        "1. Aufgabe: B\n2. Aufgabe: A\n",
        "Question 1: B\nQuestion 2: A\n",
        "1. B) y\n2. A) x\n",
        "1. B. Because it is y.\n2. A - see page 3\n",
        "Question\tAnswer\n1\tB\n2\tA\n",
        "| No | Answer |\n|---|---|\n| 1 | B |\n| 2 | A |\n",
        "1  2\nB  A\n",
        "| Q | Answer | Why |\n|---|---|---|\n| 1 | B | It is y. |\n| 2 | A | It is x. |\n",
        "1-2 BA\n",
        "1. Which?\nAnswer: B\n2. What?\nAnswer: A\n",
        "1. Which?\nA) x\n*B) y\n\n2. What?\n*A) x\nB) y\n",
    ],
)
def test_what_is_below_a_heading_of_answers_is_a_key(heading: str, key: str) -> None:
    read = read_numbered(f"{QUESTIONS}{heading}\n\n{key}")
    assert [(one.name, one.answers) for one in read.questions] == [("1", ("B",)), ("2", ("A",))]
    assert not read.rejected


@pytest.mark.parametrize(
    "key", ["Key: BA", "Answers: B A", "Answers: B, A", "Answers:\nB\nA", "Key\n\n(B)\n(A)"]
)
def test_a_row_of_labels_is_a_key(key: str) -> None:
    assert [one.answers for one in read_numbered(QUESTIONS + key).questions] == [("B",), ("A",)]
