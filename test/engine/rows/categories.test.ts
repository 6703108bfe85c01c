/** Categories of files and groups. Chosen categories take precedence over judged ones. */
import assert from 'node:assert/strict';
import { type Category, judgeText } from '../../../src/core/engine/rows/category.ts';
import { parsing } from '../../passages.ts';
import { type Documents, findingsOf, LiveTextCorpus } from '../corpusOf.ts';

/** Checks the category of all groups and whether they are marked as tests. */
function check(
  documents: Documents,
  chosenByPath: Readonly<Record<string, Category>>,
  category: Category,
  isOfTests = category === 'tests',
): void {
  const { groups, totals } = findingsOf(documents, {}, undefined, (path) => chosenByPath[path]);
  assert.ok(groups.length > 0);
  for (const group of groups) assert.deepEqual([group.category, group.tests === true], [category, isOfTests]);
  assert.ok((totals.categories[category]?.rows ?? 0) > 0);
}

/** A table of numbers, which is data in any language. */
const table = Array.from({ length: 40 }, (_, n) => `  [${n * 7}, ${n * n}, ${1000 - n}],`).join('\n');

/** Messages of a Qt translation. */
const messages = Array.from(
  { length: 30 },
  (_, n) =>
    `    <message>\n        <source>Key ${n}</source>\n        <translation>Value ${n}</translation>\n    </message>`,
).join('\n');
const translation = `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n${messages}\n</TS>\n`;

/** A test in the form of those of Git. */
function shellTest(name: string): string {
  return `
test_expect_success '${name} is kept' '
	git init ${name} &&
	echo content >${name}/file &&
	git -C ${name} add file &&
	git -C ${name} commit -m "${name}" &&
	git -C ${name} log -1 --format=%s >actual &&
	test_cmp expect actual
'`;
}

/** A string that is longer than one token. */
const longText = 'Mozilla/5.0 (Linux; Android 11.0; Duo) AppleWebKit/537.36 (KHTML, like Gecko) Chrome Mobile Safari';

function word(n: number): string {
  return (n * 2654435761 + 97).toString(26).replace(/\d/g, 'k');
}

