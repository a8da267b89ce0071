"""How long smoothing takes, and what it brings over real cities whose true means are known.

    python -m tests.benchmarks.bench_smoothing [--hats N]

Seconds and memory are those of made-up tables, one after the other, so memory is that of the largest so far.
The cities get made-up noise; cover: how many intervals hold the true mean, of all HATs and of the fastest
tenth. Without the cities' records only the first table is shown.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as main.py has it, before numpy is loaded

import numpy as np

from core.city.smoothing import SmoothingInput, predicted_error, smooth
from core.fixed_point import THOUSAND
from core.progress import Cancelled
from tests.benchmarks.cities import DATA, city_hats
from tests.smoothing_tables import MadeUp, hats_around, model_field, released

SIZES = (500, 5_000, 12_000)
WANTED_SECONDS, WANTED_GIB = 20.0, 2.0
"""For 5,000 HATs on two cores."""
DEVIATIONS = (1.0, 5.0, 20.0, 60.0)
"""Of the noise, about; km/h."""
FEWEST_VEHICLES, FEWEST_HATS = 20, 200
HEAD = (
    "| city | HATs | noise | mean error | smoothed | ratio | median error | smoothed | predicted | told "
    "| cover | of the fastest | spreads |"
)


def timed(hats: int) -> str:
    """One made-up table of so many HATs."""
    cells, hours = hats_around(hats)
    some = min(hats, 2_000)
    truth = np.full(hats, 22.0)
    truth[:some] = model_field(cells[:some], hours[:some])
    given = released(cells, hours, truth).given
    told: list[float] = []

    def tell(done: float, text: str = "") -> None:  # noqa: ARG001 - as a progress is called
        told.append(time.perf_counter())

    start, own = time.perf_counter(), time.process_time()
    smooth(given, tell)
    seconds, own = time.perf_counter() - start, time.process_time() - own
    gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    silence = float(np.diff([start, *told]).max())
    return (
        f"| {hats:6,} | {seconds:6.1f} | {own:6.1f} | {gib:4.2f} | {silence:4.1f} | {cancelled(given):6.2f} |"
    )


def cancelled(given: SmoothingInput) -> float:
    """Seconds until a stop asked for in the very beginning is taken."""
    start = time.perf_counter()

    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - as a progress is called
        raise Cancelled

    try:
        smooth(given, stop)
    except Cancelled:
        return time.perf_counter() - start
    raise SystemExit("a stop was not taken")


def brought(made: MadeUp) -> str:
    """Errors before and after, and how many intervals hold."""
    found, truth = smooth(made.given), made.truth
    raw = np.abs(np.clip(made.given.values, 0.0, made.given.upper_kmh) - truth)
    error = np.abs(found.values - truth)
    held = (found.lows <= truth) & (truth <= found.highs)
    fastest = truth >= np.quantile(truth, 0.9)
    figures = [raw.mean(), error.mean(), raw.mean() / error.mean(), np.median(raw), np.median(error)]
    figures += [np.median(predicted_error(made.given)), np.median(found.typical)]
    cells = [f"{figure:5.2f}" for figure in figures] + [f"{held.mean():.1%}", f"{held[fastest].mean():.1%}"]
    spreads = ", ".join(f"{spread:.1f}" for spread in found.spreads)
    return " | ".join([*cells, spreads])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hats", type=int, default=4_000, help="of each city and resolution, at most")
    most = parser.parse_args().hats
    print(f"load {os.getloadavg()[0]:.1f}; wanted for 5,000: {WANTED_SECONDS:g} s, {WANTED_GIB:g} GiB")
    print("| HATs | seconds | CPU s | GiB | longest silence s | stop taken s |\n" + "| --- " * 6 + "|")
    for hats in SIZES:
        print(timed(hats), flush=True)
    if not DATA.is_dir():
        return
    print("\n" + HEAD + "\n" + "| --- " * (HEAD.count("|") - 1) + "|")
    for city in city_hats(10**9):
        table = city.contributions
        vehicles = np.diff(city.users.first)
        chosen = np.flatnonzero(vehicles >= FEWEST_VEHICLES)[:most]
        if chosen.size < FEWEST_HATS:
            continue
        cells = table.cell[chosen].astype(np.int64)
        grid = table.window.grid
        hours = (grid.offset + (table.slot[chosen] + 0.5) * grid.minutes) / 60.0
        first = city.pairs.first
        sums = np.add.reduceat(city.pairs.pairs.sums, first[:-1])[chosen]
        truth = sums / np.add.reduceat(city.pairs.pairs.counts, first[:-1])[chosen] / THOUSAND
        for deviation in DEVIATIONS:
            for gaussian in (False, True):
                made = released(cells, hours, truth, deviation=deviation, gaussian=gaussian)
                noise = f"{'normal' if gaussian else 'Laplace'} {deviation:g}"
                print(
                    f"| {city.name} {city.resolution} | {chosen.size:,} | {noise} | {brought(made)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
