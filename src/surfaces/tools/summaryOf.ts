/** Fields of a duplicate in list_duplicates and get_duplicate. `similarity` is the lowest of any two copies. */
import type { Group } from '../../core/engine/report/report.ts';
import { type FileLikeness, fileLikeness, type SharedPart } from './sharedPart.ts';

export interface DuplicateSummary
  extends Pick<Group, 'id' | 'kind' | 'type' | 'similarity' | 'category' | 'worth'>, FileLikeness {
  /**
   * Id of the longest passage that the files share. Present if the duplicate consists of files that are not equal and
   * share a passage. The type, similarity, lines, and places are then those of this passage in the files.
   */
  readonly part?: string;
}

/**
 * Returns the summary of a group. Files are described by the passage that they share: the resemblance of two files of
 * different lengths says little, and whole files cannot be merged.
 */
export function summaryOf(group: Group, shared: SharedPart | undefined): DuplicateSummary {
  const { id, kind, category, worth } = group;
  const { type, similarity } = shared?.here ?? group;
  return {
    id,
    kind,
    type,
    similarity,
    category,
    worth,
    ...(shared && { part: shared.part.id, ...fileLikeness(group) }),
  };
}
