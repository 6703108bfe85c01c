/** Judges and packs reports for the host: again if the ignored groups may have changed. Keeps those it lacks. */
import type { Findings } from '../../core/engine/report/report.ts';
import type { Packable } from '../../scan/indexer/findingsFile.ts';
import type { Channel } from '../protocol/channel.ts';
import { type Judgement, recalledGeneration } from '../protocol/judgement.ts';
import type {
  HostMethods,
  RecalledNotice,
  ReportResponse,
  Request,
  ScanRequest,
  WorkerMethods,
} from '../protocol/messages.ts';
import { FindingsPacker, packFindings } from '../protocol/packedFindings.ts';
import type { Outcome, Report } from './scanned.ts';

/**
 * Judges a report.
 *
 * @param files  `unchecked` to use cached ignore comments of files that may have changed
 */
export type ReportJudge = (
  findings: Findings,
  request: ScanRequest,
  files?: 'checked' | 'unchecked',
) => Promise<Judgement>;

export class HostReports {
  readonly #host: Channel<WorkerMethods, HostMethods>;
  readonly #judge: ReportJudge;
  readonly #isStale: (generation: number) => boolean;
  readonly #packer = new FindingsPacker();
  /** The last complete report sent to the host since the last scan. */
  #sent: Report | undefined;
  /** A newer report than the host has, because it was not sent or because the host has dropped it. */
  #unsent: Report | undefined;
  /** The last report that was sent, with its judgement. It may be the stored report. */
  #shown: (Pick<Report, 'generation' | 'findings' | 'request'> & { judged: string }) | undefined;

  /** @param isStale  returns true if the host has sent a newer request */
  constructor(host: Channel<WorkerMethods, HostMethods>, judge: ReportJudge, isStale: (generation: number) => boolean) {
    this.#host = host;
    this.#judge = judge;
    this.#isStale = isStale;
  }

  /** Judgement of the last report, as text. */
  get judged(): string | undefined {
    return this.#shown?.judged;
  }

  /** Begins a scan. If the stored report will be recalled, no report is shown until then. */
  beginScan({ recall }: ScanRequest): void {
    this.#sent = undefined;
    if (recall) this.#shown = undefined;
  }

  /** Keeps an unrequested report, which the next answer contains. */
  keep(report: Report): void {
    this.#unsent = report;
  }

  /**
   * If the answer is `unchanged` but the host does not have the last report, returns that report instead. The host may
   * lack it because it drops reports of superseded requests.
   */
  catchUp(answer: Outcome, request: Request): Outcome {
    // Later answers never refer to an incomplete report, so ignore incomplete ones.
    if (answer.type === 'report' && answer.findings.complete) {
      this.#unsent = this.#isStale(answer.generation) ? answer : undefined;
    }
    if (answer.type !== 'unchanged') return answer;
    const isBehind = request.type === 'update' && request.has !== undefined && this.#sent?.generation !== request.has;
    const missed = this.#unsent ?? (isBehind ? this.#sent : undefined);
    return missed === undefined ? answer : this.catchUp({ ...missed, generation: request.generation }, request);
  }

  async pack(report: Report, request: Request): Promise<ReportResponse> {
    const { request: answered, ...answer } = report;
    const { findings, generation } = report;
    const judgement = await this.#judge(findings, answered);
    if (!findings.complete) return { ...answer, findings: packFindings(findings), judgement };
    this.#sent = report;
    this.#shown = { generation, findings, request: answered, judged: JSON.stringify(judgement) };
    const has = request.type === 'update' ? request.has : undefined;
    return { ...answer, findings: this.#packer.pack(findings, generation, has), judgement };
  }

  /** Judges the last report again. If the judgement has changed, sends it to the host. */
  async judgeAgain(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    const judgement = await this.#judge(shown.findings, shown.request);
    const judged = JSON.stringify(judgement);
    if (shown !== this.#shown || judged === shown.judged) return;
    shown.judged = judged;
    this.#host.notify('judged', { generation: shown.generation, judgement });
  }

  /** Sends stored findings to the host before the scan. */
  async recall(request: ScanRequest, stored: Packable, started: number): Promise<void> {
    const notice = await this.#noticeOf(request, stored, started);
    const { findings } = stored;
    this.#shown = { generation: recalledGeneration, findings, request, judged: JSON.stringify(notice.judgement) };
    this.#host.notify('recalled', notice);
  }

  async sendFirst(request: ScanRequest, findings: Findings, started: number): Promise<void> {
    this.#host.notify('foundFirst', await this.#noticeOf(request, { findings }, started));
  }

  /** Returns a notice about findings that are sent before the answer to a request. */
  async #noticeOf(request: ScanRequest, { findings, packed }: Packable, started: number): Promise<RecalledNotice> {
    // The answer will be judged again. Until then, do not check if files were changed.
    const judgement = await this.#judge(findings, request, 'unchecked');
    const elapsedMs = Math.round(performance.now() - started);
    return { generation: request.generation, findings: packFindings(findings, packed), judgement, elapsedMs };
  }
}
