/** Test commands are parsed as by a shell, or refused. */

import { describe, expect, it } from 'vitest';
import { lineEditOf } from '../../src/repair/line-edits.ts';
import {
  plainCommand,
  quoted,
  shellLine,
  splitWords,
} from '../../src/testing/commands/parse-command.ts';
import { limitsFrom } from '../../src/testing/runners/agree.ts';
import { parseNodeTest } from '../../src/testing/runners/node-test.ts';
import { agreesWith, parsePython } from '../../src/testing/runners/python.ts';

const manifest = (test: string, more: object = {}) =>
  JSON.stringify({ scripts: { test, ...more } });

describe('test commands', () => {
  it.each([
    ['node --test', ['node', '--test']],
    ['node --test "a b" c\'d\'', ['node', '--test', 'a b', 'cd']],
    ['node --test && rm x', null],
    ['node --test $(x)', null],
    ['node --test "$HOME"', null],
    ["node 'open", null],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it('follows package scripts, and stops at a command that needs a shell or does not exist', () => {
    const words = (line: string, text: string | null) => plainCommand(line, text)?.words ?? null;
    expect(words('npm test', manifest('node --test'))).toEqual(['node', '--test']);
    expect(words('npm test', manifest('npm run unit', { unit: 'npx mocha' }))).toEqual(['mocha']);
    expect(words('npm run -s unit -- -x', manifest('', { unit: 'node --test' }))).toEqual([
      'node',
      '--test',
      '-x',
    ]);
    expect(words('corepack pnpm test', manifest('vitest run'))).toEqual(['vitest', 'run']);
    expect(words('npm test', manifest('tsc && node --test'))).toBeNull();
    expect(words('npm test', null)).toBeNull();
    expect(plainCommand('A=1 node --test', null)).toEqual({
      env: ['A=1'],
      words: ['node', '--test'],
    });
  });

  it('knows node:test, unittest and pytest', () => {
    const of = (line: string) => plainCommand(line, null) ?? { env: [], words: [] };
    expect(parseNodeTest(of('node --import tsx --test --test-reporter dot src'))).toEqual({
      flags: ['--import', 'tsx'],
      testFlags: [],
      files: ['src'],
    });
    expect(parseNodeTest(of('node index.js'))).toBeNull();
    expect(parsePython(of('python3 -m unittest discover -s tests -v'))).toMatchObject({
      kind: 'unittest',
      start: 'tests',
      names: [],
    });
    expect(parsePython(of('python3 -m unittest tests.test_a'))).toMatchObject({
      names: ['tests.test_a'],
    });
    expect(parsePython(of('pytest -x -k slow -n 4 tests'))).toMatchObject({
      kind: 'pytest',
      flags: ['-k', 'slow'],
      names: ['tests'],
      cwdOnPath: false,
    });
    expect(parsePython(of('python3 run.py'))).toBeNull();
    expect(parsePython(of('.venv/bin/pytest -q'))).toMatchObject({ python: '.venv/bin/python' });
    for (const front of ['uv run', 'uv run --frozen --extra test', 'poetry run', 'pipenv run -q']) {
      const plain = of(`${front} pytest tests`);
      expect(plain).toEqual({ env: [], front: front.split(' '), words: ['pytest', 'tests'] });
      expect(parsePython(plain)).toMatchObject({ python: 'python', names: ['tests'] });
      expect(shellLine(plain)).toBe(`${front} pytest tests`);
    }
    expect(of('uv run').words).toEqual(['uv', 'run']);
  });

  it('quotes for a shell', () => {
    expect(quoted('src/a.js')).toBe('src/a.js');
    expect(quoted("it's")).toBe("'it'\\''s'");
  });

  it('trusts a warm run only if the real one has the same results', () => {
    const cases = [
      { id: 'a', file: 'a', status: 'passed' as const },
      { id: 'b', file: 'a', status: 'failed' as const },
    ];
    expect(agreesWith({ cases }, { exitCode: 1, output: 'Ran 2 tests in 0.1s\n' })).toBe(true);
    expect(agreesWith({ cases }, { exitCode: 1, output: 'Ran 3 tests in 0.1s\n' })).toBe(false);
    expect(agreesWith({ cases }, { exitCode: 0, output: 'Ran 2 tests in 0.1s\n' })).toBe(false);
    expect(agreesWith({ cases }, { exitCode: 1, output: '1 failed, 1 passed in 0.1s' })).toBe(true);
    expect(agreesWith({ cases: [] }, { exitCode: 0, output: '' })).toBe(false);
  });

  describe('gives a candidate', () => {
    const passed = { id: 'a', file: 'a', status: 'passed' as const };
    const late = { ...passed, id: 'b', status: 'failed' as const, message: 'ran out of time' };
    const time = (cpuMs: number) => ({ cpuMs, wallMs: cpuMs });
    const seen = { ended: 'done' as const, cpuMs: 40, loadMs: 10, cases: [passed, passed] };

    it('ten times the duration of the tests, and more if one never ends', () => {
      const spent = { a: time(1), b: time(30) };
      expect(limitsFrom({ ...seen, spent })).toMatchObject({
        caseMs: 300,
        startedCaseMs: 300,
        byCase: {},
        loadMs: 500,
        // a thread that has run a job need not start
        startedLoadMs: 250,
        cpuMs: 1200,
      });
      const quick = limitsFrom({ ...seen, spent: { a: time(0.5) } });
      expect(quick).toMatchObject({ caseMs: 25, startedCaseMs: 10 });
      const endless = { ...seen, cpuMs: 9_000, cases: [passed, late], spent: { a: time(1) } };
      expect(limitsFrom(endless)).toMatchObject({
        caseMs: 50,
        startedCaseMs: 50,
        loadMs: 500,
        cpuMs: 560,
      });
    });

    it('more for a slow case alone', () => {
      const spent = { a: time(1), b: time(2_000), c: time(2) };
      const { caseMs, waitMs, byCase, loadMs } = limitsFrom({ ...seen, cpuMs: 2_010, spent });
      expect({ caseMs, loadMs }).toEqual({ caseMs: 25, loadMs: 500 });
      expect(Object.keys(byCase)).toEqual(['b']);
      expect(byCase.b?.cpuMs).toBe(20_000);
      expect(waitMs).toBeLessThan(15_000);
    });

    it('in a suite of slow cases as much as is usual, because a failing one may stop early', () => {
      const spent = { a: time(1), b: time(2_000), c: time(2_100) };
      expect(limitsFrom({ ...seen, cpuMs: 4_110, spent }).caseMs).toBe(1_000);
    });
  });
});

describe('edits as lines', () => {
  const text = 'one\ntwo\nthree\n';
  const at = (from: string, to: string) => {
    const start = text.indexOf(from);
    return lineEditOf(text, [{ start, end: start + from.length, text: to }]);
  };

  it('are the smallest range of lines', () => {
    expect(at('two', '2')).toEqual({ startLine: 2, endLine: 2, content: '2' });
    expect(at('two\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'one' });
    expect(at('one\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'two' });
    expect(at('two', 'new\ntwo')).toEqual({ startLine: 1, endLine: 1, content: 'one\nnew' });
    expect(at('two', 'two')).toBeNull();
  });
});
