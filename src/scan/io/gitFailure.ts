/**
 * Thrown if git fails for a reason outside of this program, such as a damaged repository. The message is a full
 * sentence.
 */
export class GitFailure extends Error {}
