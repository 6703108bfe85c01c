/** A test that blocks its thread, so that no timer of mocha can end it. */
suite('sabotage', () => {
  test('passes', () => {});
  test('hangs', () => {
    while (performance.now() > 0);
  });
});
