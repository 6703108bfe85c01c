/** Error in using an index of many repositories. The message is a sentence for the user and says what to do. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}
