/** Tests the files that a test command uses, the summaries of runners, and the effect of patches on both. */
import { describe, expect, it } from 'vitest';
import { openBaseFiles } from '../../src/testing/commands/base-files.ts';
import { commandFiles } from '../../src/testing/commands/command-files.ts';
import { changesSetUp, repeatedSetUp } from '../../src/testing/commands/set-up.ts';
import { lostTests } from '../../src/testing/lost-tests.ts';
import { endingCalls } from '../../src/testing/patch-warnings.ts';
import { parseJest } from '../../src/testing/reports/parse-jest.ts';
import { parseJunit } from '../../src/testing/reports/parse-junit.ts';
import { parseTap } from '../../src/testing/reports/parse-tap.ts';
import { filesWithoutCases, readSummaries } from '../../src/testing/reports/run-summary.ts';
import { roleOf } from '../../src/testing/test-role.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import type { Git } from '../../src/workspace/git/git.ts';

type Files = Readonly<Record<string, string>>;

const project = (files: Files) => ({
  paths: Object.keys(files),
  has: (path: string) => Object.hasOwn(files, path),
  read: async (path: string) => files[path] ?? null,
});

const state = (text: string | undefined) =>
  text === undefined ? null : { mode: '100644' as const, bytes: Buffer.from(text) };
const changeOf = (path: string, before?: string, after?: string): FileChange => ({
  path,
  before: state(before),
  after: state(after),
});

const scripts = (all: Files) => JSON.stringify({ scripts: all });

/** The role of a changed file for a command, and whether the base's version of it counts. */
async function roleIn(command: string, files: Files, path: string, after = 'changed\n') {
  const known = await commandFiles(command, project(files));
  const role = roleOf(changeOf(path, files[path], after), known);
  return role === null ? 'ordinary' : `${role.kind}${role.decides ? '' : ', flagged only'}`;
}

