"""The hand weights of derivations' features: what answers without a model, and what a model is learned from."""

from __future__ import annotations

from pathlib import Path

from retriever.learning.hand import FILE, hand_weights

HAND_FILE = Path(__file__).with_name(FILE)
HAND = hand_weights(__package__)
"""Weight by feature name; a feature that is not named weighs nothing."""

HAND |= {
    f"matrix {name}": weight
    for name, weight in HAND.items()
    if name.startswith(("uncovered", "answer ", "asks ")) and " shape " not in name
}

CROSSED = "crossed "
"""What begins the names of features of lists of statistics."""

HAND |= {f"{CROSSED}{name}": weight for name, weight in HAND.items() if not name.startswith("matrix ")}
