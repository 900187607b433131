import { describe, expect, it } from 'vitest';
import { followCommand } from '../../../src/ecosystems/commands/parse-command.ts';
import { adviceFor, openRunner } from '../../../src/repair/runners/open-runner.ts';
import type { RunnerContext, RunnerView } from '../../../src/repair/runners/runner-context.ts';
import { openLocalRunner } from '../../doubles/runner-context.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });

it('an adapter that fails while it opens leaves no copy behind', async () => {
  const files = { 'package.json': '{"type":"module"}', 'a.test.js': '' };
  const { context, end } = openLocalRunner({ files, testCommand: 'node --test' });
  let left = 0;
  const open = async () => {
    const view = await context.open();
    left += 1;
    const run = async () => {
      throw new Error('the time is up');
    };
    const close = () => {
      left -= 1;
    };
    return { ...view, run, close };
  };
  await expect(openRunner({ ...context, open })).rejects.toThrow('the time is up');
  expect(left).toBe(0);
  end();
});

describe('commands behind others', () => {
  const words = (line: string, scripts: object = {}) => {
    const found = followCommand(line, JSON.stringify({ scripts }));
    return 'plain' in found ? [...found.plain.env, ...found.plain.words].join(' ') : undefined;
  };

  it.each([
    ['npx --no-install vitest run', 'vitest run'],
    ['pnpm exec jest --ci', 'jest --ci'],
    ['npm exec -- mocha', 'mocha'],
    ['yarn jest', 'jest'],
    ['c8 --all mocha test', 'mocha test'],
    ['cross-env A=1 jest', 'A=1 jest'],
    ['node_modules/.bin/vitest run', 'vitest run'],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js src',
      'NODE_OPTIONS=--experimental-vm-modules jest src',
    ],
    ['A=1 npm test', 'A=1 B=2 mocha -x'],
  ])('%s', (line, behind) => {
    expect(words(line, { test: 'B=2 mocha -x' })).toBe(behind);
  });

  it('are named in the advice if their output does not tell', () => {
    const manifest = JSON.stringify({ scripts: { test: 'tsc -p . | tee log' } });
    expect(adviceFor('npm test', manifest)).toBe(
      'The embedded engine cannot read the result of each test from "tsc -p . | tee log" ("npm test"). Set test-command to commands that && joins, one of which runs node --test, vitest, jest, mocha, pytest, python -m unittest, go test, or another one whose output names each case that fails, or make the command write a JUnit report and set verify.report in .photon/config.json to its path.',
    );
  });
});

it('the embedded engine builds before each run of the tests, and keeps no process', async () => {
  const lines: string[] = [];
  const view = {
    run: async (line: string) => {
      lines.push(line);
      return {
        output: 'photon-case {"id":"a","file":"a.js","status":"failed"}\n',
        limit: undefined,
      };
    },
    start: () => expect.unreachable('a process would keep the output of the first build'),
    place: async () => {},
    read: () => undefined,
    close: () => {},
  } as unknown as RunnerView;
  const context = {
    testCommand: 'npm test',
    testTimeoutMs: 1000,
    text: async () => manifest({ pretest: 'rollup -c', test: 'eslint . && node --test dist' }),
    runner: () => '',
    log: () => {},
    files: async () => ['a.js'],
    isTest: () => true,
    open: async () => view,
  } as unknown as RunnerContext;
  const opened = await openRunner(context);
  expect(opened).toMatchObject({
    adapter: { name: 'node:test, cold: the whole command for each candidate' },
  });
  const runner = await ('adapter' in opened ? opened.adapter.open() : undefined);
  await runner?.run({
    files: {},
    stages: [{ tests: [], only: null }],
    bail: true,
    coverage: false,
  });
  // the first run, once more for what fails by chance, and the run asked for
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(/^built=\$\( \{ PATH=.* sh -c 'rollup -c'; \}.*\n.*node --test/);
});
