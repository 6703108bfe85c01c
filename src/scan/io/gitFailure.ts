/** Thrown if git fails without a bug here, such as in a damaged repository. The message is a sentence. */
export class GitFailure extends Error {}
