/** Translations: each contains exactly the strings of the extension and of its manifest. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { root } from '../scripts/project.mjs';

type Strings = Readonly<Record<string, string>>;

/** Languages other than English. */
const languages = readdirSync(path.join(root, 'l10n')).map((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)![1]);

suite('translations', () => {
  let messages: readonly string[] = [];

  suiteSetup(async () => {
    // User-facing messages of the worker come from the layers below (`@vscode/l10n`).
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const scripts = sources.filter((name) => name.endsWith('.ts')).map((name) => readText(`src/${name}`));
    // Parsing the others takes most of the time.
    const named = scripts.filter((contents) => contents.includes('l10n'));
    const found = await getL10nJson(named.map((contents) => ({ extension: '.ts', contents })));
    messages = Object.keys(found);
  });

  test('there are strings and a target language', () => {
    assert.ok(messages.includes('Open Settings'));
    assert.ok(messages.includes('{0} must be a whole number from {1} to {2}, not {3}.'));
    assert.ok(languages.includes('de'));
  });

  for (const language of languages) {
    test(`${language} has every string of the code`, () => {
      const translated = readStrings(`l10n/bundle.l10n.${language}.json`);
      assert.deepEqual(differences(messages, translated), { missing: [], unused: [] });
      for (const [message, translation] of Object.entries(translated)) {
        assert.notEqual(translation.trim(), '', message);
        assert.deepEqual(placeholders(translation), placeholders(message), message);
      }
    });

    test(`${language} has every string of the manifest`, () => {
      const english = readStrings('package.nls.json');
      const translated = readStrings(`package.nls.${language}.json`);
      assert.deepEqual(differences(Object.keys(english), translated), { missing: [], unused: [] });
      for (const [key, string] of Object.entries(english)) {
        assert.deepEqual(references(translated[key]), references(string), key);
        assert.equal(translated[key].split('\n').length, string.split('\n').length, key);
      }
    });
  }
});

function differences(requiredNames: readonly string[], there: Strings): { missing: string[]; unused: string[] } {
  return {
    missing: requiredNames.filter((name) => !Object.hasOwn(there, name)),
    unused: Object.keys(there).filter((name) => !requiredNames.includes(name)),
  };
}

/** Returns the distinct placeholders such as "{0}"; a translation may repeat one. */
function placeholders(message: string): string[] {
  return [...new Set(message.match(/\{\d+\}/g))].sort();
}

/** Returns the references of a manifest string: commands, settings, URLs, code. */
function references(string: string): string[] {
  return (string.match(/command:[\w.]+|`[^`]+`|https?:[^)\s]+/g) ?? []).sort();
}

function readStrings(name: string): Strings {
  return JSON.parse(readText(name)) as Strings;
}

function readText(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}
