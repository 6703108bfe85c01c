/**
 * Renders a report as JUnit XML for build servers. Each category is a suite, and each group a test case. In a scan,
 * every group is a failure; in a check, only groups that exceed a limit are. A check against a base omits groups that
 * the base already contains.
 */
import XMLBuilder from 'fast-xml-builder';
import { categories, type Category } from '../../../core/engine/rows/category.ts';
import { printableLines } from '../../../presentation/wording/printable.ts';
import { hasBase, incompleteTitle, type ScanReport, uncomparedIn } from '../scanReport.ts';
import { type ListedEdit, editedCopies, editedMessage, editedTitle, placeName } from './edited.ts';
import { nameOf, titleOf } from './groupTitle.ts';
import { isCharged, type ListedGroup, listedGroups, type Surroundings, withoutOld } from './listed.ts';

/** Maximum number of places of a group to list. */
const maxPlaces = 50;

export function* renderJunit(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const groups = withoutOld(listedGroups(report), report);
  const suites = categories.flatMap((category) => {
    const cases = groups
      .filter(({ group }) => group.category === category)
      .map((listed) => caseOf(listed, report, surroundings));
    return cases.length > 0 ? [suiteOf(category, cases)] : [];
  });
  // Some servers reject a report without tests, so add a passed test if there is no other.
  const edited = editedCopies(report).map((one) => editedCaseOf(one, surroundings));
  if (edited.length > 0) suites.push(suiteOf('diverged', edited));
  const uncompared = uncomparedIn(report);
  if (uncompared !== undefined) suites.push(suiteOf('check', [incompleteCaseOf(uncompared, report)]));
  const all = suites.length > 0 ? suites : [suiteOf('source', [nothingCaseOf(report)])];
  const counted = (key: 'tests' | 'failures' | 'skipped'): number => all.reduce((sum, suite) => sum + suite[key], 0);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const xml = builder.build({
    testsuites: {
      ...attributes({ name: 'kindred', tests: counted('tests'), failures: counted('failures') }),
      ...attributes({ errors: 0, skipped: counted('skipped') }),
      testsuite: all.map(({ name, cases, tests, failures, skipped }) => ({
        ...attributes({ name, tests, failures, errors: 0, skipped, time: 0 }),
        testcase: cases.map(({ failure, ignored, ...own }) => ({
          ...attributes({ ...own, time: 0 }),
          ...(failure && {
            failure: { ...attributes({ message: failure.message, type: 'duplicate' }), '#text': failure.text },
          }),
          ...(ignored !== undefined && { skipped: attributes({ message: ignored }) }),
        })),
      })),
    },
  });
  yield printableLines(xml);
}

const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly line?: number;
  readonly failure?: { readonly message: string; readonly text: string } | undefined;
  /** Reason why the group does not count as a failure. */
  readonly ignored?: string | undefined;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
}

function suiteOf(category: Category | 'diverged' | 'check', cases: readonly Case[]): Suite {
  return {
    name: `kindred.${category}`,
    cases,
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    skipped: cases.filter(({ ignored }) => ignored !== undefined).length,
  };
}

/** Returns a failed test case for an edited copy, because a person must review it. */
function editedCaseOf(edited: ListedEdit, surroundings: Surroundings): Case {
  const { group, copy } = edited;
  const file = surroundings.prefix + copy.path;
  const message = editedMessage(edited, surroundings);
  return {
    name: `${editedTitle}: ${placeName(copy)} (${group.id})`,
    classname: file,
    file,
    line: copy.startLine,
    failure: { message, text: copy.diff.join('\n') },
  };
}

/** Returns a test case for files that were not compared: skipped if the check allows them, otherwise failed. */
function incompleteCaseOf(uncompared: string, { check }: ScanReport): Case {
  const message = `${uncompared}.`;
  return {
    name: incompleteTitle,
    classname: 'kindred',
    ...(check?.holds === false ? { failure: { message, text: message } } : { ignored: message }),
  };
}

function nothingCaseOf(report: ScanReport): Case {
  return { name: hasBase(report) ? 'No new near-duplicates' : 'No near-duplicates', classname: 'kindred' };
}

function caseOf({ group, primary }: ListedGroup, { check }: ScanReport, { prefix }: Surroundings): Case {
  const title = titleOf(group);
  const places = group.passages.slice(0, maxPlaces).map((passage) => prefix + nameOf(group, passage));
  if (group.passages.length > places.length) places.push(`and ${group.passages.length - places.length} more`);
  const fails = group.ignored === undefined && (check === undefined || isCharged(group));
  return {
    // Some servers merge test cases with the same name, so include the group's id.
    name: `${title} (${group.id})`,
    classname: prefix + primary.path,
    file: prefix + primary.path,
    line: primary.startLine,
    failure: fails ? { message: title, text: places.join('\n') } : undefined,
    ignored: group.ignored && (group.ignored.reason ?? 'ignored'),
  };
}

/** Prefixes the names of attributes with `@_`, as the builder requires. The builder escapes the values. */
function attributes(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@_${name}`, String(value)]));
}
