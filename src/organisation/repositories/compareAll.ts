/**
 * Finds all near-duplicates across the repositories of an index. The findings equal those of one scan with each
 * repository as a folder.
 */
import type { Findings } from '../../core/engine/report/report.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import { FinishedSteps, type Step, type StepResult } from '../folder/finishedSteps.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { type Repository, repositoryOfState } from './catalogue.ts';
import { beginEpoch } from './epoch.ts';
import { type Partitions, readDocuments } from './folderContents.ts';
import type { Method } from './method.ts';
import { type FoundSeeds, SeedSearch } from './seedSearch.ts';
import { type Matching, StoredComparison } from './storedComparison.ts';

export interface ComparedIndex {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly partitions: Partitions;
  readonly method: Method;
}

export interface Compared {
  readonly findings: Findings;
  readonly repositories: readonly Repository[];
  readonly method: Method;
}

export interface Comparing extends Matching {
  /** Called with the last finished step, if an interrupted comparison continues after it. */
  readonly onContinue?: (step: Step) => void;
}

/**
 * Compares all documents, or continues an interrupted comparison of the same documents.
 *
 * @returns undefined if the comparison is canceled
 */
export async function compareAll(
  { index, duckdb, partitions, method }: ComparedIndex,
  { onContinue, ...matching }: Comparing,
): Promise<Compared | undefined> {
  const { options } = method;
  const { monitor, documentBytes } = matching;
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  const steps = stepsOf(index, method, states);
  const finishedStep = (step: Step): StepResult | undefined => {
    const result = steps.read(step);
    if (result) onContinue?.(step);
    return result;
  };
  const matches = finishedStep('matches');
  let seeds: FoundSeeds | undefined = matches ?? finishedStep('pairs');
  if (seeds === undefined) {
    seeds = await new SeedSearch(index, duckdb, options, monitor).run(source, stored);
    if (seeds === undefined) return undefined;
    steps.write('pairs', seeds);
  }
  const { truncated } = seeds;
  if (monitor.cancelled()) return undefined;
  const idfTable = beginEpoch(index, states, { source, stored });
  const repositories = states.map(repositoryOfState);
  const compared = { source, stored, repositories, options, idfTable, truncated, documentBytes };
  const comparison = new StoredComparison(compared);
  try {
    const records = matches?.words ?? (await comparison.match(seeds.words, matching));
    if (records === undefined) return undefined;
    if (!matches) steps.write('matches', { words: records, truncated });
    const findings = await comparison.group(records, monitor);
    if (findings === undefined) return undefined;
    steps.remove();
    return { findings, repositories, method };
  } finally {
    comparison.close();
  }
}

/** Returns the finished steps of a comparison of all documents. */
export function stepsOf(index: IndexFolder, { key }: Method, states: readonly RepositoryState[]): FinishedSteps {
  return new FinishedSteps(index, idOfDocuments(key, states));
}

/**
 * Returns an id of the documents of repositories.
 *
 * @param basis  whatever else a result depends on, as JSON
 */
export function idOfDocuments(basis: unknown, states: readonly RepositoryState[]): string {
  return hash64(JSON.stringify([basis, states.map(({ name, documents }) => [name, documents])])).toString(36);
}
