import { describe, expect, it } from 'vitest';
import { followCommand } from '../../../src/ecosystems/commands/parse-command.ts';
import {
  adviceFor,
  findCompilerConfigs,
  openRunner,
} from '../../../src/repair/runners/open-runner.ts';
import type { RunnerContext, RunnerView } from '../../../src/repair/runners/runner-context.ts';
import { openLocalRunner } from '../../doubles/runner-context.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });

describe('the run before the patch', () => {
  it.each([
    [2, ['baseline', 'copy']],
    [1, ['copy']],
  ])('starts first if %s copies may work at the same time: %j', async (copies, expected) => {
    const files = {
      'package.json': '{"type":"module"}',
      'a.test.js':
        "import { it } from 'node:test';\nit('fails', () => { throw new Error('x'); });\n",
    };
    const { context, end } = openLocalRunner({ files, testCommand: 'node --test' });
    const seen: string[] = [];
    const baseline = async () => {
      seen.push('baseline');
      return { exitCode: 1, output: '' };
    };
    const open = () => {
      seen.push('copy');
      return context.open();
    };
    const choice = await openRunner({ ...context, copies, baseline, open });
    if ('stop' in choice) throw new Error(choice.stop);
    choice.adapter.close();
    expect(seen.slice(0, expected.length)).toEqual(expected);
    expect(seen.filter(s => s === 'baseline')).toHaveLength(copies - 1);
    end();
  });
});

it('an adapter that fails while it opens leaves no process behind', async () => {
  const files = { 'package.json': '{"type":"module"}', 'a.test.js': '' };
  const { context, end } = openLocalRunner({ files, testCommand: 'node --test' });
  const running: Promise<void>[] = [];
  const open = async () => {
    const view = await context.open();
    return {
      ...view,
      run: async () => {
        throw new Error('the time is up');
      },
      start: (argv: readonly string[]) => {
        const started = view.start(argv);
        running.push(started.ended);
        return started;
      },
    };
  };
  await expect(openRunner({ ...context, open })).rejects.toThrow('the time is up');
  expect(running).toHaveLength(1);
  await Promise.all(running);
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

  it('are named with their version in the advice if the one of the project is older', () => {
    const manifest = JSON.stringify({ devDependencies: { vitest: '^1.6.0', jest: '^29.0.0' } });
    const advice = adviceFor('vitest run', manifest);
    expect(advice).toContain('It reads vitest from version 3, and package.json asks for ^1.6.0.');
    expect(advice).not.toContain('reads jest');
  });

  it('are named in the advice if their output does not tell', () => {
    const manifest = JSON.stringify({ scripts: { test: 'tsc -p . | tee log' } });
    expect(adviceFor('npm test', manifest)).toBe(
      'The embedded engine cannot read the result of each test from "tsc -p . | tee log" ("npm test"). Set test-command to commands that && joins, one of which runs node --test, vitest, jest, mocha, ava, tap, uvu, pytest, python -m unittest, go test, or another one whose output names each case, or make the command write a JUnit report and set verify.report in .photon/config.json to its path.',
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
  expect(opened).toMatchObject({ adapter: { name: 'node:test, a process for each candidate' } });
  const runner = await ('adapter' in opened ? opened.adapter.open() : undefined);
  await runner?.run({
    files: {},
    stages: [{ tests: [], only: null }],
    bail: true,
    coverage: false,
  });
  // the first run, its failures once more, the lines that ran (two programs), and the run asked for
  expect(lines).toHaveLength(5);
  for (const line of lines)
    expect(line).toMatch(
      /^built=\$\( \{ PATH=.* sh -c 'rollup -c'; \}.*\n(export .*\n)?.*node (--test|\.photon-runner\/)/,
    );
});

describe('a build that only compiles', () => {
  it.each([
    [['tsc'], ['tsconfig.json']],
    [
      ['rimraf dist', 'tsc -p tsconfig.build.json', 'tsc --project ./cjs'],
      ['tsconfig.build.json', './cjs/tsconfig.json'],
    ],
    [['tsc -b'], undefined],
    [['tsc --outDir out'], undefined],
    [['tsc', 'rollup -c'], undefined],
    [['rimraf dist'], undefined],
  ])('%j', (builds, configs) => {
    expect(findCompilerConfigs(builds, undefined)).toEqual(configs);
  });
});
