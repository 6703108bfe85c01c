/** Logistic regression for benches that fit a score to labels. */

/**
 * Fits by Newton's method with an L2 penalty. Returns the bias and a weight for each feature.
 *
 * @param {readonly (readonly number[])[]} features  values of the features of each example
 * @param {readonly boolean[]} labels
 * @param {number} ridge  strength of the penalty for standardized features, in examples
 * @returns {readonly number[]}
 */
export function fit(features, labels, ridge) {
  const count = features[0]?.length ?? 0;
  const columns = Array.from({ length: count }, (_, i) => features.map((x) => Number(x[i])));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length);
  const spreads = columns.map((column, i) =>
    Math.sqrt(column.reduce((sum, value) => sum + (value - Number(means[i])) ** 2, 0) / column.length),
  );
  const xs = features.map((x) => [1, ...x.map((value, i) => (value - Number(means[i])) / Number(spreads[i]))]);
  const size = count + 1;
  let weights = Array.from({ length: size }, () => 0);
  for (let step = 0; step < 12; step++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight));
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j && i > 0 ? ridge : 0)));
    for (const [at, x] of xs.entries()) {
      const p = probability(dot(weights, x));
      for (let i = 0; i < size; i++) {
        gradient[i] += (Number(labels[at]) - p) * x[i];
        for (let j = 0; j < size; j++) hessian[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + change[i]);
  }
  const scaled = weights.slice(1).map((weight, i) => weight / spreads[i]);
  return [weights[0] - dot(scaled, means), ...scaled];
}

/** @param {number} score */
export function probability(score) {
  return 1 / (1 + Math.exp(-score));
}

/**
 * Returns the score of an example.
 *
 * @param {readonly number[]} weights  result of `fit`
 * @param {readonly number[]} features
 */
export function scoreOf([bias = NaN, ...weights], features) {
  return bias + dot(weights, features);
}

/**
 * Returns the probability that a positive example has a higher score than a negative one; 1 if there are no such pairs.
 *
 * @param {readonly number[]} scores
 * @param {readonly boolean[]} labels
 */
export function areaUnderCurve(scores, labels) {
  let [won, pairs] = [0, 0];
  for (const [i, score] of scores.entries()) {
    for (const [j, other] of scores.entries()) {
      if (!labels[i] || labels[j]) continue;
      pairs++;
      won += score > other ? 1 : score === other ? 0.5 : 0;
    }
  }
  return pairs === 0 ? 1 : won / pairs;
}

/**
 * @param {readonly number[]} x
 * @param {readonly number[]} y
 */
function dot(x, y) {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

/**
 * Solves a system of linear equations by Gaussian elimination.
 *
 * @param {readonly number[][]} matrix  positive definite
 * @param {readonly number[]} right
 */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      const factor = rows[j][i] / rows[i][i];
      for (let k = i; k <= size; k++) rows[j][k] -= factor * rows[i][k];
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let i = size - 1; i >= 0; i--) {
    const solvedPart = dot(solution.slice(i + 1), rows[i].slice(i + 1, size));
    solution[i] = (rows[i][size] - solvedPart) / rows[i][i];
  }
  return solution;
}
