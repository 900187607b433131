/** Tests the stages of a test command, and which of them failed. */
import { expect, it } from 'vitest';
import { failedStage, findTestStage, stagesOf } from '../../src/testing/commands/stages.ts';
import { runTests } from '../../src/testing/run-tests.ts';
import { openRunner } from '../../src/testing/runners/open-runner.ts';
import type { RunnerContext, RunnerView } from '../../src/testing/runners/runner-context.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
const names = (command: string, text: string | null) => stagesOf(command, text).map(s => s.name);

it.each<[string, string, string | null, readonly string[]]>([
  [
    'a lint before the tests',
    'npm test',
    manifest({ test: 'eslint . && mocha' }),
    ['eslint .', 'mocha'],
  ],
  [
    'scripts around the script',
    'npm run unit',
    manifest({ preunit: 'tsc', unit: 'node --test', postunit: 'xo' }),
    ['tsc', 'node --test', 'xo'],
  ],
  ['a plain command', 'eslint . && mocha', null, ['eslint .', 'mocha']],
  ['quotes', 'npm test', manifest({ test: "a 'x && y' && b" }), ['npm test']],
  ['one command', 'npm test', manifest({ test: 'mocha' }), ['npm test']],
  ['a shell that decides', 'npm test', manifest({ test: 'a || b && c' }), ['npm test']],
  ['a folder that changes', 'cd web && npm test', null, ['cd web && npm test']],
  ['arguments', 'npm test -- --grep x', manifest({ test: 'a && b' }), ['npm test -- --grep x']],
  [
    'a yarn without scripts around one',
    'yarn test',
    manifest({ pretest: 'a', test: 'b && c' }, { packageManager: 'yarn@4.1.0' }),
    ['b', 'c'],
  ],
])('stages of %s', (_name, command, text, stages) => expect(names(command, text)).toEqual(stages));

it('a stage of a script finds the programs of the project', () =>
  expect(stagesOf('npm test', manifest({ test: "a 'b c' && d" }))[0]?.line).toBe(
    `PATH="$PWD/node_modules/.bin:$PATH" sh -c 'a '\\''b c'\\'''`,
  ));

it.each<[string, readonly number[], string]>([
  ['the tests, if they count failures', [0, 2], 'tests'],
  ['what is before them, if they did not end', [], '"eslint ." or "tsc"'],
  ['what is behind them, if they passed', [0], '"xo"'],
])('the stage that failed is %s', (_name, failures, stage) => {
  const text = manifest({ pretest: 'eslint .', test: 'tsc && mocha', posttest: 'xo' });
  expect(failedStage('npm test', text, failures)).toBe(stage);
});

it.each<[string, string, Record<string, string>, string, readonly string[]]>([
  ['a build', 'npm test', { test: 'tsc && node --test dist' }, 'node --test dist', ['tsc']],
  [
    'pretest',
    'npm test',
    { pretest: 'npm run build', build: 'tsc -b', test: 'mocha' },
    'mocha',
    ['tsc -b'],
  ],
  ['a check', 'npm test', { test: 'eslint . && tsc --noEmit && npx mocha && xo' }, 'npx mocha', []],
  [
    'checks in scripts',
    'npm test',
    { lint: 'xo', test: 'npm run lint && npm run unit', unit: 'vitest' },
    'vitest',
    [],
  ],
  ['what is unknown', 'sh prepare && pytest', {}, 'pytest', ['sh prepare']],
])('the tests run behind %s', (_name, command, scripts, test, builds) =>
  expect(findTestStage(command, manifest(scripts))).toMatchObject({ command: test, builds }),
);

it.each(['node --test && mocha', 'make check', 'cd web && mocha'])(
  'no stage alone runs tests in %s',
  command => expect(findTestStage(command, null)).toBeNull(),
);

it('the embedded engine builds before each run of the tests, and keeps no process', async () => {
  const lines: string[] = [];
  const view = {
    run: async (line: string) => {
      lines.push(line);
      return { output: 'photon-case {"id":"a","file":"a.js","status":"failed"}\n', limit: null };
    },
    start: () => expect.unreachable('a process would keep the output of the first build'),
    place: async () => {},
    read: () => null,
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
  const runner = await ('adapter' in opened ? opened.adapter.open() : null);
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

it('stages share the time limit, and a killed one decides', async () => {
  const limits: number[] = [];
  const ends = { lint: 1, test: 137, late: 0 };
  const run = async ({ argv, timeoutMs }: { argv: readonly string[]; timeoutMs: number }) => {
    limits.push(timeoutMs);
    return {
      began: true,
      exitCode: ends[argv[2] as keyof typeof ends],
      limit: timeoutMs === 1 ? 'time' : null,
      output: '',
      durationMs: 600,
      refusedConnections: 1,
    };
  };
  const ran = await runTests(
    {
      command: 'npm test',
      stages: Object.keys(ends).map(name => ({ name, line: name })),
      report: '',
      network: 'none',
      timeoutMs: 1000,
      signal: new AbortController().signal,
      log: () => {},
      scrub: (text: string) => text,
      open: async () => ({ sandbox: { run }, view: { close: () => {} } }),
    } as unknown as Parameters<typeof runTests>[0],
    [],
  );
  expect(limits).toEqual([1000, 400, 1]);
  expect(ran.run).toMatchObject({ exitCode: 137, limit: 'time', refusedConnections: 3 });
  expect(ran.stages.map(s => s.exitCode)).toEqual([1, 137, 0]);
});
