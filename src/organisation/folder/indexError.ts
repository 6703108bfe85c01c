/** Error of an index. Its message is a sentence for the user that contains the remedy. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}
