/** The tab *Folder or Archive*. It scans files that the user selects or drops, and shows rows, a map, and a search. */
import * as l10n from '@vscode/l10n';
import { defaultOptions } from '../../../core/engine/options.ts';
import { lineShare } from '../../../presentation/wording/lineShare.ts';
import { pageRowsOf } from '../../../presentation/wording/pageRows.ts';
import { fileCount } from '../report/counts.ts';
import { button, element, number } from '../report/elements.ts';
import { showReport } from '../report/reportView.ts';
import { chosenFiles, droppedFiles } from './chosenFiles.ts';
import { Engine } from './engine.ts';
import { languageOfMost } from './languages.ts';
import { mapFrame } from './mapFrame.ts';
import type { Answer, Problem, Progress, ScanResult, ScanSource } from './messages.ts';
import type { Project } from './projectFile.ts';
import { problemText } from './problems.ts';
import { ScannedTexts } from './scannedTexts.ts';
import { SimilarSearch } from './similarSearch.ts';
import { skippedCounts, skippedList } from './skippedList.ts';
import { percent } from '../../../presentation/wording/likeness.ts';
import { type Slider, slider } from './slider.ts';

interface ShownScan {
  readonly result: ScanResult;
  readonly texts: ScannedTexts;
  readonly search: SimilarSearch;
}

type Failure = Extract<Answer, { readonly type: 'failed' }>;

type Dial = 'maxDistance' | 'minTokens' | 'minSimilarity';