describe('a file that defines tests', () => {
  const node = "import test from 'node:test';\ntest('a', () => {});\n";
  it.each<[string, string, Files, string]>([
    ['a test in the root folder', 'node --test', { 'test.js': node }, 'test.js'],
    ['a test by what is in it', 'node --test', { 'src/a.check.js': node }, 'src/a.check.js'],
    [
      'a test with the names that jest sets',
      'jest',
      { 'src/a.check.js': "describe('a', () => {\n  it('b', () => expect(1).toBe(1));\n});\n" },
      'src/a.check.js',
    ],
    [
      'a test of vitest',
      'vitest',
      { 'src/a.js': node.replace('test from', '{ test } from').replace('node:test', 'vitest') },
      'src/a.js',
    ],
    [
      'a test of unittest',
      'python3 -m unittest',
      { 'app/tests.py': 'import unittest\ndef test_a(self): pass\n' },
      'app/tests.py',
    ],
    [
      'a test of pytest',
      'pytest',
      { 'checks/a.py': 'import pytest\ndef test_a(): pass\n' },
      'checks/a.py',
    ],
    [
      'a test of Go',
      'go test ./...',
      { 'a/b.go': 'package a\nimport "testing"\nfunc TestA(t *testing.T) {}\n' },
      'a/b.go',
    ],
  ])('%s', async (_name, command, files, path) =>
    expect(await roleIn(command, files, path)).toBe('tests'),
  );

  it.each<[string, string, Files, string]>([
    [
      'a script that the command names',
      'sh scripts/run-tests.sh',
      { 'scripts/run-tests.sh': '' },
      'scripts/run-tests.sh',
    ],
    ['one that it starts', './run-tests', { 'run-tests': '#!/bin/sh\n' }, 'run-tests'],
    [
      'one of a package script',
      'npm test',
      { 'package.json': scripts({ test: 'node tools/check.js' }), 'tools/check.js': '' },
      'tools/check.js',
    ],
    [
      'one before a package script',
      'npm test',
      {
        'package.json': scripts({ pretest: 'node test-setup.cjs', test: 'x' }),
        'test-setup.cjs': '',
      },
      'test-setup.cjs',
    ],
    [
      'one of a script of a script',
      'npm run unit',
      {
        'package.json': scripts({ unit: 'npm run verify', verify: 'bash ci/test.sh' }),
        'ci/test.sh': '',
      },
      'ci/test.sh',
    ],
    [
      'one that a shell script starts',
      'sh ci.sh',
      { 'ci.sh': 'set -e\nnode checks/all.js\n', 'checks/all.js': '' },
      'checks/all.js',
    ],
    [
      'one in another folder',
      'cd web && npm test',
      { 'web/package.json': scripts({ test: 'node check.js' }), 'web/check.js': '' },
      'web/check.js',
    ],
    [
      'one in a folder after another',
      'cd web && npm test && cd ../api && corepack pnpm test',
      { 'api/package.json': scripts({ test: 'node check.js' }), 'api/check.js': '' },
      'api/check.js',
    ],
    [
      'one of a workspace',
      'npm test --workspaces',
      { 'a/package.json': scripts({ test: 'node check.js' }), 'a/check.js': '' },
      'a/check.js',
    ],
    [
      'one of a make target',
      'make test',
      { Makefile: 'test: unit\n\nunit:\n\t@sh ./check.sh\n', 'check.sh': '' },
      'check.sh',
    ],
    ['one behind a launcher', 'npx cross-env CI=1 node check.js', { 'check.js': '' }, 'check.js'],
    ['one without its extension', 'node check', { 'check.js': '' }, 'check.js'],
    ['one in a shell line', "sh -c 'node check.js'", { 'check.js': '' }, 'check.js'],
    ['a module that is started', 'python3 -m app.check', { 'app/check.py': '' }, 'app/check.py'],
    ['a file that is handed to a runner', 'mocha src/all.js', { 'src/all.js': '' }, 'src/all.js'],
    ['a file by a pattern', "mocha 'src/*.proof.js'", { 'src/a.proof.js': '' }, 'src/a.proof.js'],
    ['a new file by a pattern', "node --test 'src/*.proof.js'", {}, 'src/b.proof.js'],
    [
      'a module that is loaded before',
      'node --import ./hooks.mjs --test',
      { 'hooks.mjs': '' },
      'hooks.mjs',
    ],
    [
      'a configuration that is named',
      'vitest --config ci/vitest.mts',
      { 'ci/vitest.mts': '' },
      'ci/vitest.mts',
    ],
    [
      'a runner in node_modules',
      'npm test',
      { 'node_modules/mocha/bin/mocha.js': '' },
      'node_modules/mocha/bin/mocha.js',
    ],
    [
      'a runner in a virtual environment',
      'pytest',
      {},
      '.venv/lib/python3.11/site-packages/pytest/__init__.py',
    ],
    ['a module in place of unittest', 'python3 -m unittest', {}, 'unittest.py'],
    ['a package in place of pytest', 'pytest', {}, 'pytest/__init__.py'],
    ['a module that a runner loads', 'python3 -m unittest', {}, 'traceback.py'],
    ['what Python loads at its start', 'pytest', {}, 'sitecustomize.py'],
    ['a package of JUnit', 'mvn test', {}, 'src/main/java/org/junit/Assert.java'],
  ])('%s', async (_name, command, files, path) =>
    expect(await roleIn(command, files, path)).toBe('means'),
  );

  it.each<[string, string, Files, string]>([
    [
      'a build that runs before the tests',
      'npm test',
      { 'package.json': scripts({ pretest: 'node build.js', test: 'x' }), 'build.js': '' },
      'build.js',
    ],
    [
      'a helper that works with a test library',
      'vitest',
      { 'src/render.tsx': "import { render } from '@testing-library/react';\n" },
      'src/render.tsx',
    ],
    ['a helper by its name', 'vitest', { 'src/test-utils.ts': '' }, 'src/test-utils.ts'],
    ['how the source is compiled', 'npm test', { 'tsconfig.json': '{}' }, 'tsconfig.json'],
    ['how the source is transformed', 'jest', { 'babel.config.js': '' }, 'babel.config.js'],
    ['a build of CMake', 'ctest', { 'CMakeLists.txt': '' }, 'CMakeLists.txt'],
  ])('is looked at, where it may be needed: %s', async (_name, command, files, path) =>
    expect(await roleIn(command, files, path)).toBe('means, flagged only'),
  );

  it.each<[string, string, Files, string]>([
    ['source', 'node --test', { 'src/a.js': '' }, 'src/a.js'],
    [
      'source that a compiler is given',
      'cc -o app src/app.c && ./app',
      { 'src/app.c': '' },
      'src/app.c',
    ],
    [
      'source that a Makefile compiles',
      'make test',
      {
        Makefile: 'test: app\n\t./app --test\n\napp: src/app.c\n\tcc -c src/app.c -o app\n',
        'src/app.c': '',
      },
      'src/app.c',
    ],
    [
      'source that is checked first',
      'node --check src/a.js && node --test',
      { 'src/a.js': '' },
      'src/a.js',
    ],
    [
      'source that is linted first',
      'eslint src/a.js && node --test',
      { 'src/a.js': '' },
      'src/a.js',
    ],
    ['source that is searched', "grep -q 'x' src/a.js", { 'src/a.js': '' }, 'src/a.js'],
    [
      'source that uses assert',
      'node --test',
      { 'src/a.js': "import assert from 'node:assert';\n" },
      'src/a.js',
    ],
    [
      'source with a word like a test',
      'node --test',
      { 'src/latest.js': '', 'src/contest.js': '' },
      'src/latest.js',
    ],
    ['a specification', 'node --test', { 'src/spec-parser.js': '' }, 'src/spec-parser.js'],
    [
      'another make target',
      'make test',
      { Makefile: 'test:\n\tnode --test\n\nrelease:\n\tsh release.sh\n', 'release.sh': '' },
      'release.sh',
    ],
    ['a module of a package that is called like one of Python', 'pytest', {}, 'app/types.py'],
    ['a module that was always there', 'pytest', { 'types.py': '' }, 'types.py'],
    ['a document', 'npm test', { 'docs/testing.md': '' }, 'docs/testing.md'],
    [
      'a script of a package that nothing runs',
      'npm test',
      { 'package.json': scripts({ test: 'x', release: 'node release.js' }), 'release.js': '' },
      'release.js',
    ],
  ])('is ordinary: %s', async (_name, command, files, path) =>
    expect(await roleIn(command, files, path)).toBe('ordinary'),
  );

  it('Rust keeps its tests in the source: only a change of them counts', () => {
    const none = { started: new Set<string>(), isNamed: () => false };
    const rust = 'fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n';
    const role = (after: string) => roleOf(changeOf('src/a.rs', rust, after), none);
    expect(role(rust.replace('a() {}', 'a() { }'))).toBeNull();
    expect(role(rust.replace('b() {}', 'c() {}'))).toMatchObject({ kind: 'tests', decides: false });
  });
});

