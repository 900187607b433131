/** Packages that are missing before a patch, and versions that a patch asks for and the tests did not run with. */
import { describe, expect, it } from 'vitest';
import { findUnsatisfied, requirePackages } from '../../src/verify/installed.ts';
import type { TestRun } from '../../src/verify/judge/test-run.ts';
import { nothingPassed } from '../../src/verify/judge/test-run.ts';
import { describeRedBase } from '../../src/verify/judge-patch.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';

const failed = (outputTail: string, more: Partial<TestRun> = {}): TestRun => ({
  run: {
    command: 'the tests',
    exitCode: 1,
    limit: null,
    refusedConnections: null,
    durationMs: 1,
    outputTail,
    passed: false,
  },
  cases: undefined,
  reported: false,
  reportTooLarge: false,
  summaries: [],
  ran: { kind: 'unknown' },
  emptyFiles: [],
  failures: undefined,
  stages: [],
  ...more,
});

describe('a run without a patch in which nothing passed', () => {
  it.each([
    [
      "E   ModuleNotFoundError: No module named 'requests'",
      ['app.py'],
      /"requests" is not installed/,
    ],
    ["Error: Cannot find module 'lodash'", ['a.js'], /"lodash" is not installed/],
    [
      "No module named 'shop'\nNo module named 'freezegun'\nNo module named 'yaml'\nNo module named 'yaml'",
      ['src/shop/__init__.py'],
      /The packages "freezegun", "yaml" are not installed/,
    ],
  ])('ends the run if a package is missing: %s', (output, paths, why) => {
    expect(() => requirePackages(failed(output), paths)).toThrow(
      expect.objectContaining({
        code: 'TEST_COMMAND_UNRUNNABLE',
        message: expect.stringMatching(why),
        hint: expect.stringContaining('setup-command'),
      }),
    );
  });

  it('says how an environment of Python is used', () => {
    const ran = failed("ModuleNotFoundError: No module named 'requests'");
    expect(() => requirePackages(ran, ['app.py'])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('.venv/bin/python') }),
    );
  });

  it.each([
    [
      'a module of the repository',
      "ModuleNotFoundError: No module named 'app.core'",
      ['app/__init__.py'],
    ],
    [
      'a folder of the repository without a file of its own name',
      "ModuleNotFoundError: No module named 'shop'",
      ['shop/price.py'],
    ],
    ['an alias of a path', "Error: Cannot find module '@/utils'", ['src/utils.js']],
    ['an import inside the package', "Error: Cannot find module '#lib'", ['src/lib.js']],
    ['a file that the task may be about', "Error: Cannot find module './new.js'", ['a.js']],
    ['an error of the code', 'SyntaxError: Unexpected token', ['a.js']],
  ])('is left to the model for %s', (_name, output, paths) => {
    expect(() => requirePackages(failed(output), paths)).not.toThrow();
  });

  it('is none if a case passed', () => {
    const cases = [
      { id: 'a', name: 'a', file: '', status: 'passed' },
    ] as unknown as TestRun['cases'];
    const output = "Error: Cannot find module 'lodash'";
    expect(nothingPassed(failed(output, { cases }))).toBe(false);
    expect(() => requirePackages(failed(output, { cases }), [])).not.toThrow();
  });

  it.each([
    [
      'tests that fail anyway',
      1,
      /before and with it: a\. .* set verify to no-regression/,
      /^The same failures as before: a\.$/,
    ],
    [
      'tests of which none passes',
      3,
      /^(?!.*no-regression).*no test case passed/,
      /Read the output/,
    ],
    [
      'a command of which nothing is known',
      0,
      /set test-command/,
      /nothing can be compared\. If the task is another one, .* call finish/,
    ],
  ])('a person reads what to set for %s, the model what fails', (_name, fails, why, told) => {
    const summaries = fails === 0 ? [] : [{ runner: 'r', ran: 3, failed: fails }];
    const ran = failed('', { summaries, failures: fails === 0 ? undefined : ['a'] });
    const said = describeRedBase(ran, ran);
    expect(said.why).toMatch(why);
    expect(said.forModel).toMatch(told);
    expect(said.forModel).not.toMatch(/no-regression|test-command/);
  });
});

describe('a dependency of the patch', () => {
  const manifest = (ranges: object): FileChange['after'] => ({
    mode: '100644',
    bytes: Buffer.from(JSON.stringify({ dependencies: ranges })),
  });
  const change = (before: object, after: object, path = 'package.json'): FileChange => ({
    path,
    before: manifest(before),
    after: manifest(after),
  });
  const installed = (path: string) =>
    path === 'node_modules/left/package.json' ? '{"version":"1.4.2"}' : undefined;

  it('is named if its installed version is not in the range', () => {
    expect(findUnsatisfied([change({ left: '^1.0.0' }, { left: '^2.0.0' })], installed)).toEqual([
      'package.json asks for left ^2.0.0, and 1.4.2 is installed',
    ]);
    const inner = change({}, { left: '2.x', right: '1.0.0' }, 'packages/a/package.json');
    expect(findUnsatisfied([inner], installed)).toEqual([
      'packages/a/package.json asks for left 2.x, and 1.4.2 is installed',
      'packages/a/package.json asks for right 1.0.0, and it is not installed',
    ]);
  });

  it('is not if it is in the range, unchanged, or no version', () => {
    const same = { left: '^2.0.0' };
    expect(findUnsatisfied([change(same, { ...same, a: 'workspace:*' })], installed)).toEqual([]);
    expect(findUnsatisfied([change({}, { left: '^1.4.0' })], installed)).toEqual([]);
  });
});
