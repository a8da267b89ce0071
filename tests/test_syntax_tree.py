"""tests.syntax_tree: nothing of a source is passed over."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.syntax_tree import nodes_of


def test_every_node_is_found_but_contexts() -> None:
    tree = ast.parse(
        Path(__file__).read_text(encoding="utf-8") + "def f(a, *b, c=1) -> (x := 2): a[1:2] = -c\n"
    )
    known = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert Counter(map(id, nodes_of(tree))) == Counter(map(id, known))
    assert len(known) > 60
