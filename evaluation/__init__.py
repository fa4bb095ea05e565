"""Gold and a submission in, official measures out.

From Python: `score("ntcir-mc", "gold.xml", run)` gives `Figures`; `compare("ntcir-mc", "gold.xml",
first, second)` how sure a difference is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.comparison import compare
    from evaluation.contract import Figures
    from evaluation.scoring import score
    from evaluation.trec_measures import read_run
    from indexer.files.errors import UserError
else:

    def __getattr__(name: str) -> object:
        from indexer.lazy import load_name

        modules = {
            ".comparison": "compare",
            ".contract": "Figures",
            ".scoring": "score",
            ".trec_measures": "read_run",
        }
        return load_name(__name__, modules, name)

    def __dir__() -> list[str]:
        return __all__


__all__ = ["Figures", "UserError", "compare", "read_run", "score"]
