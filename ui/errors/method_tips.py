"""What each method for the whole city does, in few words: weights, shares of the total, bias."""

from __future__ import annotations

from core.accounting.budgets import OPTIMAL_DIVISION
from core.evaluate.city_comparison import CityMethod
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.tokens import EXACT, SPLIT
from core.parameter_fields import declared
from ui.language.translation import core_text, translator

_tr = translator("CityMethods")


def method_tip(method: CityMethod) -> str:
    """How its mechanism works, how it shares the total out, and what its parameters add."""
    mechanism = all_mechanisms()[method.mechanism]
    texts = [core_text(mechanism.summary)]
    if not mechanism.joint:
        texts.append(
            _tr("The total is divided so that the largest noise in any hexagon slot is as small as possible.")
            if method.divide == OPTIMAL_DIVISION
            else _tr("Every hexagon slot gets the same share of the total.")
        )
    given = dict(method.parameters)
    if given.get("mode") == SPLIT:
        texts.append(
            _tr("Weights may differ from the numbers of records: less noise for a little modelled bias.")
        )
    elif given.get("mode") == EXACT:
        texts.append(_tr("Every record weighs the same: no bias."))
    helps = {one.name: one.help for one in declared(mechanism.Params)}
    texts += [core_text(helps[name]) for name, value in method.parameters if value is True]
    return " ".join(texts)


def zoom_label() -> str:
    """What step *Parameters* calls the second look of the tokens."""
    return next(one.label for one in declared(all_mechanisms()["tokens"].Params) if one.name == "zoom")
