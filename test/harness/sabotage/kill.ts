/** A test whose process is killed from outside, as when memory runs out. */
suite('sabotage', () => {
  test('passes', () => {});
  test('is killed', async () => {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  });
});
