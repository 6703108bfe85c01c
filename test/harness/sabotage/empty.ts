/** A suite that lost its tests. */
suite('sabotage', () => {});
