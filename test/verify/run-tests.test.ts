import { expect, it } from 'vitest';
import { runTests } from '../../src/verify/run-tests.ts';
import { changeOf, runOptions } from './changes.ts';

it('stages share the time limit, and a killed one decides', async () => {
  const limits: number[] = [];
  const ends = { lint: 1, test: 137, late: 0 };
  const run = async ({ argv, timeoutMs }: { argv: readonly string[]; timeoutMs: number }) => {
    limits.push(timeoutMs);
    return {
      began: true,
      exitCode: ends[argv[2] as keyof typeof ends],
      limit: timeoutMs === 1 ? 'time' : undefined,
      output: '',
      durationMs: 600,
      refusedConnections: 1,
    };
  };
  const ran = await runTests(
    {
      ...runOptions,
      command: 'npm test',
      stages: Object.keys(ends).map(name => ({ name, line: name })),
      open: async () => ({ sandbox: { run }, view: { close: () => {} } }),
    } as unknown as Parameters<typeof runTests>[0],
    [],
  );
  expect(limits).toEqual([1000, 400, 1]);
  expect(ran.run).toMatchObject({ exitCode: 137, limit: 'time', refusedConnections: 3 });
  expect(ran.stages.map(s => s.exitCode)).toEqual([1, 137, 0]);
});

it.each([
  [
    'a report in another form',
    '<coverage/>',
    0,
    'coverage.xml, which is XML with the root <coverage>',
  ],
  ['a report that is cut off', '<testsuite><testcase', 139, undefined],
  ['no report', undefined, 0, undefined],
])('%s in the run before the patch', async (_name, report, exitCode, words) => {
  const end = { began: true, exitCode, output: '', durationMs: 1 };
  const view = { close: () => {}, readReport: () => report };
  const options = {
    ...runOptions,
    command: 'npm test',
    report: 'coverage.xml',
    open: async () => ({ sandbox: { run: async () => end }, view }),
  } as unknown as Parameters<typeof runTests>[0];
  const ran = runTests(options, []);
  if (words === undefined) expect((await ran).reported).toBe(false);
  else
    await expect(ran).rejects.toMatchObject({
      code: 'VERIFY_REPORT_FORM',
      message: expect.stringContaining(words),
    });
});

it('names the files of a patch in the log, and nothing else that is in the view', async () => {
  const lines: string[] = [];
  const end = { began: true, exitCode: 0, output: '', durationMs: 1 };
  const options = {
    ...runOptions,
    command: 'make test',
    report: '',
    log: (line: string) => lines.push(line),
    open: async () => ({ sandbox: { run: async () => end }, view: { close: () => {} } }),
  } as unknown as Parameters<typeof runTests>[0];
  await runTests(options, [changeOf('a.js', 'a', 'b')]);
  await runTests({ ...options, title: 'whether the source cheats its tests' }, [
    changeOf('a.js', 'a', 'b'),
    changeOf('copy.js', undefined, 'c'),
  ]);
  expect(lines).toEqual([
    'Verify: make test (1 changed file)',
    'Verify: whether the source cheats its tests',
  ]);
});

it('names a failed case by its file, its title and its name, with what is said of that one', async () => {
  const output = `TAP version 13
# adds
not ok 1 should be equal
  ---
    actual: 1
    at: Test.<anonymous> (/view/test/add.js:3:5)
  ...
# takes away
not ok 2 should be equal
  ---
    actual: 2
    at: <anonymous> (/view/test/take.js:3:5)
  ...
1..2
`;
  const end = { began: true, exitCode: 1, output, durationMs: 1 };
  const view = { path: '/view', close: () => {} };
  const options = {
    ...runOptions,
    report: '',
    open: async () => ({ sandbox: { run: async () => end }, view }),
  } as unknown as Parameters<typeof runTests>[0];
  const { cases, run } = await runTests(options, []);
  expect(cases?.map(c => c.file)).toEqual(['test/add.js', 'test/take.js']);
  expect(run.failedCases?.map(c => c.name)).toEqual([
    'test/add.js > adds > should be equal',
    'test/take.js > takes away > should be equal',
  ]);
  expect(run.failedCases?.[1]?.text).toContain('actual: 2');
});
