/** A test that exits its process with code 0. */
suite('sabotage', () => {
  test('passes', () => {});
  test('leaves', () => {
    process.exit(0);
  });
  test('never runs', () => {});
});