describe('summaries of runners', () => {
  it.each<[string, string, string, number, number]>([
    [
      'node:test',
      'node:test',
      'ℹ tests 4\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\n',
      3,
      2,
    ],
    [
      'node:test as TAP',
      'node:test',
      '# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n',
      2,
      1,
    ],
    [
      'vitest',
      'vitest',
      ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 3 skipped (6)\n',
      3,
      1,
    ],
    [
      'vitest in colours',
      'vitest',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m2 passed\u001b[39m\u001b[22m\u001b[90m (2)\u001b[39m\n',
      2,
      0,
    ],
    [
      'jest',
      'jest',
      'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n',
      3,
      1,
    ],
    ['mocha', 'mocha', '  2 passing (5ms)\n  1 pending\n  1 failing\n', 3, 1],
    ['pytest', 'pytest', '=== 1 failed, 2 passed, 1 skipped in 0.71s ===\n', 3, 1],
    ['pytest, quiet', 'pytest', '2 passed in 0.01s\n', 2, 0],
    [
      'unittest',
      'unittest',
      'Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n',
      3,
      2,
    ],
    ['cargo', 'cargo', 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n', 2, 1],
    ['maven', 'maven', '[INFO] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n', 3, 2],
    ['rspec', 'rspec', '3 examples, 1 failure, 1 pending\n', 2, 1],
    ['minitest', 'minitest', '3 runs, 5 assertions, 1 failures, 1 errors, 1 skips\n', 2, 2],
  ])('%s', (_name, runner, output, ran, failed) =>
    expect(readSummaries(output)).toEqual([{ runner, ran, failed }]),
  );

  it.each([
    [
      'a file of node:test',
      '✔ one (1ms)\n✖ test/a.test.js (3ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n',
      1,
    ],
    [
      'a file of node:test as TAP',
      'ok 1 - one\nnot ok 2 - test/a.test.js\n# tests 2\n# pass 1\n# fail 1\n',
      1,
    ],
    [
      'a hook of mocha',
      '  ✔ one\n  1) "after all" hook for "one"\n\n  1 passing (5ms)\n  1 failing\n',
      1,
    ],
    ['a fixture of pytest', '2 passed, 1 error in 0.1s\n', 2],
  ])('a failure that is no case is not counted as one: %s', (_name, output, ran) =>
    expect(readSummaries(output)).toMatchObject([{ ran, failed: 1 }]),
  );

  it('output of the program is not a summary', () => {
    const said = 'tests 2\n2 passed\nTests are fine\nRan away in 2s\n12 passing cars\nOK\n';
    expect(readSummaries(said)).toEqual([]);
  });

  it('an error of pytest is a failure', () =>
    expect(readSummaries('== 1 error in 0.1s ==\n')).toMatchObject([{ ran: 0, failed: 1 }]));

  it('one after another', () =>
    expect(
      readSummaries('  2 passing (5ms)\n\nRan 1 test in 0.1s\n\nOK\n').map(s => s.runner),
    ).toEqual(['mocha', 'unittest']));

  it('files that node:test reports as one passed case', () => {
    const output =
      '✔ test/a.test.js (40.4ms)\n✔ adds a.js (1ms)\n✖ test/b.test.js (3ms)\nok 3 - c.test.mjs\n  ✔ d.js (1ms)\n';
    expect(filesWithoutCases(output)).toEqual(['test/a.test.js', 'c.test.mjs']);
  });
});

describe('calls that end a process', () => {
  it.each([
    'process.exit(0)',
    'process.exit()',
    'process.reallyExit(1)',
    "process['exit'](0)",
    'process.kill(process.pid)',
    'process.exitCode = 0',
    'os._exit(0)',
    'from os import _exit',
    'sys.exit()',
    'raise SystemExit',
    'atexit.register(f)',
    'syscall.Exit(0)',
    'System.exit(0);',
    'std::process::exit(0)',
    'exit!',
    'Deno.exit(0)',
  ])('%s', line =>
    expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual(['src/a']),
  );
  it.each([
    'process.exit(1)',
    'sys.exit(main())',
    'System.exit(2);',
    'onExit()',
    'process.env.X',
    'exitCode = 1',
  ])('not %s', line => expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual([]));
  it('not an existing one, and not one in a document', () => {
    expect(endingCalls([changeOf('a.js', 'process.exit(0)\n', 'process.exit(0)\nb\n')])).toEqual(
      [],
    );
    expect(endingCalls([changeOf('a.md', '', 'process.exit(0)\n')])).toEqual([]);
  });
});

describe('texts that are crafted to be slow to parse', () => {
  const many = 300_000;
  it.each([
    ['a long word below @Test', `${'@Test\n'.repeat(50)}${'a'.repeat(many)}`],
    ['empty lines', '\n'.repeat(many)],
    ['blank lines', ' \t\n'.repeat(many)],
    ['open quotes', "test('".repeat(many)],
    ['imports on one line', 'from os import '.repeat(many / 10)],
    ['spaces', `process${' '.repeat(many)}`],
  ])('%s', (_name, text) => {
    expect(lostTests([changeOf('a.test.js', text, '')], 'x').names.length).toBeLessThan(many);
    expect(endingCalls([changeOf('src/a', '', text)])).toEqual([]);
  });
});

describe('lost tests', () => {
  const two = "test('one', () => {});\nit('the \"second\"', () => {});\n";
  it.each<[string, string, string | undefined, string, readonly string[], boolean]>([
    ['one', two, "test('one', () => {});\n", 'x', ['the "second"'], false],
    [
      'one that the task names',
      two,
      "test('one', () => {});\n",
      'Drop The "second".',
      ['the "second"'],
      true,
    ],
    [
      'a file that the task names',
      two,
      undefined,
      'Delete a.test.js.',
      ['one', 'the "second"'],
      true,
    ],
    ['two, of which the task names one', two, '', 'Drop one.', ['one', 'the "second"'], false],
    ['one of two by one name', "test('a')\ntest('a')\n", "test('a')\n", 'x', ['a'], false],
    ['none', two, `${two}test('three')\n`, 'x', [], false],
    ['of Python', 'def test_a(self):\n    pass\n', 'pass\n', 'x', ['test_a'], false],
    ['of Go', 'func TestA(t *testing.T) {}\n', '\n', 'x', ['TestA'], false],
  ])('%s', (_name, before, after, task, names, requested) =>
    expect(lostTests([changeOf('test/a.test.js', before, after)], task)).toEqual({
      names,
      requested,
    }),
  );
  it('not one that moved to another file', () =>
    expect(
      lostTests([changeOf('a.test.js', two, ''), changeOf('b.test.js', undefined, two)], 'x').names,
    ).toEqual([]));
});

describe('reports of millions of elements are bounded', () => {
  const many = 3_000_000;
  it.each<[string, () => unknown]>([
    ['TAP', () => parseTap(`${'ok\n'.repeat(many)}1..3`)],
    ['lines', () => parseTap('a\n'.repeat(many))],
    ['JSON', () => parseJest(`{"testResults":[{"assertionResults":[${'{},'.repeat(many)}{}]}]}`)],
    ['JSON files', () => parseJest(`{"testResults":[${'0,'.repeat(many)}0]}`)],
    ['JUnit', () => parseJunit(`<testsuites>${'<a/>'.repeat(2_000_000)}</testsuites>`)],
    ['JUnit cases', () => parseJunit(`<testsuite>${'<testcase/>'.repeat(200_000)}</testsuite>`)],
    ['characters', () => parseJunit(`<testsuite>${' '.repeat(10_000_000)}</testsuite>`)],
  ])('%s', async (_name, read) => expect(await read()).toBe('too-large'));
  it('titles of one case are bounded', () => {
    const titles = `["a",${'0,'.repeat(many)}"b"]`;
    const text = `{"testResults":[{"assertionResults":[{"status":"passed","title":"t","ancestorTitles":${titles}}]}]}`;
    expect(parseJest(text)).toEqual([{ id: 'a > t', status: 'passed' }]);
  });
  it('a hundred thousand cases are read', () =>
    expect(parseTap(`${'ok - a\n'.repeat(100_000)}1..100000`)).toHaveLength(100_000));
});

describe('a set-up', () => {
  const nothing = {
    files: { started: new Set<string>(), isNamed: () => false },
    installsRunScripts: false,
  };
  it.each([
    ['npm ci', ''],
    ['npm ci --ignore-scripts', ''],
    ['npm ci && npm run build', 'npm run build'],
    ['corepack pnpm install --frozen-lockfile && pnpm build', 'pnpm build'],
    ['pip install -r requirements.txt', ''],
    ['pip install .', 'pip install .'],
    ['apt-get update\napt-get install -y make\nmake', 'make'],
    ['make deps', 'make deps'],
    ['npm ci || yarn', 'npm ci || yarn'],
    ['cp a b && npm ci && npm run build', 'cp a b && npm run build'],
    ["python3 -m pip install -r requirements.txt -e '.[test]' --group dev pytest", ''],
    [
      'python3 -m pip install -r requirements.txt ./own',
      'python3 -m pip install -r requirements.txt ./own',
    ],
    ['uv sync --frozen --all-packages --extra test --group docs', ''],
    ['cd web && npm ci && cd ../api && go mod download', ''],
    ['cd web && npm ci && npm run build', 'cd web && npm run build'],
  ])('after %s: %s', (command, again) => expect(repeatedSetUp(command, nothing, [])).toBe(again));
  it('an installation that runs scripts of the project is repeated', () =>
    expect(repeatedSetUp('npm ci', { ...nothing, installsRunScripts: true }, [])).toBe('npm ci'));
  it.each([
    ['npm ci', 'src/price.js', ''],
    ['npm ci', 'package-lock.json', 'npm ci'],
    ['npm ci', 'src/addon.cc', 'npm ci'],
    ['pip install -e .', 'src/parse.pyx', 'pip install -e .'],
    ['go mod download', 'main.go', ''],
  ])('%s, after a change of %s: %s', (command, path, again) =>
    expect(repeatedSetUp(command, nothing, [changeOf(path, 'a', 'b')])).toBe(again),
  );

  it.each([
    'package.json',
    'package-lock.json',
    'requirements.txt',
    'setup.py',
    'pyproject.toml',
    'web/yarn.lock',
    'Makefile',
    '.yarnrc.yml',
    'scripts/prepare.sh',
  ])('reads %s', async path => {
    const files = await commandFiles(
      'sh scripts/prepare.sh',
      project({ 'scripts/prepare.sh': '' }),
    );
    expect(changesSetUp(changeOf(path, 'a', 'b'), { ...nothing, files })).toBe(true);
  });
  const prepare = '{"scripts":{"prepare":"tsc"}}';
  it.each([
    [true, 'npm ci', { 'package.json': prepare }],
    [
      false,
      'npm ci',
      { 'package.json': '{"scripts":{"test":"x"}}', 'examples/package.json': prepare },
    ],
    [true, 'npm ci', { 'package.json': '{"workspaces":["a"]}', 'a/package.json': prepare }],
    [true, 'pnpm install', { 'pnpm-workspace.yaml': '', 'a/package.json': prepare }],
    [true, 'cd a && npm ci', { 'a/package.json': prepare }],
    [true, 'yarn', { 'package.json': '{"dependencies":{"a":"file:./a"}}' }],
    [true, 'composer install', { 'composer.json': '{"scripts":{"post-install-cmd":"x"}}' }],
    [false, 'go mod download', { 'package.json': prepare }],
  ])('runs scripts of the project (%s): %s', async (isTrue, setupCommand, texts) => {
    const entries = Object.keys(texts).map(path => [path, { mode: '100644', oid: path }] as const);
    const read = async (path: string) =>
      Buffer.from(new Map(Object.entries(texts)).get(path) ?? '');
    const git = { tree: 't', entriesOf: async () => new Map(entries), read } as unknown as Git;
    const { setUpFiles } = openBaseFiles(git, { command: '', setupCommand });
    expect((await setUpFiles()).installsRunScripts).toBe(isTrue);
  });
  it('reads no source', () =>
    expect(changesSetUp(changeOf('src/price.js', 'a', 'b'), nothing)).toBe(false));
});
