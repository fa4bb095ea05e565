"""How long a question takes that is asked of an open textbook index:

    python benchmarks/ask_speed.py INDEX QUESTIONS

QUESTIONS is a file of questions, one a line, perhaps with an id and a tab before it. Prints the
processor time of the first question (models and lexicons are loaded), of each later one, and the
ratio of these to retrieving their passages alone, which other load of the machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click

from answerer.asking.command import ask
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import read_question
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from retriever.topics import read_topics


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor that it takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


@click.command()
@click.argument("address", metavar="INDEX")
@click.argument("questions", type=click.Path(exists=True, path_type=Path))
def main(address: str, questions: Path) -> None:
    """Time questions that are asked of an index, one after another."""
    texts = [topic.text for topic in read_topics(str(questions))]
    with closing(open_index(address)) as index:
        language = index_language(index)
        first = timed(lambda: ask(texts[0], index))
        later = timed(lambda: [ask(text, index) for text in texts[1:]]) / (len(texts) - 1)
        read = [read_question(text, language.language) for text in texts[1:]]
        alone = timed(lambda: [retrieve([one], index, language.analyser) for one in read])
        alone /= len(read)
    click.echo(
        f"first question {first:.3f} s; {len(read)} more {later:.3f} s each, "
        f"{later / alone:.1f} times retrieval alone ({alone:.4f} s)"
    )


if __name__ == "__main__":
    run_program(main, "python benchmarks/ask_speed.py")
