import type { RepositoryState } from '../../parquet/indexFolder.ts';
import type { Repository, RepositoryRules } from '../catalogue.ts';

/** Returns the repository of a stored state. */
export function repositoryOfState(state: RepositoryState): Repository {
  const { name, origin, commit, generation, rules, files, lines, storedAt } = state;
  return {
    name,
    origin,
    commit,
    generation,
    rules: rules as RepositoryRules,
    files,
    lines,
    storedAt: new Date(storedAt),
  };
}
