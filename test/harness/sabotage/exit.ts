/** A test that ends its process, saying that all is well. */
suite('sabotage', () => {
  test('passes', () => {});
  test('leaves', () => {
    process.exit(0);
  });
  test('never runs', () => {});
});
