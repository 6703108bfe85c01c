/** A test that never gives its thread back, so that no timer of mocha's can end it. */
suite('sabotage', () => {
  test('passes', () => {});
  test('hangs', () => {
    while (performance.now() > 0);
  });
});
