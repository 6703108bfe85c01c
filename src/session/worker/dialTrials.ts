/**
 * Tries other dial settings on the index of the last report, one after the other: first the requested positions of the
 * dials, then the loosest stop of each dial, and then the other stops, nearest first. The dial that the user is turning
 * comes before the others. Stops that are stricter than a tried one are estimated from its findings in the meantime.
 * Runs while the worker is idle. A request interrupts the current trial, which starts again afterwards.
 */
import {
  type Dial,
  type DialName,
  dials,
  dialValues,
  type DialValues,
  presets,
  withDialValues,
} from '../../core/engine/dials.ts';
import { checkOptions } from '../../core/engine/options.ts';
import type { Findings, Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { changedRows, isFoundIn } from '../../core/engine/rows/changedRows.ts';
import { withoutIgnored } from '../../review/gate/withoutIgnored.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { Judgement } from '../protocol/judgement.ts';
import type {
  Counts,
  DecidedDials,
  RowToHide,
  TriedPreview,
  TriedResponse,
  TuneRequest,
  TuneResponse,
} from '../protocol/messages.ts';
import { packFindings } from '../protocol/packedFindings.ts';
import { estimatedGroups, isStricter } from './estimate.ts';
import { hidingSearch } from './hidingSearch.ts';

/** Inputs of trials: the index of a report, the files that set its options, and the judgement. */
export interface Tunable {
  readonly live: LiveScan;
  readonly decided: DecidedDials | undefined;
  /** Judgement of the report, as text. A different text means that other groups are ignored. */
  readonly judged: string | undefined;
  readonly judge: (findings: Findings) => Promise<Judgement>;
}

/** A dial setting and its findings as shown, from which the results of stricter settings are estimated. */
interface Base {
  readonly values: DialValues;
  readonly findings: Findings;
}

/** A search for a dial setting that hides a group. */
interface Search {
  readonly group: Group;
  /** Ids of the other rows that are counted. */
  readonly others: ReadonlySet<string>;
  readonly stops: ReturnType<typeof hidingSearch>;
  next: ReturnType<Search['stops']['next']>;
}

interface TrialResult {
  readonly counts: Counts | undefined;
  readonly problem?: string | undefined;
  readonly preview?: TriedPreview | undefined;
}

/** Maximum total size in bytes of the cached findings. Numbers of rows are always cached. */
const maxPreviewBytes = 2 ** 26;

export class DialTrials {
  readonly #post: (response: TuneResponse) => void;
  #request: TuneRequest | undefined;
  /** True if the result for the requested positions of the dials was sent. */
  #isAnswered = false;
  /** The current search. `undefined` if it has not begun. */
  #search: Search | undefined;
  /** True if the request contains a search that was not answered yet. */
  #hasSearch = false;
  /** The dials. Their stops include the current values. */
  #dials = dials;
  /** The report on which trials are based. */
  #of: Findings | undefined;
  #shown: ShownFindings | undefined;
  #decided: DecidedDials | undefined;
  #judged: string | undefined;
  /** Results by key, least recently used first. */
  readonly #tried = new Map<string, TrialResult>();
  #previewBytes = 0;
  /** Keys of the dial settings for which the numbers of rows have been sent to the host. */
  readonly #sent = new Set<string>();
  /** Estimates by key, and the keys of those that have been sent to the host. */
  readonly #estimates = new Map<string, Counts['rows']>();
  readonly #sentEstimates = new Set<string>();
  #lastTried: Base | undefined;
  /** True if there is no index, so that no trial is possible until one is created. */
  #waits = false;

  constructor(post: (response: TuneResponse) => void) {
    this.#post = post;
  }

  /** Replaces the request. `undefined` removes it. */
  setRequest(request: TuneRequest | undefined): void {
    this.#request = request;
    this.#isAnswered = false;
    this.#search = undefined;
    this.#hasSearch = request?.hide !== undefined;
    this.#waits = false;
    this.#sent.clear();
    this.#sentEstimates.clear();
    if (request !== undefined) return;
    this.#of = undefined;
    this.#forget();
  }

  /** Allows trials again, because the index may have changed. */
  retry(): void {
    this.#waits = false;
  }

  /** True if there may be more settings to try. */
  get hasWork(): boolean {
    return this.#request !== undefined && !this.#waits;
  }

  /**
   * Tries the next setting, and sends the result.
   *
   * @param isWanted  returns true if another request is waiting
   */
  async step(tunable: Tunable | undefined, isWanted: () => boolean): Promise<void> {
    const request = this.#request;
    if (request === undefined) return;
    if (tunable === undefined) {
      this.#waits = true;
      this.#post({ type: 'untunable' });
      return;
    }
    const { live } = tunable;
    const isOvertaken = (): boolean => this.#request !== request || isWanted();
    const isSame = this.#of === live.findings && this.#decided === tunable.decided && this.#judged === tunable.judged;
    if (!isSame) await this.#begin(tunable);
    const own = dialValues(live.options);
    const values = request.values ?? own;
    if (!this.#isAnswered) {
      this.#estimateFirst(tunable, [values]);
      if (!this.#tried.get(keyOf(values))?.preview) this.#post({ type: 'trying', values });
      const found = await this.#try(tunable, values, isOvertaken);
      if (this.#request !== request) return;
      // There is no result, because some changes have not been included in a report yet. Wait for the next request,
      // which will apply them.
      if (found === undefined) this.#waits = !isOvertaken();
      else {
        this.#isAnswered = true;
        this.#sendTried(values, found.tried, found.elapsedMs);
      }
      return;
    }
    if (this.#hasSearch && request.hide !== undefined) {
      await this.#searchStop(tunable, request.hide, isOvertaken);
      return;
    }
    const stops = this.#stopsAround(values, request.dial);
    if (this.#estimateFirst(tunable, stops.flat())) return;
    const next = this.#nextStop(stops);
    if (next === undefined) {
      this.#waits = true;
      return;
    }
    const found = await this.#try(tunable, next, isOvertaken);
    if (found && this.#request === request) {
      const { counts, problem } = found.tried;
      this.#sendTried(next, { counts, problem }, found.elapsedMs);
    } else this.#waits = !isOvertaken();
  }

  /** Continues the search for a setting that hides a group: tries the next setting, or sends the result. */
  async #searchStop(tunable: Tunable, hide: RowToHide, isOvertaken: () => boolean): Promise<void> {
    const before = this.#shown!.findings;
    this.#search ??= this.#beginSearch(hide, dialValues(tunable.live.options));
    const search = this.#search;
    if (search === undefined || search.next.done) {
      this.#hasSearch = false;
      const hiding = search?.next.done ? (search.next.value ?? 'impossible') : 'gone';
      this.#post({ type: 'rowHiding', hide: hide.id, hiding });
      return;
    }
    const values = search.next.value;
    const trial = await triedOn(tunable, before, values, isOvertaken);
    // A new report or request has replaced the search.
    if (this.#search !== search) return;
    if (trial === undefined) {
      this.#waits = !isOvertaken();
      return;
    }
    const { tried, shown } = trial;
    this.#keep(keyOf(values), tried);
    search.next = search.stops.next({
      isHidden: shown !== undefined && !isFoundIn(shown.findings, search.group),
      others: (tried.preview?.changed.removed ?? []).filter((id) => search.others.has(id)).length,
    });
  }

  #beginSearch({ id: hide, counted }: RowToHide, inForce: DialValues): Search | undefined {
    const { groups } = this.#shown!.findings;
    const group = groups.find(({ id }) => id === hide);
    if (group === undefined) return undefined;
    const isOther = ({ id, parent, category }: Group): boolean =>
      id !== hide && parent === undefined && counted.includes(category);
    const others = new Set(groups.filter(isOther).map(({ id }) => id));
    const othersAt = (values: DialValues): number =>
      others.size - estimatedGroups({ groups }, values).filter(({ id }) => others.has(id)).length;
    const stops = hidingSearch(group, inForce, this.#dials, othersAt);
    return { group, others, stops, next: stops.next() };
  }

  async #begin(tunable: Tunable): Promise<void> {
    const { live, decided, judged } = tunable;
    this.#forget();
    this.#isAnswered = false;
    this.#search = undefined;
    [this.#of, this.#decided, this.#judged] = [live.findings, decided, judged];
    const inForce = dialValues(live.options);
    this.#shown = await shownWith(live.findings, tunable);
    const counts = countsOf(this.#shown.findings);
    this.#keep(keyOf(inForce), { counts, preview: previewOf(this.#shown.findings, live.findings, this.#shown) });
    this.#dials = dialsWith(inForce);
    this.#post({ type: 'tunable', dials: this.#dials, presets, inForce, decided, counts });
  }

  #forget(): void {
    this.#tried.clear();
    this.#sent.clear();
    this.#estimates.clear();
    this.#sentEstimates.clear();
    this.#lastTried = undefined;
    this.#previewBytes = 0;
  }

  /**
   * Returns the next setting whose numbers were not sent yet: those that were tried before, the loosest stop of each
   * dial, because the others can then be estimated, and then the others.
   */
  #nextStop(stops: readonly (readonly DialValues[])[]): DialValues | undefined {
    const loosest = stops.flatMap((each) => each.reduce((best, stop) => (isStricter(best, stop) ? stop : best)));
    const unsent = [...loosest, ...stops.flat()].filter((stop) => !this.#sent.has(keyOf(stop)));
    return unsent.find((stop) => this.#tried.has(keyOf(stop))) ?? unsent[0];
  }

  /** Returns settings that differ in one dial: first the one that the user turns; its stops, nearest first. */
  #stopsAround(values: DialValues, first: DialName | undefined): DialValues[][] {
    const ordered = [...this.#dials].sort((x, y) => Number(y.name === first) - Number(x.name === first));
    return ordered.map(({ name, stops, swept }) => {
      const distanceOf = (stop: number): number => Math.abs(stops.indexOf(stop) - nearest(stops, values[name]));
      const near = stops.filter((stop) => stop <= swept).sort((x, y) => distanceOf(x) - distanceOf(y));
      return near.map((stop) => ({ ...values, [name]: stop }));
    });
  }

  /**
   * Sends estimated numbers of the first setting of a list that was neither tried nor estimated. Returns false if there
   * is none that can be estimated.
   */
  #estimateFirst({ live }: Tunable, settings: readonly DialValues[]): boolean {
    const shown = { values: dialValues(live.options), findings: this.#shown!.findings };
    const bases = this.#lastTried ? [shown, this.#lastTried] : [shown];
    for (const values of settings) {
      const key = keyOf(values);
      if (this.#tried.has(key) || this.#sentEstimates.has(key)) continue;
      const looser = bases.filter((base) => isStricter(values, base.values));
      if (looser.length === 0 && !this.#estimates.has(key)) continue;
      const rows = this.#estimates.get(key) ?? rowsOf(estimatedGroups(looser.reduce(stricterBase).findings, values));
      this.#estimates.set(key, rows);
      this.#sentEstimates.add(key);
      this.#post({ type: 'estimated', values, rows });
      return true;
    }
    return false;
  }

  /** Returns the result of a setting, or `undefined` if the trial was interrupted. */
  async #try(
    tunable: Tunable,
    values: DialValues,
    cancelled: () => boolean,
  ): Promise<{ readonly tried: TrialResult; readonly elapsedMs: number } | undefined> {
    const key = keyOf(values);
    const earlierTrial = this.#tried.get(key);
    // If only the numbers of rows are needed, a cached result without findings is enough.
    if (earlierTrial?.preview || (earlierTrial && this.#isAnswered)) return { tried: earlierTrial, elapsedMs: 0 };
    const started = performance.now();
    const trial = await triedOn(tunable, this.#shown!.findings, values, cancelled);
    if (trial === undefined) return undefined;
    const { tried, shown } = trial;
    this.#keep(key, tried);
    if (shown) this.#lastTried = { values, findings: shown.findings };
    return { tried, elapsedMs: Math.round(performance.now() - started) };
  }

  #keep(key: string, tried: TrialResult): void {
    this.#tried.set(key, tried);
    this.#previewBytes += bytesOf(tried);
    for (const [oldest, { counts, preview }] of this.#tried) {
      if (this.#previewBytes <= maxPreviewBytes || oldest === key) return;
      if (preview === undefined) continue;
      this.#previewBytes -= bytesOf({ counts, preview });
      this.#tried.set(oldest, { counts });
    }
  }

  #sendTried(values: DialValues, { counts, problem, preview }: TrialResult, elapsedMs: number): void {
    this.#sent.add(keyOf(values));
    this.#post({
      type: 'tried',
      values,
      counts,
      elapsedMs,
      problem,
      preview,
    } satisfies TriedResponse);
  }
}

/** Returns the base with the stricter values, because its findings are nearer to those of a stricter setting. */
function stricterBase(x: Base, y: Base): Base {
  return isStricter(y.values, x.values) ? y : x;
}

/** Tries a setting. Returns `undefined` if the trial was canceled, or if the index is not up to date. */
async function triedOn(
  tunable: Tunable,
  shownNow: Findings,
  values: DialValues,
  cancelled: () => boolean,
): Promise<{ readonly tried: TrialResult; readonly shown?: ShownFindings } | undefined> {
  const { live } = tunable;
  const options = withDialValues(live.options, values);
  const problems = checkOptions(options);
  if (problems.length > 0) return { tried: { counts: undefined, problem: problems.join(' ') } };
  try {
    const findings = await live.trial(options, { onProgress: () => undefined, cancelled });
    if (findings === undefined) return undefined;
    const shown = await shownWith(findings, tunable);
    return { tried: { counts: countsOf(shown.findings), preview: previewOf(shownNow, findings, shown) }, shown };
  } catch (error) {
    // The trial has run out of memory. This does not affect the index.
    return { tried: { counts: undefined, problem: error instanceof Error ? error.message : String(error) } };
  }
}

/** Findings without ignored groups, as the views show them. */
interface ShownFindings {
  readonly findings: Findings;
  readonly judgement: Judgement;
}

async function shownWith(findings: Findings, { judge }: Tunable): Promise<ShownFindings> {
  const judgement = await judge(findings);
  const groups = new Set(judgement.sources.flatMap((source) => source.groups));
  const left = withoutIgnored(findings, { groups, passages: new Map(judgement.aside) });
  return { judgement, findings: { ...findings, ...left, totals: judgement.totals } };
}

function previewOf(before: Findings, findings: Findings, shown: ShownFindings): TriedPreview {
  const changed = changedRows(before, shown.findings);
  return { findings: packFindings(findings), judgement: shown.judgement, changed };
}

export function countsOf({ totals, groups }: Findings): Counts {
  return { totals, rows: rowsOf(groups) };
}

/** Returns the numbers of rows. As in `Totals`, a row is a group without a parent. */
function rowsOf(groups: readonly Group[]): Counts['rows'] {
  const rows: Partial<Record<Category, Record<'exact' | 'renamed' | 'near', number>>> = {};
  for (const { parent, category, type } of groups) {
    if (parent !== undefined) continue;
    (rows[category] ??= { exact: 0, renamed: 0, near: 0 })[type]++;
  }
  return rows;
}

function bytesOf({ preview }: TrialResult): number {
  if (preview === undefined) return 0;
  const { numbers, ids, parents, paths, skipped } = preview.findings;
  return numbers.byteLength + ids.length + parents.length + paths.length + skipped.length;
}

/** Returns the dials with the given values added to their stops. */
function dialsWith(values: DialValues): readonly Dial[] {
  return dials.map((dial) => ({
    ...dial,
    stops: [...new Set([...dial.stops, values[dial.name]])].sort((x, y) => x - y),
  }));
}

function keyOf(values: DialValues): string {
  return dials.map(({ name }) => values[name]).join();
}

function nearest(stops: readonly number[], value: number): number {
  return stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best]! - value) ? i : best), 0);
}