suite('judged categories', () => {
  /** Returns the category of a code file by its path. */
  const judged = (path: string): Category => judgeText(path, { prose: false, data: false, generated: false }).category;

  test('steps of a schema are data', () => {
    for (const path of [
      'db/migrate/20180208205311_create_messages.rb',
      'store/migration/sqlite/0.26/02__users.sql',
      'migrations/1-init.sql',
      'util/MySqlMigrations/Migrations/20210617183900_Init.cs',
      'util/Migrator/DbScripts/2017-11-06_00_Plans.sql',
      'shop/migrations/0001_initial.py',
      'src/main/resources/db/migration/V1_2__init.sql',
      'src/main/resources/db/migration/R__views.sql',
      'migrations/versions/1975ea83b712_users.py',
      'prisma/migrations/20210101120000_init/migration.sql',
      'database/migrations/2014_10_12_000000_create_users_table.php',
    ]) {
      assert.equal(judged(path), 'data', path);
    }
  });

  test('a definition and the steps that created it are data, two definitions are not', () => {
    const steps = { 'migrations/001_first.ts': parsing, 'migrations/002_second.ts': `const second = 1;\n${parsing}` };
    check({ ...steps, 'src/a.ts': parsing }, {}, 'data');
    check({ ...steps, 'src/a.ts': parsing, 'src/b.ts': parsing }, {}, 'source');
    check({ ...steps, 'src/a.ts': parsing }, { 'src/a.ts': 'source' }, 'source');
  });

  test('snapshots of tests are data, code for snapshots is source', () => {
    assert.equal(judged('tests/snapshots/report.html'), 'data');
    assert.equal(judged('src/__snapshots__/report.ts'), 'data');
    assert.equal(judged('plugins/snapshots/overlay/overlay.go'), 'source');
  });

  test('changelogs are data', () => {
    const ofText = (path: string): Category => judgeText(path, { prose: true, data: false, generated: false }).category;
    for (const path of [
      'CHANGELOG.md',
      'docs/CHANGELOG-3.1.md',
      'NEWS',
      'History.md',
      'release-notes_2.rst',
      '3_1_release_notes.md',
    ]) {
      assert.equal(ofText(path), 'data', path);
    }
    for (const path of ['docs/news/today.md', 'changes-to-make.md', 'changelogs/how-to.md']) {
      assert.equal(ofText(path), 'text', path);
    }
    assert.equal(judged('src/history.ts'), 'source');
  });

  test('code of form designers is boilerplate', () => {
    assert.equal(judged('Shop/Forms/CartForm.Designer.cs'), 'boilerplate');
    assert.equal(judged('Shop/Forms/Designer.cs'), 'source');
  });

  test('licenses are boilerplate, and so are copies in other files', () => {
    for (const path of ['LICENSE.txt', 'lib/jetty-http-9.4.58.v20250814.LICENSE.txt', 'lib/core-4.1.jar_LICENSE.txt']) {
      assert.equal(judged(path), 'boilerplate', path);
    }
    assert.equal(judged('src/check-license.ts'), 'source');
  });

  test('third-party code is boilerplate, but source if it is also in own code', () => {
    for (const path of [
      'vendor/symfony/console/Command.php',
      'cmd/vendor/golang.org/x/sys/unix/syscall.go',
      'front_end/third_party/lit/lit.ts',
      'src/3rdParty/zip.c',
      'deps/hiredis/sds.c',
      'admin/static/js/vendor/jquery.js',
      'app/gradlew.bat',
      'mvnw',
    ]) {
      assert.equal(judged(path), 'boilerplate', path);
    }
    for (const path of ['src/vendor/VendorList.tsx', 'app/Http/Controllers/Vendor/Orders.php', 'src/deps/index.ts']) {
      assert.equal(judged(path), 'source', path);
    }
    check({ 'deps/a.ts': parsing, 'deps/b.ts': parsing }, {}, 'boilerplate');
    check({ 'deps/a.ts': parsing, 'src/a.ts': parsing }, {}, 'source');
  });

  test('examples, demos, benchmarks, and fixtures are examples', () => {
    for (const path of [
      'examples/shop/cart.ts',
      'docs_src/first_steps/tutorial001.py',
      'samples/GuideApp.java',
      'demo/main.c',
      'benches/parse.rs',
      'packages/core/src/sort.bench.ts',
      'src/Button.stories.tsx',
      'test/fixtures/a.ts',
      'go/testdata/x.go',
      'docs/snippets/a.py',
      'docs/code/echo-server/main.c',
      'book/listings/ch11/src/lib.rs',
      'lib/site_template/_posts/welcome.rb',
      'conf/project_template/manage.py',
      '{{cookiecutter.name}}/src/main.py',
      'packages/create-shop/template-vue/src/App.vue',
      'packages/create-shop/templates/vue/src/App.vue',
    ]) {
      assert.equal(judged(path), 'examples', path);
    }
    for (const path of [
      'src/main/java/com/example/App.java',
      'src/audio/sample/resample.c',
      'src/tutorial/overlay.ts',
      'editor/snippets/expand.ts',
      'src/code/expand.ts',
      'src/exampleList.ts',
      'shop/templates/project/list.html',
      'src/template-editor/cursor.ts',
    ]) {
      assert.equal(judged(path), 'source', path);
    }
    assert.equal(judged('examples/shop/cart.test.ts'), 'tests');
    check({ 'examples/a.ts': parsing, 'examples/b.ts': parsing }, {}, 'examples');
    check({ 'examples/a.ts': parsing, 'examples/b.ts': parsing }, { 'examples/b.ts': 'source' }, 'source');
  });

  test('a text that only tests or examples repeat belongs to them, two such texts do not', () => {
    check({ 'src/a.ts': parsing, 'test/b.ts': parsing }, {}, 'tests', false);
    check({ 'src/a.ts': parsing, 'test/b.ts': parsing, 'examples/c.ts': parsing }, {}, 'tests', false);
    check({ 'src/a.ts': parsing, 'examples/b.ts': parsing }, {}, 'examples');
    check({ 'src/a.ts': parsing, 'src/b.ts': parsing, 'test/c.ts': parsing }, {}, 'source');
    check({ 'src/a.ts': parsing, 'test/b.ts': parsing }, { 'src/a.ts': 'source' }, 'source');
    check({ 'src/a.ts': parsing, 'test/b.ts': `${parsing}${parsing}` }, {}, 'tests', false);
  });

  test('prose is an example only outside documentation', () => {
    const ofText = (path: string): Category => judgeText(path, { prose: true, data: false, generated: false }).category;
    assert.equal(ofText('examples/shop/README.md'), 'examples');
    assert.equal(ofText('docs/examples/shop.md'), 'text');
    assert.equal(ofText('tutorial/first-steps.md'), 'text');
  });

  test('build output and generated code are boilerplate, also beside their only source', () => {
    for (const path of [
      'packages/a/dist/index.js',
      'public/assets/index-BpR3s9xQ.js',
      'static/js/main.3f2a1b9c.chunk.js',
      'api/generated/client.go',
      'src/schema.generated.ts',
    ]) {
      assert.equal(judged(path), 'boilerplate', path);
    }
    for (const path of [
      'dist/debian/rules.py',
      'src/generate/client.ts',
      'crypto/rsa_gen.c',
      'assets/foundation-motion-ui.js',
    ]) {
      assert.equal(judged(path), 'source', path);
    }
    check({ 'dist/a.js': parsing, 'src/a.js': parsing }, {}, 'boilerplate');
    check({ 'dist/a.js': parsing, 'src/a.js': parsing, 'src/b.js': parsing }, {}, 'source');
    for (const prelude of [
      '(function(){function r(e,n,t){var a=new Error("");throw a.code="MODULE_NOT_FOUND",a}return r})()({1:[',
      '(function e(t,n,r){var f=new Error("");throw f.code="MODULE_NOT_FOUND",f})({1:[',
      '(function(f){g.Foo = f()})(function(){var f=new Error("");f.code="MODULE_NOT_FOUND"})({1:[',
      '(function webpackUniversalModuleDefinition(root, factory) {',
      '/******/ (() => { // webpackBootstrap',
      '/******/ (function(modules) { // webpackBootstrap',
    ]) {
      const bundle = `${prelude}\n${parsing}`;
      check({ 'lib/a.js': bundle, 'lib/b.js': bundle }, {}, 'boilerplate');
    }
    const wrapped = `(function () {\n${parsing}// "MODULE_NOT_FOUND"\n})();\n`;
    check({ 'lib/a.js': wrapped, 'lib/b.js': wrapped }, {}, 'source');
    const compiled = `${parsing}\n//# sourceMappingURL=a.js.map\n`;
    check({ 'lib/a.js': compiled, 'lib/b.js': compiled }, {}, 'boilerplate');
    check({ 'lib/a.js': compiled, 'lib/b.js': compiled }, { 'lib/a.js': 'source' }, 'source');
  });

  test('a file is source again if it is no longer generated', () => {
    const corpus = new LiveTextCorpus({
      'lib/a.js': `${parsing}\n//# sourceMappingURL=a.js.map\n`,
      'src/a.js': parsing,
    });
    const categories = (): Category[] => [...new Set(corpus.findings().groups.map(({ category }) => category))];
    assert.deepEqual(categories(), ['boilerplate']);
    corpus.put('lib/a.js', parsing);
    assert.deepEqual(categories(), ['source']);
  });

  test('dumps of interfaces are data', () => {
    assert.equal(judged('okhttp/api/okhttp.api'), 'data');
    assert.equal(judged('okhttp/api/android/okhttp.api'), 'data');
    assert.equal(judged('service/user.api'), 'source');
  });

  test('the generator of migrations is source', () => {
    for (const path of [
      'src/migrations/runner.ts',
      'src/migration/v1/convert.go',
      'src/migrations/2fa.ts',
      'src/Migrator/Program.cs',
      'reports/2017-11-06_plans.sql',
      'migrate.py',
      'migrations/20210101_init/steps/convert/names.ts',
    ]) {
      assert.equal(judged(path), 'source', path);
    }
  });

  test('lists of known problems are data', () => {
    for (const path of ['.mypy-baseline.txt', 'api/phpstan-baseline.neon', 'config/detekt/baseline.xml']) {
      assert.equal(judgeText(path, { prose: true, data: false, generated: false }).category, 'data', path);
    }
    assert.equal(judged('src/baseline.ts'), 'source');
    assert.equal(judged('docs/baseline/rules.html'), 'source');
  });

  test('scripts in strings are code', () => {
    const steps = ['one', 'two', 'three', 'four', 'five'].map((name) => shellTest(name)).join('\n');
    const script = `#!/bin/sh\n${steps}\ntest_done\n`;
    check({ 'bin/a.sh': script, 'bin/b.sh': `other=1\n${script}` }, {}, 'source');
    check({ 't/a.sh': script, 't/b.sh': `other=1\n${script}` }, {}, 'tests');
  });

  test('values in strings are data, even with a text between them', () => {
    const rows = Array.from({ length: 20 }, (_, n) => `  ['device ${n}', '${longText} ${n}', 'mobile', ${n}],`).join(
      '\n',
    );
    const words = Array.from({ length: 40 }, (_, n) => `${word(n)}\n${word(n + 7)} ${word(n + 3)}`).join('\n');
    for (const value of [`[\n${rows}\n]`, `\`\n${words}\n\``]) {
      check({ 'a.ts': `const a = ${value};\n`, 'b.ts': `const b = ${value};\n` }, {}, 'data');
    }
  });

  test('Qt translations are data, not TypeScript', () => {
    check({ 'lang/app_de.ts': translation, 'lang/app_fr.ts': translation }, {}, 'data');
  });
});

