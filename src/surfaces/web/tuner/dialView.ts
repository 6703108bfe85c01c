/** View of one dial (a sensitivity setting): its name, a bar for each possible value, and a slider below. */
import type { Dial } from '../../../core/engine/dials.ts';
import { element } from '../report/elements.ts';
import type { ShownCounts, TunerTexts } from '../../../presentation/pages/tunerMessages.ts';
import { fill, type Formats } from './formats.ts';

/** Types of copies. A bar is divided by type, in this order from bottom to top. */
const types = ['exact', 'renamed', 'near'] as const;

export interface KnownCounts extends ShownCounts {
  /** True if the combination was not compared yet. */
  readonly isEstimate: boolean;
}

interface Column {
  readonly stop: number;
  readonly element: HTMLElement;
  readonly segments: readonly HTMLElement[];
}

export class DialView {
  readonly dial: Dial;
  readonly isProse: boolean;
  readonly element: HTMLElement;
  readonly #texts: TunerTexts;
  readonly #formats: Formats;
  readonly #value = element('output');
  readonly #slider: HTMLInputElement;
  readonly #columns: readonly Column[];

  /** @param onTurn  called with the new value when the user moves the slider */
  constructor(dial: Dial, texts: TunerTexts, formats: Formats, onTurn: (value: number) => void) {
    this.dial = dial;
    this.isProse = dial.name.startsWith('prose.');
    this.#texts = texts;
    this.#formats = formats;
    const { label, about } = texts.dials[dial.name];
    const id = `dial-${dial.name}`;
    this.#slider = element('input', {
      type: 'range',
      id,
      min: '0',
      max: String(dial.stops.length - 1),
      step: '1',
      'aria-describedby': `${id}-about`,
    });
    this.#slider.addEventListener('input', () => onTurn(dial.stops[Number(this.#slider.value)]!));
    this.#columns = dial.stops.map((stop) => {
      const segments = types.map((type) => element('i', { class: type }));
      const column = element('div', { class: 'column' }, ...[...segments].reverse());
      column.addEventListener('click', () => {
        this.#slider.focus();
        onTurn(stop);
      });
      return { stop, element: column, segments };
    });
    const ticks = dial.stops.map((stop) => element('span', {}, this.#tick(stop)));
    this.element = element(
      'div',
      { class: 'dial', style: undefined },
      element('label', { for: id }, label, this.#value),
      element('p', { class: 'about', id: `${id}-about` }, about),
      element('div', { class: 'bars', 'aria-hidden': 'true' }, ...this.#columns.map(({ element: column }) => column)),
      this.#slider,
      element('div', { class: 'ticks', 'aria-hidden': 'true' }, ...ticks),
    );
    this.element.style.setProperty('--stops', String(dial.stops.length));
  }

  /**
   * @param countsAt  returns the counts for a value of this dial, with all other dials at their current values;
   * `undefined` if they are not known
   */
  draw(value: number, inForce: number, countsAt: (stop: number) => KnownCounts | undefined): void {
    const { stops } = this.dial;
    const nearest = stops.reduce((best, stop) => (Math.abs(stop - value) < Math.abs(best - value) ? stop : best));
    this.#slider.value = String(stops.indexOf(nearest));
    this.#value.textContent = this.#valueText(value) + (value === inForce ? ` (${this.#texts.inForce})` : '');
    const counts = this.#columns.map(({ stop }) => countsAt(stop));
    const maxTotal = Math.max(1, ...counts.map((each) => each?.total ?? 0));
    for (const [place, { stop, element: column, segments }] of this.#columns.entries()) {
      const each = counts[place];
      column.classList.toggle('unknown', each === undefined);
      column.classList.toggle('estimate', each?.isEstimate === true);
      column.classList.toggle('here', stop === nearest);
      column.classList.toggle('in-force', stop === inForce);
      column.title = `${this.#valueText(stop)}: ${each ? this.#countsIn(each) : this.#texts.notTried}`;
      for (const [i, type] of types.entries()) {
        segments[i]!.style.height = `${each ? (100 * each.rows[type]) / maxTotal : 0}%`;
      }
    }
    const here = counts[stops.indexOf(nearest)];
    this.#slider.setAttribute(
      'aria-valuetext',
      [this.#valueText(value), ...(here ? [this.#countsIn(here)] : [])].join(', '),
    );
  }

  #countsIn({ total, lines, rows, isEstimate }: KnownCounts): string {
    const { duplicates, lines: linesText, types: typeTexts } = this.#texts;
    const { number, count } = this.#formats;
    const ofTypes = types.map((type) => `${typeTexts[type]} ${number(rows[type])}`).join(', ');
    const ofLines = lines && `, ${count(lines.duplicatedLines, linesText)} (${this.#formats.share(lines)})`;
    return this.#formats.approximate(`${count(total, duplicates)}${ofLines ?? ''}; ${ofTypes}`, isEstimate);
  }

  /** Formats a value of the dial with its unit: "k = 3", "55%". */
  #valueText(value: number): string {
    return fill(this.#texts.dials[this.dial.name].unit, this.#tick(value));
  }

  #tick(value: number): string {
    const isShare = this.dial.name.endsWith('imilarity');
    return this.#formats.number(isShare ? Math.round(value * 100) : value);
  }
}
