"""Fields for C and public counts, and in words which C and noise are best at a total, or why none."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget

from core.accounting.epsilon_rounding import plain
from core.advice.constant_curve import ConstantOutlook
from core.bundle.protection_texts import CONSTANTS_ARE_PUBLIC
from core.city.noise_kind import NoiseKind
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO
from core.planning.constant_choice import ConstantChoice
from core.privacy import Unit
from core.statistics.registry import require_statistic
from ui.kit.labels import label, plain_label
from ui.kit.message_bar import Message, message_of
from ui.kit.spec_words import help_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted
from ui.layout.boxes import in_column, in_row
from ui.parameters.prior_form import PriorForm
from ui.session.constant_request import ConstantRequest, bounded_mean_of, constant_request, outlook_of
from ui.session.session import Session

_MOST_HATS, _MOST_DAYS = 1_000_000, 100_000


class ConstantsBox(QWidget):
    """Shown in relation `user` alone; C begins untyped, and only public counts say which is best."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.outlook: ConstantOutlook | None = None
        self._of_hats = QWidget(self)
        layout = in_column(self, self._of_hats, margins=(0, 0, 0, 6))
        self._build_hats()
        # not above: what has to be typed is to be seen before anybody scrolls
        self.public = label(look="muted")
        self.public.setText(self.tr("Public: {what}.").format(what=core_text(CONSTANTS_ARE_PUBLIC)))
        layout.addWidget(self.public)
        layout.addWidget(label(self.tr("Known beforehand"), "heading"))
        self.prior = PriorForm(session, self)
        layout.addWidget(self.prior)
        self._job = Stage(self, self._show_outlook, failed=self._on_failed)
        session.forecast_changed.connect(self._follow)
        self.refresh()

    def _build_hats(self) -> None:
        """C, which is best, and which noise."""
        column = in_column(self._of_hats, spacing=5)
        self.hats = QSpinBox(self._of_hats, maximum=_MOST_HATS)
        self.hats.setSpecialValueText(self.tr("not typed"))
        self.hats.setKeyboardTracking(False)
        self.hats.setToolTip(in_lines(help_of("privacy.hats_per_vehicle")))
        self.hats.valueChanged.connect(self._edit_hats)
        self.caption = plain_label()
        self.days = QSpinBox(self._of_hats)
        self.days.setSpecialValueText(self.tr("not typed"))
        self.days.setRange(0, _MOST_DAYS)
        self.days.setKeyboardTracking(False)
        self.days.setToolTip(in_lines(help_of("privacy.days_per_vehicle")))
        self.days.valueChanged.connect(self._edit_days)
        self.days_caption = plain_label(self.tr("Days of a vehicle"))
        self.days.setAccessibleName(self.days_caption.text())
        for caption, box in ((self.caption, self.hats), (self.days_caption, self.days)):
            row = in_row(None, (caption, 1), box)
            column.addLayout(row)
        self.best = label()
        self.use_best = QPushButton(self._of_hats)
        self.use_best.clicked.connect(self._take_best)
        self.gaussian = label(look="muted")
        self.use_noise = QPushButton(self._of_hats)
        self.use_noise.clicked.connect(self._take_noise)
        for text, button in ((self.best, self.use_best), (self.gaussian, self.use_noise)):
            column.addWidget(text)
            line = in_row(None, button, 1)
            column.addLayout(line)

    @property
    def in_brief(self) -> str:
        """C where the draft takes one, and what is known beforehand."""
        draft = self._session.draft
        takes_c = any(not query.takes_public_counts for query in draft.queries)
        source, vehicles = draft.prior.source.path, draft.prior.vehicles
        known = counted("{n} vehicle in each slot", "{n} vehicles in each slot", vehicles) if vehicles else ""
        return ", ".join(
            filter(
                None,
                (
                    f"C = {draft.hats_per_vehicle}" if takes_c and draft.hats_per_vehicle else "",
                    Path(source).name if source else known,
                ),
            )
        )

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        draft = self._session.draft
        by_day = draft.unit is Unit.VEHICLE_DAY
        self.caption.setText(
            self.tr("Slots counted a day (C)") if by_day else self.tr("Hexagon slots counted (C)")
        )
        self.hats.setAccessibleName(self.caption.text())
        self.hats.blockSignals(True)
        self.hats.setValue(draft.hats_per_vehicle or 0)
        self.hats.blockSignals(False)
        self.days.blockSignals(True)
        self.days.setValue(draft.days_per_vehicle or 0)
        self.days.blockSignals(False)
        by_days = not by_day and any(
            require_statistic(query.statistic).counts_days for query in draft.queries
        )
        for widget in (self.days, self.days_caption):
            widget.setVisible(by_days)
        self.prior.refresh()
        self._of_hats.setVisible(any(not query.takes_public_counts for query in draft.queries))
        self._follow()

    def _follow(self) -> None:
        """Compute what is asked now; figures of before stay until those are there."""
        request = constant_request(self._session)
        if isinstance(request, Message):
            self._job.forget()
            self.outlook = None
            self._explain(request)
        elif self._job.ask(request, lambda progress: outlook_of(request, progress)) and self.outlook:
            self._show_outlook(self.outlook)

    def _explain(self, message: Message) -> None:
        shown = bounded_mean_of(self._session) is not None
        words = self.tr("C cannot be suggested yet: {what}. {mend}")
        self.best.setText(words.format(what=message.what.rstrip("."), mend=message.mend))
        self.best.setVisible(shown)
        for widget in (self.use_best, self.gaussian, self.use_noise):
            widget.hide()

    def _on_failed(self, error: object) -> None:
        self.outlook = None
        self._explain(message_of(error))

    def _show_outlook(self, outlook: ConstantOutlook) -> None:
        self.outlook = outlook
        best, own = outlook.best, self._own(outlook)
        self.best.setText(self._best_text(best, own))
        self.best.show()
        self.use_best.setText(self.tr("&Use C = {hats}").format(hats=best.hats_per_vehicle))
        self.use_best.setVisible(own is None or own.hats_per_vehicle != best.hats_per_vehicle)
        self._show_noise(outlook)

    def _own(self, outlook: ConstantOutlook) -> ConstantChoice | None:
        """Of the draft's C and noise."""
        hats = self._session.draft.hats_per_vehicle
        return None if hats is None else outlook.choice(hats, self._noise())

    def _noise(self) -> str:
        asked: ConstantRequest | None = self._job.asked
        return asked.noise if asked is not None else ""

    def _best_text(self, best: ConstantChoice, own: ConstantChoice | None) -> str:
        figures = {"total": plain(best.total), "unit": self._session.quantity.unit}
        if own is not None and own.hats_per_vehicle == best.hats_per_vehicle:
            words = self.tr(
                "✓ C = {hats} is best at a total of {total}: a typical number is off by {error} {unit}."
            )
            return words.format(hats=own.hats_per_vehicle, error=f"{own.error_kmh:.2f}", **figures)
        words = self.tr("Best at a total of {total}: C = {hats}; a typical number is off by {error} {unit}.")
        text = words.format(hats=best.hats_per_vehicle, error=f"{best.error_kmh:.2f}", **figures)
        if own is None:
            return text
        yours = self.tr("Yours, {hats}: {error} {unit}.").format(
            hats=own.hats_per_vehicle, error=f"{own.error_kmh:.2f}", unit=figures["unit"]
        )
        return f"{text} {yours}"

    def _show_noise(self, outlook: ConstantOutlook) -> None:
        """From which C Gaussian noise pays, and what that means for the draft's."""
        self.gaussian.show()
        self.use_noise.hide()
        if outlook.gaussian_from is None:
            self.gaussian.setText(
                self.tr("Gaussian noise needs a population with a delta (More… beside its limit).")
            )
            return
        parts = [
            counted(
                "Gaussian noise pays off from {n} hexagon slot per vehicle.",
                "Gaussian noise pays off from {n} hexagon slots per vehicle.",
                outlook.gaussian_from,
            )
        ]
        hats, asked = self._session.draft.hats_per_vehicle, self._noise()
        if hats is not None:
            smaller = outlook.smaller_noise(hats)
            name = self.tr("Gaussian") if smaller is NoiseKind.GAUSS else self.tr("Laplace")
            taken = asked in (AUTO, smaller.value)
            words = (
                self.tr("With C = {hats} {noise} noise is smaller, and is taken.")
                if taken
                else self.tr("With C = {hats} take {noise} noise.")
            )
            parts.append(words.format(hats=hats, noise=name))
            self.use_noise.setText(self.tr("Take {noise} &noise").format(noise=name))
            self.use_noise.setVisible(not taken)
        self.gaussian.setText(" ".join(parts))

    def _edit_hats(self, value: int) -> None:
        self._session.edit(
            self.tr("Hexagon slots per vehicle"), dragging=True, hats_per_vehicle=value or None
        )

    def _edit_days(self, value: int) -> None:
        self._session.edit(self.tr("Days per vehicle"), dragging=True, days_per_vehicle=value or None)

    def _take_best(self) -> None:
        if self.outlook is not None:
            self._session.edit(
                self.tr("Hexagon slots per vehicle"), hats_per_vehicle=self.outlook.best.hats_per_vehicle
            )

    def _take_noise(self) -> None:
        query, hats = bounded_mean_of(self._session), self._session.draft.hats_per_vehicle
        if query is None or hats is None or self.outlook is None:
            return
        number = self._session.draft.queries.index(query)
        noise = self.outlook.smaller_noise(hats).value
        self._session.edit_query(
            self.tr("Noise"), number=number, parameters={**query.parameters, NOISE_FIELD: noise}
        )
