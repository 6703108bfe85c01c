/**
 * Thrown if git fails for a reason that is not a bug in this program, such as a damaged repository. The message is a
 * complete sentence.
 */
export class GitFailure extends Error {}
