/** A third-party program that uses the library: its compilation and its expected output. */
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/project.mjs';

export const consumer = path.join(root, 'test/fixtures/library/consumer.ts');

/** JavaScript of the consumer, which imports `kindred`. */
export function consumerProgram(): string {
  return ts.transpileModule(ts.sys.readFile(consumer) ?? '', {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  }).outputText;
}

/**
 * Compiles the consumer and returns the compiler's messages.
 *
 * @param file the consumer, or a copy of it beside another installation of `kindred`
 */
export function compileConsumer(file: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
    noEmit: true,
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map((found) => `${found.file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`);
}

/** Expected output as JSON, the same on every platform. */
export const consumerPrints = [
  [5, 0, true, true],
  [[['0n', '1n']], true, 0, true, 0, 1],
  [[1, 0, 1], 1, 1, ['roses']],
  [[1 / 3, 1, 1], '2n', [[[0, 1]], [[0, 1]], [[0, 1]]]],
  [0, 1, [{ tokens: ['a'], weightInA: 3, weightInB: 3 }], 2 / 3],
  [2, 28, 2, 'a.ts'],
];
