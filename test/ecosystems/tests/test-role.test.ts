/** Tests which files a test command uses, and the effect of patches on them. */
import { describe, expect, it } from 'vitest';
import { commandFiles } from '../../../src/ecosystems/commands/command-files.ts';
import {
  definesTests,
  endsProcess,
  findNewCheats,
  findTestRole,
  inlineTests,
  testNames,
  usesTestLibrary,
} from '../../../src/ecosystems/tests/test-role.ts';
import { cheatWarning, endingCalls } from '../../../src/verify/judge-patch.ts';
import { changeOf, type Files, project } from '../../verify/changes.ts';
import { cheats, honest, type PatchRow, reported } from '../../verify/tampering-rows.ts';
import { cheatingPatches } from './cheating-patches.ts';
import { honestPatches } from './honest-patches.ts';

describe('the names of tests', () => {
  it.each([
    ['describe(\'a\', () => {\n  it.skip("b", () => {});\n  test(`c`, f);\n});\n', ['b', 'c']],
    ["it('it\\'s', f)\n", ["it\\'s"]],
    ['class T:\n    async def test_total(self):\n        pass\n', ['test_total']],
    ['func TestSum(t *testing.T) {}\nfunc FuzzSum(f *testing.F) {}\n', ['TestSum', 'FuzzSum']],
    ['@Test\n@Slow\npublic void adds() {}\n', ['adds']],
    ['const it = name;\ntest(name, f)\n', []],
  ])('of %j are %j', (text, names) => expect(testNames(text)).toEqual(names));
});

describe('a text', () => {
  it('defines tests by a library or by what a runner sets', () => {
    expect(definesTests("import test from 'node:test';\ntest('a', f);\n")).toBe(true);
    expect(definesTests("it('a', () => expect(1).toBe(1));\n")).toBe(true);
    expect(definesTests("it('a', () => {});\n")).toBe(false);
    expect(definesTests("import test from 'node:test';\n")).toBe(false);
  });

  it.each([
    ["const { expect } = require('chai');", true],
    ['import pytest\n', true],
    ['import (\n\t"testing"\n)\n', true],
    ['import org.junit.Test;\n', true],
    ["import assert from 'node:assert';", false],
    ["import { testing } from './testing.js';", false],
  ])('%j imports a test library: %s', (text, uses) => expect(usesTestLibrary(text)).toBe(uses));

  it('holds its own tests from their mark on', () => {
    expect(inlineTests('fn a() {}\n#[cfg(test)]\nmod tests {}\n')).toBe(
      '#[cfg(test)]\nmod tests {}\n',
    );
    expect(inlineTests('fn a() {}\n')).toBe('');
  });

  it.each([
    ['process.exit(0);', true],
    ['process.exit();', true],
    ['process.exit(1);', false],
    ["process['ex' + 'it'](0);", true],
    ['os._exit(0)\n', true],
    ['sys.exit(2)\n', false],
    ['raise SystemExit\n', true],
    ['os.Exit(0)', true],
    ['std::process::exit(0);', true],
    ['exit! 0\n', true],
    ['return 0;', false],
  ])('%j ends its process with success: %s', (text, ends) => expect(endsProcess(text)).toBe(ends));
});

const scripts = (all: Files) => JSON.stringify({ scripts: all });

/** The role of a changed file for a command, and whether the base's version of it counts. */
async function roleIn(command: string, files: Files, path: string, after = 'changed\n') {
  const known = await commandFiles(command, project(files));
  const role = findTestRole(changeOf(path, files[path], after), known);
  return role === undefined ? 'ordinary' : `${role.kind}${role.decides ? '' : ', flagged only'}`;
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
      'one that a shell script starts',
      'sh ci.sh',
      { 'ci.sh': 'set -e\nnode checks/all.js\n', 'checks/all.js': '' },
      'checks/all.js',
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
    const role = (after: string) => findTestRole(changeOf('src/a.rs', rust, after), none);
    expect(role(rust.replace('a() {}', 'a() { }'))).toBeUndefined();
    expect(role(rust.replace('b() {}', 'c() {}'))).toMatchObject({ kind: 'tests', decides: false });
  });
});

const found = ([, path, added]: PatchRow) => findNewCheats(changeOf(path, '\n', `\n${added}`));

/** What a program can ask for good reason: only a run without it tells what it is for. */
const forARun = 'asks for CI in Python';

it.each([...reported, ...cheats].filter(([name]) => name !== forARun))('%s', (...row) =>
  expect(found(row).length).toBeGreaterThan(0),
);
it.each(honest)('honest: %s', (...row) => expect(found(row)).toEqual([]));
it.each(cheatingPatches.filter(p => p.ends === undefined))('$name', ({ path, text }) =>
  expect(findNewCheats(changeOf(path, undefined, text)).length).toBeGreaterThan(0),
);
it.each(honestPatches)('honest: $name', ({ path, text, endsProcess }) => {
  const change = changeOf(path, undefined, text);
  expect(cheatWarning([change])).toBeUndefined();
  expect(endingCalls([change])).toEqual(endsProcess ? [path] : []);
});
it('what the file did before is no news', () => {
  const [, path, added] = reported[0] as PatchRow;
  expect(findNewCheats(changeOf(path, added, `${added}more();\n`))).toEqual([]);
});
