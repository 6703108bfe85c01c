/**
 * The page of *Tune Sensitivity*: a slider for each dial with bars for its values, the presets, and the groups that the
 * current values add and remove. The extension sends data to the page as messages; the page sends the values of the
 * dials back.
 */
import type { DialName, DialValues } from '../../../core/engine/dials.ts';
import { button, element } from '../report/elements.ts';
import type {
  Example,
  Examples,
  MessageFromTuner,
  ShownCounts,
  MessageToTuner,
  TunerTexts,
} from '../../../presentation/pages/tunerMessages.ts';
import { CountedChoice } from './countedChoice.ts';
import { DialView, type KnownCounts } from './dialView.ts';
import { fill, formatsOf } from './formats.ts';

declare function acquireVsCodeApi(): { postMessage(message: MessageFromTuner): void };

type BeginMessage = Extract<MessageToTuner, { readonly type: 'begin' }>;
type Preview = Extract<MessageToTuner, { readonly type: 'preview' }>;

const api = acquireVsCodeApi();
const texts = JSON.parse(document.getElementById('texts')!.textContent) as TunerTexts;
const formats = formatsOf(texts);
const app = document.getElementById('app')!;

/** Minimum time in milliseconds between two messages to the extension while the user drags a slider. */
const sendDelayMs = 60;

window.addEventListener('message', ({ data }: MessageEvent<MessageToTuner>) => receive(data));
api.postMessage({ type: 'ready' });

let tuner: Tuner | undefined;

function receive(message: MessageToTuner): void {
  switch (message.type) {
    case 'begin':
      // If the new report has the same dials, keep the elements, so that the focus does not move.
      if (tuner === undefined || !tuner.goesOn(message)) tuner = new Tuner(message);
      return;
    case 'wait':
      tuner = undefined;
      app.replaceChildren(element('p', { class: 'wait', role: 'status' }, message.why));
      return;
    case 'trying':
      tuner?.trying(message.values);
      return;
    case 'estimated':
      tuner?.estimated(message.values, message.counts);
      return;
    case 'tried':
      tuner?.tried(message.values, message.counts, message.problem);
      return;
    case 'preview':
      tuner?.previewed(message);
  }
}

class Tuner {
  #begun: BeginMessage;
  #values: DialValues;
  #dial: DialName | undefined;
  readonly #views: readonly DialView[];
  /** Counts of computed combinations of dial values. The key contains the values. */
  readonly #tried = new Map<string, ShownCounts>();
  /** Approximate counts of other combinations. */
  readonly #estimates = new Map<string, ShownCounts>();
  readonly #problems = new Map<string, string>();
  /** True if the current values have not been sent to the extension yet. */
  #mustSendValues = false;
  readonly #now = element('dd');
  readonly #here = element('dd', { 'aria-live': 'polite' });
  readonly #note = element('p', { class: 'note' });
  readonly #progress = element('p', { class: 'progress' });
  readonly #presets: readonly HTMLButtonElement[];
  readonly #apply = button(texts.apply, { class: 'primary', id: 'apply' }, () => api.postMessage({ type: 'apply' }));
  readonly #reset = button(texts.reset, { id: 'reset' }, () => this.#setDials(this.#begun.inForce, undefined));
  readonly #counted = new CountedChoice(texts, (counted) => api.postMessage({ type: 'count', counted }));
  readonly #added = element('section', { class: 'added' });
  readonly #removed = element('section', { class: 'removed' });

