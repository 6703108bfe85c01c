/** Calls of a function of Node in a process that a test starts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Returns the environment of a process that records calls of a function before they begin.
 *
 * @param module  name of the function's module, such as `node:fs`
 * @param record  path of a file in an existing folder, where the process appends a line for each call
 */
export function recordingCalls(module: string, name: string, record: string): NodeJS.ProcessEnv {
  const preload = `${record}.mjs`;
  writeFileSync(
    preload,
    `
      import { appendFileSync } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import module from '${module}';
      const { ${name} } = module;
      module.${name} = (...callArguments) => {
        appendFileSync(${JSON.stringify(record)}, JSON.stringify(callArguments) + '\\n');
        return ${name}(...callArguments);
      };
      syncBuiltinESMExports();
    `,
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
}

/** Returns the arguments of each recorded call, with `null` for functions. */
export function recordedCalls(record: string): unknown[][] {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown[]);
}