export class FolderTab {
  #source: ScanSource | undefined;
  #shown: ShownScan | undefined;
  /** Values of sliders that the user has moved. They override the options of the project. */
  readonly #options: Partial<Record<Dial, number>> = {};
  readonly #sliders = new Map<Dial, Slider>();
  readonly #engine = new Engine(
    (answer) => this.#receive(answer),
    (progress) => this.#report(progress),
  );
  /** Redraws the status after the language has changed, and when the tab is shown again. */
  #drawStatus: () => void = () => undefined;
  #status = element('div');
  #result = element('div');
  #again = element('button');

  render(): HTMLElement {
    this.#status = element('div', { class: 'status', role: 'status' });
    this.#result = element('div', { class: 'report' });
    if (this.#shown) this.#show(this.#shown);
    else this.#drawStatus();
    return element('div', { class: 'folder-tab' }, this.#chooser(), this.#status, this.#result);
  }

  /** Scans the files that the user dropped on the page. */
  async drop(transfer: DataTransfer): Promise<void> {
    await this.#take(droppedFiles(transfer));
  }

  #chooser(): HTMLElement {
    const input = (attributes: Readonly<Record<string, string>>): HTMLInputElement => {
      const made = element('input', { type: 'file', hidden: '', ...attributes });
      made.addEventListener('change', () => {
        const pendingSource = chosenFiles(made.files!);
        void this.#take(pendingSource).then(() => (made.value = ''));
      });
      return made;
    };
    const folder = input({ webkitdirectory: '', 'aria-label': l10n.t('Folder') });
    const archive = input({ multiple: '', 'aria-label': l10n.t('.zip or files') });
    return element(
      'div',
      { class: 'drop' },
      element('p', {}, l10n.t('Drop a folder or a .zip anywhere on this page, or choose one.')),
      button(l10n.t('Choose Folder…'), { class: 'primary', id: 'choose-folder' }, () => folder.click()),
      button(l10n.t('Choose .zip or Files…'), { id: 'choose-zip' }, () => archive.click()),
      folder,
      archive,
      element('p', { class: 'quiet' }, l10n.t('Only this page reads the files. The rules of .gitignore apply.')),
      this.#settings(),
    );
  }

  #settings(): HTMLElement {
    const dial = (name: Dial, label: string, min: number, max: number, step: number): HTMLElement => {
      const made = slider({
        id: `scan-${name}`,
        label,
        min,
        max,
        step,
        value: this.#valueOf(name),
        format: name === 'minSimilarity' ? percent : undefined,
        onInput: (value) => {
          this.#options[name] = value;
        },
      });
      this.#sliders.set(name, made);
      return made.element;
    };
    this.#again = button(l10n.t('Scan Again'), { id: 'scan-again' }, () => this.#scan());
    this.#again.disabled = this.#source === undefined;
    return element(
      'details',
      { class: 'scan-settings' },
      element('summary', {}, l10n.t('Settings')),
      dial('maxDistance', l10n.t('Distance k'), 0, 8, 1),
      dial('minTokens', l10n.t('Minimum tokens'), 10, 200, 5),
      dial('minSimilarity', l10n.t('Minimum similarity'), 0.3, 1, 0.05),
      this.#again,
    );
  }

  #valueOf(dial: Dial): number {
    return this.#options[dial] ?? (this.#shown?.result.project.options ?? defaultOptions)[dial];
  }

  async #take(pending: Promise<ScanSource | Problem>): Promise<void> {
    this.#showStatus(element('p', {}, l10n.t('Listing files…')));
    const source = await pending;
    if (source.type !== 'zip' && source.type !== 'files') return this.#refuse(source);
    this.#source = source;
    this.#again.disabled = false;
    this.#scan();
  }

  #scan(): void {
    if (this.#source === undefined) return;
    this.#engine.cancel();
    this.#shown = undefined;
    this.#result.replaceChildren();
    this.#report({ stage: 'reading', done: 0, total: 0 });
    const { maxDistance } = this.#options;
    const prose = maxDistance === undefined ? {} : { maxDistance };
    this.#engine.submit({ type: 'scan', request: { source: this.#source, options: { ...this.#options, prose } } });
  }

  #receive(answer: Answer): void {
    switch (answer.type) {
      case 'scanned': {
        const { result } = answer;
        const texts = new ScannedTexts(result);
        const language = languageOfMost(result.files.map(({ path }) => path));
        const search = new SimilarSearch(texts, language, (text, of) =>
          this.#engine.submit({ type: 'find', text, language: of }),
        );
        this.#show((this.#shown = { result, texts, search }));
        return;
      }
      case 'found':
        return this.#shown?.search.show(answer.found);
      case 'refused':
        return this.#refuse(answer.problem);
      case 'failed':
        return this.#refuse(answer);
      case 'compared':
    }
  }

  #showStatus(...content: readonly HTMLElement[]): void {
    this.#drawStatus = () => undefined;
    this.#status.replaceChildren(...content);
  }

  #refuse(problem: Problem | Failure): void {
    this.#drawStatus = () => {
      const sentence = problem.type === 'failed' ? problem.message : problemText(problem);
      this.#status.replaceChildren(element('p', { class: 'verdict broken', role: 'alert' }, sentence));
      if (problem.type === 'nothing') this.#status.append(skippedList(problem.skipped));
    };
    this.#drawStatus();
  }

  #report(progress: Progress): void {
    this.#drawStatus = () => this.#drawProgress(progress);
    this.#drawStatus();
  }

  #drawProgress({ stage, done, total }: Progress): void {
    const [of, all] = [number(done), number(total)];
    const text = {
      reading: () => (total === 0 ? l10n.t('Reading files…') : l10n.t('Reading files: {0} of {1}', of, all)),
      indexing: () => l10n.t('Indexing files: {0} of {1}', of, all),
      comparing: () => l10n.t('Comparing {0}…', fileCount(total)),
    }[stage]();
    const bar = element('progress', {
      'aria-label': text,
      ...(stage !== 'comparing' && total > 0 && { max: String(total), value: String(done) }),
    });
    const label = this.#status.querySelector('.busy p');
    if (label) {
      label.textContent = text;
      this.#status.querySelector('progress')!.replaceWith(bar);
      return;
    }
    const cancel = button(l10n.t('Cancel'), { id: 'cancel' }, () => {
      this.#engine.cancel();
      this.#showStatus();
      document.getElementById('choose-folder')?.focus();
    });
    this.#status.replaceChildren(element('div', { class: 'busy' }, element('p', {}, text), bar, cancel));
  }

  #show({ result, texts, search }: ShownScan): void {
    this.#showStatus();
    for (const [dial, { show }] of this.#sliders) show(this.#valueOf(dial));
    const { findings, name } = result;
    const { lines, duplicatedLines, files } = findings.totals;
    const share = lineShare(findings.totals, document.documentElement.lang);
    const rows = pageRowsOf(findings, findings.totals, () => ({}));
    showReport(
      {
        name: name === '' ? fileCount(files) : name,
        version: '',
        root: undefined,
        address: undefined,
        headline: `${fileCount(files)} · ${l10n.t('{0} of {1} lines are duplicated ({2}).', number(duplicatedLines), number(lines), share)}`,
        complete: findings.complete,
        ...rows,
        textOf: (group, place) => {
          const [path, start, end] = rows.groups[group]!.passages.slice(3 * place, 3 * place + 3);
          return texts.lines(rows.paths[path!]!, start!, end!);
        },
      },
      this.#result,
    );
    this.#result.querySelector('header')!.after(
      element(
        'div',
        { class: 'panels' },
        result.project.file !== undefined && element('p', { class: 'quiet' }, projectText(result.project)),
        panel(l10n.t('Duplication Map'), () => mapFrame(result, (path, other) => this.#filter(path, other))),
        panel(l10n.t('Find a Text'), () => search.render()),
        result.skipped.length > 0 &&
          panel(
            l10n.t('Not compared: {0}', fileCount(result.skipped.length)),
            () => skippedList(result.skipped),
            skippedCounts(result.skipped),
          ),
      ),
    );
  }

  /** Filters the rows to those that contain one or two paths. */
  #filter(path: string, other: string | undefined): void {
    const filter = this.#result.querySelector<HTMLInputElement>('#filter');
    if (filter === null) return;
    filter.value = other === undefined ? path : `${path} ${other}`;
    filter.dispatchEvent(new Event('input'));
    filter.scrollIntoView({ block: 'start' });
    filter.focus();
  }
}

/** Returns a sentence about the folder's configuration file. It lists the parts that the page does not support. */
function projectText({ file, unused }: Project): string {
  return unused.length === 0
    ? l10n.t('The settings in {0} apply.', file!)
    : l10n.t(
        'The settings in {0} apply, except {1}, which only VS Code and the command line support.',
        file!,
        unused.join(', '),
      );
}

/** Creates a collapsed panel. Its content is created when the user expands it. */
function panel(title: string, content: () => HTMLElement, note?: string): HTMLElement {
  const summary = element('summary', {}, title, note !== undefined && element('span', { class: 'quiet' }, note));
  const details = element('details', { class: 'panel' }, summary);
  details.addEventListener('toggle', () => details.append(content()), { once: true });
  return details;
}
