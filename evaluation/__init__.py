"""Gold and a submission in, official measures out.

From Python: `score("ntcir-mc", "gold.xml", run)` gives `Figures`; `compare("ntcir-mc", "gold.xml", first, second)` how
sure a difference is, `plot("ntcir-mc", "gold.xml", first, second)` the charts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.charts import Plot, plot
    from evaluation.scoring import Figures, compare, score
    from indexer.files.errors import UserError
else:
    from indexer.lazy import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "evaluation.charts": "Plot plot",
            "evaluation.scoring": "Figures compare score",
            "indexer.files.errors": "UserError",
        },
    )

__all__ = ["Figures", "Plot", "UserError", "compare", "plot", "score"]
