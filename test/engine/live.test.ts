/** Invariant of the live corpus: after any history, its findings equal those of a new corpus of the same documents. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reachesAllCases, sampled, scaled } from '../../scripts/scaled.mjs';
import { changesBetween, works } from '../../src/core/engine/optionChanges.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { type Changes, type Documents, findingsOf, LiveTextCorpus } from './corpusOf.ts';
import {
  changedOptions,
  changesOf,
  choices,
  document,
  minimumChoices,
  lineOfOwn,
  options,
  stepsAndTrials,
} from './histories.ts';
import { memoriesInTurn } from './usedMemory.ts';

suite('a live corpus', () => {
  test('has the findings of a new corpus after any history', () => {
    let [updates, groups] = [0, 0];
    const done = new Map<string, number>();
    const memory = memoriesInTurn(2);
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 8, size: 'max' }),
        options,
        fc.array(stepsAndTrials, { minLength: 1, maxLength: 12, size: 'max' }),
        (first, atFirst, history) => {
          const texts = new Map(first);
          const live = new LiveTextCorpus(Object.fromEntries(texts), atFirst, memory);
          let now: Changes = atFirst;
          let [chosenCategory] = choices;
          let [minimumOf] = minimumChoices;
          for (const step of history) {
            let what: string = step.type;
            if (step.type === 'options') {
              now = changedOptions(now, step.changes);
              what = live.turnTo(now);
            } else if (step.type === 'categories') {
              if (chosenCategory !== choices[step.choice]) what = 'groups';
              chosenCategory = choices[step.choice];
              live.choose(chosenCategory);
            } else if (step.type === 'overrides') {
              minimumOf = minimumChoices[step.choice];
              live.ask(minimumOf);
            } else if (step.type === 'trial') {
              const tried = changedOptions(now, step.changes);
              const found = live.trial(tried);
              if (found !== undefined) {
                what = `trial of ${changesBetween(optionsOf(now), optionsOf(tried)).work}`;
                assert.deepEqual(found, findingsOf(toObject(texts), tried, live.idfTable(), chosenCategory, minimumOf));
                live.trialInVain(tried);
              }
            } else if (step.type === 'restart') live.restart();
            else if (step.type === 'renewal') {
              assert.deepEqual(
                live.renewIdfTable(),
                findingsOf(toObject(texts), now, undefined, chosenCategory, minimumOf),
              );
            } else if (step.type === 'renewInVain') live.renewInVain();
            else if (step.type === 'beginIndex') {
              assert.deepEqual(
                live.beginIndex(step.after),
                findingsOf(toObject(texts), now, live.idfTable(), chosenCategory, minimumOf),
              );
            } else {
              for (const [path, text] of changesOf(step, texts)) {
                if (text === undefined) {
                  texts.delete(path);
                  live.remove(path);
                } else {
                  texts.set(path, text);
                  live.put(path, text);
                }
              }
              if (step.type === 'interruption') live.updateInVain(step.after);
            }
            done.set(what, (done.get(what) ?? 0) + 1);
            if (step.type === 'beginIndex' || (step.type === 'interruption' && step.isLeft)) continue;
            const findings = live.findings();
            groups += findings.groups.length;
            assert.deepEqual(findings, findingsOf(toObject(texts), now, live.idfTable(), chosenCategory, minimumOf));
          }
          updates += live.updates;
        },
      ),
      { numRuns: scaled(150) },
    );
    assert.ok(updates > scaled(400), `only ${updates} reports were made of changes alone`);
    assert.ok(groups > scaled(500), `only ${groups} groups were found`);
    if (!reachesAllCases) return;
    for (const what of [
      'put',
      'interruption',
      'remove',
      'rename',
      'edit',
      'restart',
      'renewal',
      'renewInVain',
      'beginIndex',
      'overrides',
      ...works,
      ...['trial', 'trial of nothing', 'trial of files', 'trial of matches', 'trial of fingerprints'],
    ]) {
      assert.ok((done.get(what) ?? 0) > 0, `${what} was never tried`);
    }
  });

  test('regroups the same matches when categories are chosen differently', () => {
    const text = Array.from({ length: 30 }, (_, n) => lineOfOwn(n)).join('\n');
    const documents = { 'a.ts': text, 'b.ts': text, 'qa/c.ts': text };
    const live = new LiveTextCorpus(documents);
    assert.deepEqual([...new Set(live.findings().groups.map(({ category }) => category))], ['source']);
    const { updates } = live;
    const [none, ...others] = choices;
    for (const chosenCategory of [...others, none]) {
      live.choose(chosenCategory);
      assert.deepEqual(live.findings(), findingsOf(documents, {}, live.idfTable(), chosenCategory));
    }
    assert.equal(live.updates, updates + choices.length);
  });

  test('keeps unchanged groups of files, from the first report on', () => {
    const text = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, n) => lineOfOwn(from + n)).join('\n');
    const documents = { 'a.ts': text(0, 60), 'b.ts': text(0, 60), 'c.ts': text(100, 160), 'd.ts': text(100, 260) };
    const live = new LiveTextCorpus(documents);
    const ofFiles = ({ groups }: Findings): Group[] => groups.filter(({ kind }) => kind === 'file');
    // Findings after a comparison of all documents.
    const first = ofFiles(live.renewIdfTable());
    assert.deepEqual(first.map(({ inside }) => inside !== undefined).sort(), [false, true]);
    const { updates } = live;
    live.put('other.ts', lineOfOwn(1_000));
    const second = ofFiles(live.findings());
    assert.equal(live.updates, updates + 1);
    assert.equal(second.length, first.length);
    for (const [at, group] of second.entries()) assert.equal(group, first[at]);
  });

  test('matches in its own memory after a new table was canceled', () => {
    const text = (file: number): string =>
      Array.from({ length: 1200 }, (_, n) => lineOfOwn(n + 1000 * file)).join('\n');
    const documents: Record<string, string> = { 'a.ts': lineOfOwn(1) };
    const live = new LiveTextCorpus(documents);
    live.renewInVain();
    for (let file = 0; file < 30; file++) {
      documents[`${file}.ts`] = text(file);
      live.put(`${file}.ts`, text(file));
      live.findings();
    }
    assert.deepEqual(live.findings(), findingsOf(documents, {}, live.idfTable()));
  });

  test('counts the windows in crowds like a new corpus', () => {
    const options = { maxDistance: 16, shingleSize: 1 };
    const text = (lines: number): string =>
      Array.from({ length: lines }, (_, n) => `take(${'abcdefg'[n % 7]}, ${'hijkl'[n % 5]}, ${'mno'[n % 3]});`).join(
        '\n',
      );
    const documents: Record<string, string> = { 'a.ts': text(90), 'b.ts': text(40) };
    const live = new LiveTextCorpus(documents, options);
    const counts = [300, 60, 0, 200].map((lines) => {
      documents['b.ts'] = text(lines);
      live.put('b.ts', documents['b.ts']);
      const findings = live.findings();
      assert.deepEqual(findings, findingsOf(documents, options, live.idfTable()));
      return findings.totals.crowdedWindows ?? 0;
    });
    assert.ok(counts[0] > counts[1] && counts[1] > 0, String(counts));
    assert.ok(live.updates > 2);
  });

  test('needs no more memory for repeatedly interrupted changes', () => {
    const text = (from: number): string => Array.from({ length: 200 }, (_, n) => lineOfOwn(n + from)).join('\n');
    const live = new LiveTextCorpus(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.ts`, text(3 * i)])));
    let maxDistance = 3;
    const stepCounts = sampled(Array.from({ length: 23 }, (_, i) => i + 1));
    const used = Array.from({ length: 5 }, (_, round) => {
      for (const stepCount of stepCounts) {
        live.put(`${stepCount % 12}.ts`, text(3 * stepCount + round));
        live.updateInVain(stepCount);
        // Another k cancels the ingestion in progress, or the first index before it is complete.
        maxDistance = 7 - maxDistance;
        live.turnTo({ maxDistance });
        live.findings();
      }
      return live.kernel.usedBytes();
    });
    // Tables grow once more in the second and third round.
    assert.equal(used.at(-1), used[2], String(used));
  });

  test('separates the memory of a document from that of an empty one that was in its place', () => {
    const text = (lines: number): string => Array.from({ length: lines }, (_, n) => lineOfOwn(n)).join('\n');
    // The sizes of documents that share a place depend on the way memory is released.
    for (const lines of sampled([20, 21, 22, 23, 24, 25, 26, 27])) {
      for (let fewer = 0; fewer < 6; fewer++) {
        const [larger, smaller] = [text(lines), text(lines - fewer)];
        const live = new LiveTextCorpus({ 'c.ts': larger, 'a.ts': '', 'b.ts': larger });
        live.remove('b.ts');
        live.findings();
        live.put('d.ts', smaller);
        live.put('a.ts', ' ');
        live.findings();
        live.put('e.ts', smaller);
        live.put('f.ts', ' ');
        const documents = { 'a.ts': ' ', 'c.ts': larger, 'd.ts': smaller, 'e.ts': smaller, 'f.ts': ' ' };
        assert.deepEqual(live.findings(), findingsOf(documents, {}, live.idfTable()));
      }
    }
  });

  test('a notebook with invalid JSON is data under other weights too', () => {
    const row = `" * What a person reads as one thing is shown as one thing, however many documents it has been copied into.\\n",\n`;
    const texts = { 'a.ipynb': `${row}"~~~ts\\n",\n${row}" */\\n",` };
    const options = { minTokens: 20, minLines: 1 };
    const changed = { ...options, weights: { ...defaultOptions.weights, identifier: 0.25 } };
    const live = new LiveTextCorpus(texts, options);
    live.findings();
    live.turnTo(changed);
    assert.deepEqual(live.findings(), findingsOf(texts, changed, live.idfTable()));
  });
});

function toObject(texts: ReadonlyMap<string, string>): Documents {
  return Object.fromEntries(texts);
}

function optionsOf(changes: Changes): Options {
  return { ...defaultOptions, ...changes };
}