suite('chosen categories', () => {
  const twice = { 'a.ts': parsing, 'b.ts': `const first = 1;\n${parsing}` };

  test('take precedence over judged ones', () => {
    check(twice, {}, 'source');
    check(twice, { 'a.ts': 'data', 'b.ts': 'data' }, 'data');
    check(twice, { 'a.ts': 'boilerplate', 'b.ts': 'boilerplate' }, 'boilerplate');
    check({ 'test/a.ts': parsing, 'test/b.ts': parsing }, {}, 'tests');
    check({ 'test/a.ts': parsing, 'test/b.ts': parsing }, { 'test/a.ts': 'source', 'test/b.ts': 'source' }, 'source');
  });

  test('use the first path of a group, chosen or judged', () => {
    check(twice, { 'a.ts': 'data' }, 'source');
    check(twice, { 'a.ts': 'data', 'b.ts': 'tests' }, 'tests', false);
  });

  test('take precedence over the judgment of the content', () => {
    const tables = { 'a.ts': `const a = [\n${table}\n];\n`, 'b.ts': `const b = [\n${table}\n];\n` };
    check(tables, {}, 'data');
    check(tables, { 'a.ts': 'source' }, 'source');
    // A header that occurs in many files of one name.
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}/index.ts`, parsing]));
    check(many, {}, 'boilerplate');
    check(many, { '0/index.ts': 'source' }, 'source');
  });

  test('determine which files are tests', () => {
    check(twice, { 'a.ts': 'tests', 'b.ts': 'tests' }, 'tests');
    // Data in tests is marked as tests too.
    check({ 'test/a.ts': parsing, 'test/b.ts': parsing }, { 'test/a.ts': 'data', 'test/b.ts': 'data' }, 'data', true);
  });
});
