/** A test whose process is killed from outside, like by the system if it is out of memory. */
suite('sabotage', () => {
  test('passes', () => {});
  test('is killed', async () => {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  });
});
