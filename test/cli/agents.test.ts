/** `kindred init --agents`: files for coding agents in their documented shapes, added to what people wrote. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { harbour, merging, parsing } from '../passages.ts';
import { kindred, type Outcome } from './kindred.ts';

const documented = `/**\n * Parses a header into its fields. Throws for a long one.\n */\n${parsing}`;
const sources = { 'src/a.ts': documented, 'src/b.ts': `const other = 1;\n\n${parsing}`, 'README.md': 'Hello.\n' };
const helper =
  '- `parseHeader` in `src/a.ts`: `function parseHeader(input: string, limit: number): Map<string, string[]>`. ' +
  'Parses a header into its fields.';
const plugin = ['plugin.json', 'mcp.json', 'skills/kindred/SKILL.md'].map((name) => `.agents/plugins/kindred/${name}`);
const hook = { type: 'command', command: 'kindred hook', timeout: 10 };

suite('kindred init --agents', () => {
  let folder = '';
  /** Folder of a program named kindred. */
  let programs = '';
  setup(() => {
    folder = makeFolder(sources);
    programs = makeFolder({ kindred: '', 'kindred.cmd': '' });
  });
  teardown(() => {
    removeFolder(folder);
    removeFolder(programs);
  });

  const initIn = (cwd: string, path_: string, ...commandArguments: readonly string[]): Promise<Outcome> =>
    kindred(['init', '--agents', '--no-progress', ...commandArguments], { cwd, env: { PATH: path_ } });
  const withPrograms = (): string => `${programs}${path.delimiter}${process.env['PATH']}`;
  const init = (...commandArguments: readonly string[]): Promise<Outcome> =>
    initIn(folder, withPrograms(), ...commandArguments);
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const write = (name: string, text: string | Buffer): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const git = (...gitArguments: readonly string[]): string => {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    return execFileSync('git', ['-C', folder, ...who, ...gitArguments], { encoding: 'utf8' });
  };
  const done = async (...commandArguments: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await init(...commandArguments);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const refused = async (sentence: string): Promise<void> => {
    git('init', '-q');
    git('add', '--all');
    assert.deepEqual(await init(), { code: 2, stdout: '', stderr: `kindred: ${sentence}\n` });
    assert.equal(git('status', '--short', '--untracked-files=all').replaceAll(/^A .*\n/gm, ''), '');
  };

  test('creates the files of each client, and a second run in a clone changes nothing', async () => {
    const names = [
      ...['.mcp.json', '.cursor/mcp.json', '.claude/settings.json', '.github/hooks/kindred.json', '.cursor/hooks.json'],
      ...[...plugin, 'CLAUDE.md', 'AGENTS.md'],
    ];
    assert.equal(await done(), names.map((name) => `Created ${name}.\n`).join(''));
    const [mcp, cursorMcp, claude, copilot, cursor] = names.map((name): unknown =>
      name.endsWith('.json') ? JSON.parse(read(name)) : {},
    );
    assert.deepEqual(mcp, { mcpServers: { kindred: { command: 'kindred', args: ['mcp', '.'] } } });
    const inWorkspace = { command: 'kindred', args: ['mcp', '${workspaceFolder}'] };
    assert.deepEqual(cursorMcp, { mcpServers: { kindred: inWorkspace } });
    assert.equal(read('CLAUDE.md'), '@AGENTS.md\n');
    assert.deepEqual(claude, {
      hooks: {
        PostToolUse: [{ matcher: 'Write|Edit|MultiEdit', hooks: [hook] }],
        SessionStart: [{ hooks: [hook] }],
        Stop: [{ hooks: [hook] }],
      },
    });
    const copilotHook = { type: 'command', bash: 'kindred hook', powershell: 'kindred hook', timeoutSec: 10 };
    assert.deepEqual(copilot, { version: 1, hooks: { postToolUse: [copilotHook] } });
    assert.deepEqual(cursor, { version: 1, hooks: { postToolUse: [{ command: 'kindred hook', matcher: 'Write' }] } });
    const [manifest, servers] = plugin.slice(0, 2).map((name): unknown => JSON.parse(read(name)));
    const schemas = 'https://agent-plugins.org/schemas/1.0.0';
    const description = 'Avoids duplicated code and text: finds existing code before it is written again.';
    assert.deepEqual(manifest, { $schema: `${schemas}/plugin.schema.json`, name: 'kindred', description });
    // Relative to the folder of the plugin, in which clients start the server, this is the repository.
    const args = ['mcp', '${PLUGIN_ROOT}/../../..'];
    assert.deepEqual(servers, {
      $schema: `${schemas}/mcp.schema.json`,
      mcpServers: { kindred: { type: 'stdio', command: 'kindred', args } },
    });
    assert.equal(path.join(folder, path.dirname(plugin[1]), '../../..'), folder);
    assert.match(read(plugin[2]), /^---\nname: kindred\ndescription: .+\n---\n/);
    assert.ok(read('AGENTS.md').split('\n').includes(helper), read('AGENTS.md'));
    git('init', '-q');
    git('add', '--all');
    git('commit', '-q', '-m', 'agents');
    const clone = makeFolder({});
    git('clone', '-q', folder, clone);
    removeFolder(folder);
    folder = clone;
    assert.equal(await done(), 'Nothing is missing.\n');
    assert.equal(await done('--dry-run'), 'Nothing is missing.\n');
    assert.equal(git('status', '--short'), '');
  });

  test('keeps comments, other entries, and the style of a file', async () => {
    write(
      '.claude/settings.json',
      '\uFEFF{\r\n\t// Ours.\r\n\t"hooks": {\r\n\t\t// Theirs.\r\n\t\t"Stop": [{ "hooks": [] }], // last\r\n\t},\r\n}\r\n',
    );
    write('.mcp.json', '{ "mcpServers": { "copies": { "command": "npx", "args": ["-y", "kindred", "mcp"] } } }\n');
    write(
      '.github/hooks/ours.json',
      '{ "version": 1, "hooks": { "postToolUse": [{ "bash": "npx kindred hook" }] } }\n',
    );
    write(
      '.cursor/hooks.json',
      '{\n    "version": 1,\n    "hooks": {\n        "stop": [{ "command": "x" }]\n    }\n}\n',
    );
    write(plugin[2], 'Our own skill.\n');
    const servers = read('.mcp.json');
    const created = [...plugin.slice(0, 2), 'CLAUDE.md', 'AGENTS.md'].map((name) => `Created ${name}.\n`).join('');
    assert.equal(
      await done(),
      `Created .cursor/mcp.json.\nChanged .claude/settings.json.\nChanged .cursor/hooks.json.\n${created}`,
    );
    assert.equal(read(plugin[2]), 'Our own skill.\n');
    // The name of the server in .mcp.json.
    assert.match(read('AGENTS.md'), /`find_similar` of the MCP server `copies` with a draft/);
    const claude = read('.claude/settings.json');
    assert.ok(claude.startsWith('\uFEFF{\r\n\t// Ours.\r\n\t"hooks": {\r\n\t\t// Theirs.\r\n\t\t"Stop": ['), claude);
    assert.match(claude, /\/\/ last\r\n/);
    assert.match(claude, /\r\n\t\t"SessionStart": \[\r\n\t\t\t\{/);
    assert.doesNotMatch(claude, /[^\r]\n/);
    const { hooks } = parse(claude.slice(1)) as { hooks: Record<string, unknown[]> };
    assert.deepEqual(hooks['Stop'], [{ hooks: [] }, { hooks: [hook] }]);
    assert.equal(read('.mcp.json'), servers);
    assert.ok(!existsSync(path.join(folder, '.github/hooks/kindred.json')));
    assert.match(read('.cursor/hooks.json'), /\n {8}"postToolUse": \[\n {12}\{/);
    assert.equal(await done(), 'Nothing is missing.\n');
  });

  test('keeps the white space of entries on the same line', async () => {
    const mcp = '{"mcpServers":{"other":{"command":"x","args":["a","b"]}}}\n';
    write('.mcp.json', mcp);
    const stop = '    "Stop": [ {"hooks":[ ]},{ "hooks": [] } ]';
    write('.claude/settings.json', `{\n  "env": {"A":"1",  "B":"2"},\n  "hooks": {\n${stop}\n  }\n}\n`);
    await done();
    assert.equal(
      read('.mcp.json'),
      mcp.replace('}}}', '}, "kindred": { "command": "kindred", "args": ["mcp", "."] }}}'),
    );
    const settings = read('.claude/settings.json');
    const added = '{ "hooks": [{ "type": "command", "command": "kindred hook", "timeout": 10 }] }';
    assert.ok(settings.startsWith('{\n  "env": {"A":"1",  "B":"2"},\n  "hooks": {\n'), settings);
    assert.ok(
      settings.includes(`\n${stop.replace(' ]}, ', '')}`.slice(0, -2) + `, ${added} ],\n    "PostToolUse": [\n`),
      settings,
    );
  });

  test('adds a hook for the tools that an existing hook lacks', async () => {
    const settings = (matcher: string): object => ({ hooks: { PostToolUse: [{ matcher, hooks: [hook] }] } });
    const hooksAfter = async (matcher: string): Promise<unknown> => {
      write('.claude/settings.json', JSON.stringify(settings(matcher)));
      await done();
      return (parse(read('.claude/settings.json')) as { hooks: Record<string, unknown> }).hooks['PostToolUse'];
    };
    for (const [matcher, missing] of [
      ['Write', 'Edit|MultiEdit'],
      ['Bash', 'Write|Edit|MultiEdit'],
      ['Write|(', 'Write|Edit|MultiEdit'],
    ] as const) {
      const own = { matcher, hooks: [hook] };
      assert.deepEqual(await hooksAfter(matcher), [own, { matcher: missing, hooks: [hook] }]);
      assert.equal(await done(), 'Nothing is missing.\n');
    }
    for (const matcher of ['*', '', 'Edit|Write|MultiEdit', '.*(?:Edit|Write)']) {
      assert.deepEqual(await hooksAfter(matcher), [{ matcher, hooks: [hook] }]);
    }
    write(
      '.cursor/hooks.json',
      '{ "version": 1, "hooks": { "postToolUse": [{ "command": "kindred hook", "matcher": "Shell" }] } }',
    );
    write('.github/hooks/ours.json', '{ "version": 1, "hooks": { "sessionStart": [{ "bash": "npx kindred hook" }] } }');
    assert.equal(await done(), 'Changed .cursor/hooks.json.\n');
    removeFolder(path.join(folder, '.github'));
    write('.github/hooks/ours.json', '{ "version": 1, "hooks": { "sessionStart": [{ "bash": "npx kindred hook" }] } }');
    assert.equal(await done(), 'Created .github/hooks/kindred.json.\n');
  });

  test('does not repeat hooks that a user has in the personal settings', async () => {
    const personal = { hooks: { PostToolUse: [{ matcher: 'Write|Edit', hooks: [hook] }], Stop: [{ hooks: [hook] }] } };
    write('.claude/settings.local.json', JSON.stringify(personal));
    const { code, stderr } = await init();
    assert.equal(code, 0);
    assert.equal(
      stderr,
      'kindred: .claude/settings.local.json calls kindred hook for you alone; .claude/settings.json has only the ' +
        'hooks that are missing there.\n',
    );
    assert.deepEqual(JSON.parse(read('.claude/settings.json')), {
      hooks: { PostToolUse: [{ matcher: 'MultiEdit', hooks: [hook] }], SessionStart: [{ hooks: [hook] }] },
    });
    removeFolder(path.join(folder, '.claude'));
    const all = { PostToolUse: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }], SessionStart: [{ hooks: [hook] }] };
    write('.claude/settings.local.json', JSON.stringify({ hooks: all }));
    assert.equal((await init()).stdout, 'Nothing is missing.\n');
    assert.ok(!existsSync(path.join(folder, '.claude/settings.json')));
  });

  test('imports AGENTS.md into the instructions of Claude Code, unless both have texts of their own', async () => {
    write('.claude/CLAUDE.md', '# Rules\r\n');
    await done();
    assert.equal(read('.claude/CLAUDE.md'), '# Rules\r\n\r\n@../AGENTS.md\r\n');
    assert.ok(!existsSync(path.join(folder, 'CLAUDE.md')));
    assert.equal(await done(), 'Nothing is missing.\n');
    write('.claude/CLAUDE.md', '# Rules\n');
    write('AGENTS.md', `# Other rules\n\n${read('AGENTS.md')}`);
    assert.deepEqual(await init(), {
      code: 0,
      stdout: 'Nothing is missing.\n',
      stderr: 'kindred: Claude Code reads .claude/CLAUDE.md and not AGENTS.md; add the line @../AGENTS.md to it.\n',
    });
    write('.claude/CLAUDE.md', '# Rules\n\nSee AGENTS.md.\n');
    assert.equal(await done(), 'Nothing is missing.\n');
  });

  test('reports that the program is not on the PATH, unless the files call it in another way', async () => {
    const sentence = /^kindred: the files call kindred, which is not on the PATH; install it there \(npm install /;
    const { code, stderr } = await initIn(folder, path.dirname(process.execPath));
    assert.equal(code, 0);
    assert.match(stderr, sentence);
    // In a clone, nothing is missing, but the program may be.
    assert.match((await initIn(folder, '')).stderr, sentence);
    for (const name of ['.mcp.json', '.cursor/mcp.json', '.agents/plugins/kindred/mcp.json']) {
      write(name, read(name).replace('"kindred",', '"npx",').replace('["mcp"', '["kindred", "mcp"'));
    }
    for (const name of ['.claude/settings.json', '.github/hooks/kindred.json', '.cursor/hooks.json']) {
      write(name, read(name).replaceAll('"kindred hook"', '"npx kindred hook"'));
    }
    assert.deepEqual(await initIn(folder, ''), { code: 0, stdout: 'Nothing is missing.\n', stderr: '' });
  });

  test('sets up the root of the repository, or else reports that the folder is not the root', async () => {
    git('init', '-q');
    const inner = path.join(folder, 'src');
    const { stdout, stderr } = await initIn(inner, withPrograms());
    assert.match(stdout, /^Created \.mcp\.json\.\n/);
    assert.equal(
      stderr,
      `kindred: the files are in ${folder}, the root of the repository; for this folder alone, name it: kindred init ` +
        '--agents .\n',
    );
    assert.ok(read('AGENTS.md').split('\n').includes(helper), read('AGENTS.md'));
    assert.deepEqual(readdirSync(inner), ['a.ts', 'b.ts']);
    const own = await initIn(inner, withPrograms(), '.');
    assert.equal(
      own.stderr,
      `kindred: . is not the root of its repository; agents that start in ${folder} do not read the files.\n`,
    );
    assert.ok(existsSync(path.join(inner, 'AGENTS.md')));
    assert.equal(await done('.'), 'Nothing is missing.\n');
  });

  test('names the committed copy, although a new one comes before it', async () => {
    git('init', '-q');
    git('add', 'src/b.ts');
    git('commit', '-q', '-m', 'b');
    await done();
    assert.match(read('AGENTS.md'), /^- `parseHeader` in `src\/b\.ts`: .* A copy is in `src\/a\.ts`\.$/m);
  });

  test('names the copy that more files use', async () => {
    const plain = { 'src/a.ts': parsing, 'src/b.ts': `const other = 1;\n\n${parsing}` };
    for (const [name, text] of Object.entries(plain)) write(name, text);
    write('src/main.ts', "import { parseHeader } from './b.ts';\n\nconsole.log(parseHeader(text, 1));\n");
    write('src/other.ts', "import { parseHeader } from './b.ts';\n\nexport const parsed = parseHeader(text, 2);\n");
    write('src/third.ts', "import { parseHeader } from './a.ts';\n\nexport const again = parseHeader(text, 3);\n");
    await done();
    assert.match(read('AGENTS.md'), /^- `parseHeader` in `src\/b\.ts`: /m);
  });

  test('omits links, and functions whose copies a search by name does not find', async () => {
    const elsewhere = makeFolder({ 'shared.ts': documented });
    symlinkSync(path.join(elsewhere, 'shared.ts'), path.join(folder, 'src/0link.ts'));
    write('src/a.ts', parsing);
    await done();
    assert.match(read('AGENTS.md'), /^- `parseHeader` in `src\/a\.ts`: .* Copies are in `src\/0link\.ts` and 1 more/m);
    // The name is ambiguous in both files.
    const both = `${parsing}\nclass Row {\n  parseHeader() {\n    return 1;\n  }\n}\n`;
    write('src/a.ts', both);
    write('src/b.ts', both);
    await done();
    assert.doesNotMatch(read('AGENTS.md'), /parseHeader/);
    removeFolder(elsewhere);
  });

  test('lists a static method with its class', async () => {
    const inClass = (name: string): string =>
      `export class ${name} {\n  static ${parsing.replace('export function ', '').replaceAll('\n', '\n  ').trimEnd()}\n}\n`;
    write('src/a.ts', inClass('Headers'));
    write('src/b.ts', inClass('Fields'));
    await done();
    assert.match(read('AGENTS.md'), /^- `Headers\.parseHeader` in `src\/a\.ts`: /m);
  });

  test('lists functions that are assigned to constants', async () => {
    const assigned = parsing.replace(/export function (\w+)(\(.*\)): (.*) \{/, 'export const $1 = $2: $3 => {');
    assert.notEqual(assigned, parsing);
    write('src/a.ts', assigned);
    write('src/b.ts', `const other = 1;\n\n${assigned}`);
    await done();
    assert.match(read('AGENTS.md'), /^- `parseHeader` in `src\/a\.ts`: `const parseHeader = \(input: string/m);
  });

  test('lists no method that mentions its class, and no variants in a single file', async () => {
    const singleton = (name: string): string =>
      `let instance: ${name} | undefined;\n\nexport class ${name} {\n  readonly rows: string[] = [];\n\n` +
      `  static shared(options: { readonly isNew: boolean } = { isNew: false }): ${name} {\n` +
      `    const { isNew } = options;\n    if (instance === undefined || isNew) {\n      instance?.rows.splice(0);\n` +
      `      instance = new ${name}();\n      instance.rows.push('first', String(Date.now()));\n    }\n` +
      '    return instance;\n  }\n}\n';
    write('src/store.ts', singleton('ReportStore'));
    write('src/panel.ts', singleton('PanelRegistry'));
    write('src/merge.ts', `export ${merging}\nexport ${merging.replace('mergeRanges', 'mergeSpans')}`);
    await done();
    assert.doesNotMatch(read('AGENTS.md'), /shared|merge(?:Ranges|Spans)/);
    assert.match(read('AGENTS.md'), /parseHeader/);
    write('src/other.ts', `export ${merging.replace('mergeRanges', 'uniteRanges')}`);
    await done();
    assert.match(
      read('AGENTS.md'),
      /^- `merge(?:Ranges|Spans)` in .* Copies are in `src\/other\.ts` and 1 more place\.$/m,
    );
  });

  test('counts the copies that a search by name finds', async () => {
    const labels = (name: string, kind: string, keys: readonly string[]): string =>
      `export function ${name}(${kind}: Protocol.${kind}Kind): string {\n  switch (${kind}) {\n` +
      keys
        .map(
          (key) => `    case Protocol.${kind}Kind.${key}:\n      return labelOf(${kind}Texts.${key.toLowerCase()});\n`,
        )
        .join('') +
      '  }\n}\n';
    const ofStatus = labels('nameOfStatus', 'Status', [
      'Pending',
      'Running',
      'Ready',
      'Success',
      'Failure',
      'Cancelled',
    ]);
    write('src/a.ts', `const a = 97;\n\n${ofStatus}`);
    write('src/b.ts', `const b = 98;\n\n${ofStatus}`);
    const ofIssue = labels('nameOfIssue', 'Issue', ['Select', 'Option', 'Legend', 'Summary', 'Phrasing', 'Nested']);
    write('src/c.ts', `const c = 99;\n\n${ofIssue}`);
    const { stdout: found } = await kindred(['find', 'src/a.ts#nameOfStatus', '--no-progress'], { cwd: folder });
    assert.match(found, /: 1 near-duplicate\n.*src\/b\.ts/);
    const { stdout: groups } = await kindred(['scan', '--format', 'json', '--no-progress'], { cwd: folder });
    assert.match(groups, /src\/c\.ts/);
    await done();
    assert.match(read('AGENTS.md'), /^- `nameOfStatus` in `src\/a\.ts`: .* A copy is in `src\/b\.ts`\.$/m);
  });

  test('uses the comment above the overload signatures of a function', async () => {
    const overloads =
      'export function parseHeader(input: string): Map<string, string[]>;\n' +
      'export function parseHeader(\n  input: string,\n  limit: number,\n): Map<string, string[]>;\n';
    const text = documented.replace('export function', `${overloads}export function`);
    write('src/a.ts', text);
    write('src/b.ts', `const other = 1;\n\n${text}`);
    await done();
    assert.ok(read('AGENTS.md').split('\n').includes(helper), read('AGENTS.md'));
  });

  test('renews the section of helpers, and keeps the text around it', async () => {
    write('AGENTS.md', '# Rules\n\nUse tabs.');
    await done();
    write('AGENTS.md', `${read('AGENTS.md')}\nNever push.\n`);
    assert.match(
      read('AGENTS.md'),
      /^# Rules\n\nUse tabs\.\n\n<!-- kindred:begin.*\n<!-- kindred:end -->\n\nNever push\.\n$/s,
    );
    write('src/c.ts', harbour);
    write('src/d.ts', `let x = 1;\n${harbour}`);
    write('src/b.ts', '');
    assert.equal(await done(), 'Changed AGENTS.md.\n');
    assert.match(read('AGENTS.md'), /^# Rules\n\nUse tabs\.\n\n<!-- kindred:begin/);
    assert.match(read('AGENTS.md'), /<!-- kindred:end -->\n\nNever push\.\n$/);
    assert.ok(!read('AGENTS.md').includes('parseHeader'));
  });

  test('ends the signature of a Python function before its docstring, and omits a doctest', async () => {
    const python = (docstring: string): string =>
      `def read_pairs(lines, separator='=',\n               limit=100):\n    """${docstring}"""\n` +
      "    pairs = {}\n    for number, line in enumerate(lines):\n        if number >= limit or line.startswith('#'):\n" +
      '            continue\n        key, _, value = line.partition(separator)\n' +
      '        pairs.setdefault(key.strip().lower(), []).append(value.strip())\n    return pairs\n';
    write('src/a.py', python('\n    >>> read_pairs(["a=b"])\n    '));
    write('src/b.py', python('Reads pairs. Skips comments.'));
    write('src/c.py', python('\n    >>> read_pairs(["a=b"])\n    '));
    await done();
    const line = read('AGENTS.md')
      .split('\n')
      .find((one) => one.includes('read_pairs'));
    assert.match(line ?? '', /`def read_pairs\(lines, separator='=', limit=100\)`\. (?:Reads pairs\.|Copies are in )/);
  });

  test('changes the target of a link in the folder', async () => {
    write('CLAUDE.md', '# Rules\n');
    symlinkSync('CLAUDE.md', path.join(folder, 'AGENTS.md'));
    assert.match(await done(), /Changed AGENTS\.md\.\n$/);
    assert.match(read('CLAUDE.md'), /^# Rules\n\n<!-- kindred:begin/);
    assert.equal(await done(), 'Nothing is missing.\n');
  });

  test('shows a patch with --dry-run, which git can apply, and writes nothing', async () => {
    write('AGENTS.md', '# Rules\n');
    git('init', '-q');
    git('add', '--all');
    const patch = await done('--dry-run');
    assert.doesNotMatch(git('status', '--short'), /^\?\?/m);
    execFileSync('git', ['-C', folder, 'apply', '-'], { input: patch });
    assert.equal(await done(), 'Nothing is missing.\n');
    const { code, stderr } = await kindred(['init', '--dry-run'], { cwd: folder });
    assert.deepEqual([code, stderr], [2, 'kindred: --dry-run needs --agents.\n']);
  });

  const rejected: readonly [name: string, text: string | Buffer, sentence: string][] = [
    [
      '.claude/settings.json',
      '{\n  "hooks": {}\n  "env": {}\n}\n',
      '.claude/settings.json, line 3: a comma is missing before this.',
    ],
    ['.mcp.json', '[]\n', '.mcp.json must contain a single object: { … }.'],
    ['.mcp.json', '{ "mcpServers": [] }\n', '.mcp.json: mcpServers must be an object.'],
    [
      '.claude/settings.json',
      '{ "hooks": { "PostToolUse": {} } }\n',
      '.claude/settings.json: hooks.PostToolUse must be a list.',
    ],
    ['.cursor/hooks.json', Buffer.from([0x7b, 0xff, 0x7d]), '.cursor/hooks.json is not a text file; save it as UTF-8.'],
    [
      'AGENTS.md',
      '<!-- kindred:end -->\n',
      'AGENTS.md must have "<!-- kindred:begin, renewed by "kindred init --agents" -->" and, below it, ' +
        '"<!-- kindred:end -->" once each; restore them, or remove both.',
    ],
    [
      '.kindredrc.jsonc',
      '{ "minTokens": -3 }\n',
      '.kindredrc.jsonc, line 1: minTokens must be a whole number from 10 to 10000, not -3.',
    ],
  ];
  for (const [name, text, sentence] of rejected) {
    test(`changes nothing if it cannot use a file: ${sentence}`, async () => {
      write(name, text);
      await refused(sentence);
    });
  }

  test('changes nothing if a file is a link out of the folder, or the folder is missing', async () => {
    const elsewhere = makeFolder({ 'settings.json': '{}\n' });
    symlinkSync(elsewhere, path.join(folder, '.claude'));
    await refused('.claude/settings.json is a link to a place outside of the folder.');
    removeFolder(elsewhere);
    const { code, stderr } = await init('nowhere');
    assert.deepEqual([code, stderr], [2, 'kindred: there is no folder nowhere.\n']);
  });
});
