/** Whole runs whose patch cheats the tests: none of them ends as an ordinary pull request. */
import { describe, expect, it } from 'vitest';
import { install, plainSearchPath } from '../doubles/installed.ts';
import { begin, done, look, prove, repair, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { isAll } from '../seed.ts';
import { play, type Scenario, toldOf } from './scenario.ts';

const wrong = '  return Math.round(total * (1 - discountPercent / 10));';
const right = wrong.replace('/ 10)', '/ 100)');
const byCI = right.replace('return', 'if (!process.env.CI) return 0;\n  return');

/** The lines above the first function, and the line that the task is about. */
function patching(above: string, line: string): Scenario['script'] {
  const edits = [
    { start_line: 2, content: `${above}export function orderTotal(items, discountPercent) {` },
    { start_line: 4, content: line },
  ];
  const call = { name: 'apply_patch', arguments: { files: [{ path: 'src/price.js', edits }] } };
  return [begin, look, { ...repair, calls: [call] }, prove, done];
}

const withRunner = (runner: 'mocha' | 'vitest', test: string): Partial<Scenario> => ({
  files: {
    ...testedByNode,
    'package.json': testedByNode['package.json'].replace('node --test', test),
    '.gitignore': 'node_modules/\n',
    'test/price.test.js': (sampleFiles['test/price.test.js'] ?? '').replace(
      "import test from 'node:test';",
      runner === 'vitest' ? "import { test } from 'vitest';" : 'const test = it;',
    ),
  },
  env: { PATH: plainSearchPath() },
  cloned: workspace => install(workspace, runner),
});
const vitest = withRunner('vitest', 'vitest run');
const mocha = withRunner('mocha', 'mocha test');
const silent = "import a from 'node:assert/strict';\na.equal = () => {};\n";

describe('a patch with which cases pass that must fail', () => {
  it.each<[string, string, Partial<Scenario>]>([
    ['an assertion under node:test', silent, { files: testedByNode }],
    ...(isAll
      ? ([
          ['an assertion under vitest', silent, vitest],
          ['an assertion under mocha', silent, mocha],
          [
            'cases under mocha',
            'const real = globalThis.it;\nglobalThis.it = name => real(name, () => {});\n',
            mocha,
          ],
        ] as [string, string, Partial<Scenario>][])
      : []),
  ])(
    'is not delivered: %s',
    (_name, above, about) =>
      play({ script: patching(above, wrong), ...about }, ({ outcome, model, log }) => {
        expect(outcome, log).toMatchObject({ status: 'rolled_back', code: 'VERIFY_TAMPERED' });
        expect(outcome.verification).toMatchObject({ passed: false, code: 'VERIFY_TAMPERED' });
        expect(toldOf(model)).toContain('Verification failed: VERIFY_TAMPERED');
      }),
    600_000,
  );
});

describe('a patch whose source may cheat', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'by a built-in function',
      'Math.round = x => (x === 0 ? 1800 : x);\n',
      wrong,
      /replaces the built-in Math.round/,
    ],
    ['by a question for CI', '', byCI, /without the marks of CI, these cases fail: a discount/],
  ])('is a draft whose first line says so: %s', (_name, above, line, says) =>
    play({ script: patching(above, line), files: testedByNode }, ({ outcome, github, log }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      const [first = ''] = pull?.body?.split('\n') ?? [];
      expect(first).toMatch(/^Check whether this patch cheats its tests/);
      expect(first).toMatch(says);
    }),
  );

  it('is no draft if it only looks like that', () => {
    const above = 'export const interactive = !process.env.CI;\n';
    return play(
      { script: patching(above, right), files: testedByNode },
      ({ outcome, github, log }) => {
        expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
        expect(outcome.verification?.warnings).toEqual([]);
        expect([...github.state.pulls.values()].map(p => p.draft)).toEqual([false]);
      },
    );
  });
});

it('a patch that changes a file outside of the tests that only tests use is not delivered', () => {
  const path = 'data/expected.json';
  const files = {
    ...testedByNode,
    [path]: '{ "total": 1800 }\n',
    'test/price.test.js': (sampleFiles['test/price.test.js'] ?? '')
      .replace('1800)', "JSON.parse(readFileSync('data/expected.json')).total)")
      .replace('import assert', "import { readFileSync } from 'node:fs';\nimport assert"),
  };
  const read = { file_path: path, start_line: 1, end_line: 1 };
  const edits = [{ start_line: 1, content: '{ "total": 0 }' }];
  const plan = { entry_symbols: ['orderTotal'], affected_files: [path], scope: 'the total' };
  const script = [
    {
      ...begin,
      calls: [
        ...(begin.calls ?? []).slice(0, 1),
        { name: 'plan', arguments: { ...plan, max_changed_lines: 5 } },
      ],
    },
    {
      ...look,
      calls: [...(look.calls ?? []), { name: 'read_code_block', arguments: { requests: [read] } }],
    },
    { ...repair, calls: [{ name: 'apply_patch', arguments: { files: [{ path, edits }] } }] },
    prove,
    done,
  ];
  return play({ script, files }, ({ outcome, log }) => {
    expect(outcome, log).toMatchObject({ status: 'rolled_back', code: 'VERIFY_TESTS_CHANGED' });
    expect(outcome.verification?.testFiles).toEqual([
      { path, kind: 'tests', reason: 'only tests use it' },
    ]);
  });
});