  constructor(begun: BeginMessage) {
    this.#begun = begun;
    this.#values = begun.values;
    this.#views = begun.dials.map(
      (dial) =>
        new DialView(dial, texts, formats, (value) =>
          this.#setDials({ ...this.#values, [dial.name]: value }, dial.name),
        ),
    );
    this.#presets = Object.entries(begun.presets).map(([name, values]) =>
      button(texts.presets[name] ?? name, { 'data-preset': name }, () => this.#setDials(values, undefined)),
    );
    this.#take(begun);
    const dialsOf = (isProse: boolean): HTMLElement =>
      element(
        'section',
        { class: 'dials' },
        element('h2', {}, isProse ? texts.prose : texts.code),
        ...this.#views.filter((view) => view.isProse === isProse).map((view) => view.element),
      );
    app.replaceChildren(
      element(
        'header',
        {},
        element(
          'dl',
          {},
          element('div', {}, element('dt', {}, texts.now), this.#now),
          element('div', { class: 'here' }, element('dt', {}, texts.preview), this.#here),
        ),
        element(
          'div',
          { class: 'actions' },
          element('span', { class: 'presets', role: 'group', 'aria-label': texts.start }, ...this.#presets),
          this.#apply,
          this.#reset,
        ),
        this.#note,
      ),
      element(
        'div',
        { class: 'body' },
        element(
          'main',
          {},
          this.#counted.element,
          dialsOf(begun.isTextFirst),
          dialsOf(!begun.isTextFirst),
          this.#progress,
        ),
        element('aside', {}, this.#added, this.#removed),
      ),
    );
    this.#draw();
  }

  /**
   * Switches to another report. Returns false if that is impossible because the dials of this report have different
   * stops.
   */
  goesOn(begun: BeginMessage): boolean {
    if (JSON.stringify(begun.dials) !== JSON.stringify(this.#begun.dials)) return false;
    this.#take(begun);
    this.#draw();
    return true;
  }

  #take(begun: BeginMessage): void {
    this.#begun = begun;
    this.#values = begun.values;
    this.#tried.clear();
    this.#estimates.clear();
    this.#problems.clear();
    this.#tried.set(keyOf(begun.inForce), begun.counts);
    this.#counted.draw(begun.counted, begun.categories);
    this.#showNoExamples();
  }

  trying(values: DialValues): void {
    if (keyOf(values) === keyOf(this.#values)) this.#here.classList.add('busy');
  }

  estimated(values: DialValues, counts: ShownCounts): void {
    this.#estimates.set(keyOf(values), counts);
    this.#draw();
  }

  tried(values: DialValues, counts: ShownCounts | undefined, problem: string | undefined): void {
    if (counts) this.#tried.set(keyOf(values), counts);
    else if (problem !== undefined) this.#problems.set(keyOf(values), problem);
    this.#draw();
  }

  previewed({ values, added, removed }: Preview): void {
    if (keyOf(values) !== keyOf(this.#values)) return;
    const isHere = keyOf(values) !== keyOf(this.#begun.inForce);
    if (!isHere) return this.#showNoExamples();
    const isUnchanged = added.total + removed.total === 0;
    this.#added.replaceChildren(
      ...(isUnchanged ? [element('p', { class: 'note' }, texts.unchanged)] : examples('added', texts.added, added)),
    );
    this.#removed.replaceChildren(...examples('removed', texts.removed, removed));
  }

  #setDials(values: DialValues, dial: DialName | undefined): void {
    this.#values = values;
    this.#dial = dial ?? this.#dial;
    this.#showNoExamples();
    this.#draw();
    if (this.#mustSendValues) return;
    this.#mustSendValues = true;
    window.setTimeout(() => {
      this.#mustSendValues = false;
      api.postMessage({ type: 'setDials', values: this.#values, dial: this.#dial });
    }, sendDelayMs);
  }

  #showNoExamples(): void {
    const isInForce = keyOf(this.#values) === keyOf(this.#begun.inForce);
    this.#added.replaceChildren(...(isInForce ? [element('p', { class: 'note' }, texts.noExamples)] : []));
    this.#removed.replaceChildren();
  }

  #draw(): void {
    const { inForce, counts, decided, presets } = this.#begun;
    const key = keyOf(this.#values);
    const isInForce = key === keyOf(inForce);
    const here = this.#countsAt(this.#values);
    const problem = this.#problems.get(key);
    this.#now.replaceChildren(...amount({ ...counts, isEstimate: false }, undefined));
    this.#here.classList.toggle('busy', !this.#tried.has(key) && problem === undefined);
    this.#here.replaceChildren(...(here ? amount(here, isInForce ? undefined : counts) : [problem ?? texts.trying]));
    const changed = (Object.keys(inForce) as DialName[]).filter((name) => this.#values[name] !== inForce[name]);
    const isDecided = decided && changed.some((name) => decided.names.includes(name));
    const decidedText = isDecided ? ` ${fill(texts.toFile, decided.file)}` : '';
    this.#note.textContent = isInForce ? texts.asNow : texts.toSettings + decidedText;
    this.#apply.disabled = isInForce || problem !== undefined;
    this.#reset.disabled = isInForce;
    for (const preset of this.#presets) {
      const isOn = keyOf(presets[preset.dataset['preset']!]!) === key;
      preset.setAttribute('aria-pressed', String(isOn));
    }
    let [countedStops, all] = [0, 0];
    for (const view of this.#views) {
      const { dial } = view;
      const countsAt = (stop: number): KnownCounts | undefined =>
        this.#countsAt({ ...this.#values, [dial.name]: stop });
      view.draw(this.#values[dial.name], inForce[dial.name], countsAt);
      const swept = dial.stops.filter((stop) => stop <= dial.swept);
      all += swept.length;
      countedStops += swept.filter((stop) => countsAt(stop)?.isEstimate === false).length;
    }
    this.#progress.textContent = countedStops < all ? fill(texts.stillTrying, String(countedStops), String(all)) : '';
  }

  #countsAt(values: DialValues): KnownCounts | undefined {
    const key = keyOf(values);
    const tried = this.#tried.get(key);
    if (tried) return { ...tried, isEstimate: false };
    const estimate = this.#estimates.get(key);
    return estimate && { ...estimate, isEstimate: true };
  }
}

/**
 * Returns elements that show each count and its difference from the count with the current settings:
 * "2,834 duplicates +52" and "330,658 duplicated lines +914, 34.5%".
 */
function amount({ total, lines, isEstimate }: KnownCounts, before: ShownCounts | undefined): Node[] {
  const difference = (now: number, then: number | undefined): HTMLElement[] =>
    then === undefined ? [] : [element('span', { class: 'difference' }, formats.difference(now - then))];
  return [
    element('b', {}, formats.approximate(formats.count(total, texts.duplicates), isEstimate)),
    ...difference(total, before?.total),
    ...(lines === undefined
      ? []
      : [
          element('span', {}, `${formats.count(lines.duplicatedLines, texts.lines)}, ${formats.share(lines)}`),
          ...difference(lines.duplicatedLines, before?.lines?.duplicatedLines),
        ]),
  ];
}

function examples(side: 'added' | 'removed', title: string, { total, shown }: Examples): Node[] {
  const row = ({ id, label, description }: Example): HTMLElement => {
    const open = button('', { class: 'example' }, () => api.postMessage({ type: 'open', side, id }));
    open.append(element('b', {}, label), element('span', {}, description));
    return element('li', {}, open);
  };
  if (total === 0) return [];
  const rest = total - shown.length;
  return [
    element('h2', {}, title, ' ', element('span', { class: 'count' }, formats.number(total))),
    element('ul', {}, ...shown.map(row)),
    ...(rest > 0 ? [element('p', {}, fill(texts.more, formats.number(rest)))] : []),
  ];
}

function keyOf(values: DialValues): string {
  return JSON.stringify(Object.entries(values).sort(([x], [y]) => (x < y ? -1 : 1)));
}
