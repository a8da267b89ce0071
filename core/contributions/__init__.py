"""Contributions: the records of a window by HAT, vehicle and day (method 4), and what follows from them."""

from core.contributions.hat_data import HatData
from core.contributions.hat_users import HatUsers
from core.contributions.index import contributions_of
from core.contributions.pairs import HatPairs, PairTable, pairs_of
from core.contributions.table import Contributions
from core.contributions.users import EVALUATION_TIE_KEY, UserTable, tie_ranks, users_of

__all__ = [
    "EVALUATION_TIE_KEY",
    "Contributions",
    "HatData",
    "HatPairs",
    "HatUsers",
    "PairTable",
    "UserTable",
    "contributions_of",
    "pairs_of",
    "tie_ranks",
    "users_of",
]
