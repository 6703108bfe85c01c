/** Recognizes tests by the file names that test runners expect. Tests often repeat code on purpose. */

/** Returns true if the path indicates that a file contains tests or their fixtures. */
export function isTestPath(path: string): boolean {
  const folders = path.toLowerCase().split('/');
  folders.pop();
  return folders.some(isTestFolder) || isTestName(path.slice(path.lastIndexOf('/') + 1));
}

/** @param folder  name of the folder, in lowercase */
export function isTestFolder(folder: string): boolean {
  return testFolders.has(folder) || underscoredTests.test(folder) || testProjects.test(folder);
}

export function isTestName(name: string): boolean {
  return testNames.some((names) => names.test(name));
}

const testFolders: ReadonlySet<string> = new Set([
  ...[
    'test',
    'tests',
    '__tests__',
    'testing',
    'testdata',
    'test-data',
    'test_data',
    'testcases',
    'unittests',
    'unit-tests',
    'unit_tests',
  ],
  // Folder of tests in Perl, and in projects that follow Perl's convention.
  't',
  ...['spec', 'specs', 'e2e', 'fixtures', '__fixtures__', '__mocks__', '__snapshots__', 'selftests', 'kunit'],
  // Step definitions of Cucumber.
  ...['step_definitions', 'step-definitions'],
  // Source sets of Gradle.
  ...['androidtest', 'commontest', 'jvmtest', 'jstest', 'nativetest', 'integrationtest', 'functionaltest'],
]);

/** Site generators and packages skip folders with an underscore, such as docs/_tests. */
const underscoredTests = /^(?:_tests?|__test__)$/;

/** Test projects of .NET, such as Shop.Core.Test and Shop.IntegrationTests. */
const testProjects = /\.(?:unit|integration|functional|acceptance|system|automation)?\.?tests?$/;

const testNames: readonly RegExp[] = [
  // a.test.ts, a.spec.js, a-test.py, a_test.go, a_spec.rb, a_unittest.cc, a_kunit.c, and a.test-d.ts, which tests types
  /[._-](?:test|tests|spec|specs|unittest|e2e|kunit)\.\w+$/i,
  /\.test-d\.[cm]?[jt]sx?$/i,
  // test_a.py, test-a.js
  /^test[_-]/i,
  // ATest.java, ATests.cs, ATestCase.php, ASpec.scala, TestA.java
  /[a-z\d](?:Test|Tests|TestCase|TestSuite|Spec|IT)\.\w+$/,
  /^Test[A-Z]\w*\.(?:java|kt|scala|groovy|cs|php|swift)$/,
  /^conftest\.py$/,
  // Step definitions of Cucumber, and the scenarios that call them.
  /^step[_-]definitions\.\w+$/,
  /\.feature$/,
  // tests.rs of Rust modules, tests.py of Django
  /^tests\.(?:rs|py)$/,
];
