/** Reports in a sentence that a part of the program cannot be loaded. Throws other errors, which are bugs. */
export function reportLoadError(error: unknown): void {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  // Any other error, such as a syntax error, is a bug, so let Node report it.
  if (code === undefined) throw error;
  const help =
    code === 'EMFILE' || code === 'ENFILE' ? 'raise the limit, for example with ulimit -n 1024' : 'install it again';
  process.stderr.write(`kindred: the program cannot be loaded (${message}); ${help}.\n`);
  process.exitCode = 2;
}
