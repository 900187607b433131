/** Parses recorded output of real runners; the file names hold their versions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followCommand, plainCommand } from '../../src/testing/commands/parse-command.ts';
import { parseGo } from '../../src/testing/runners/go.ts';
import {
  linesOfBlock,
  parseCoverProfile,
  parseGoTest,
  parsePackages,
  runPattern,
} from '../../src/testing/runners/go-output.ts';
import { adviceFor, openRunner } from '../../src/testing/runners/open-runner.ts';
import { loadFailure, parseRunnerReport } from '../../src/testing/runners/runner-report.ts';
import { openLocalRunner } from '../doubles/runner-context.ts';
import { root } from '../harness.ts';

const recorded = (name: string) =>
  readFileSync(join(root, 'test', 'fixtures', 'reports', name), 'utf8');

describe('the JSON reports of runners', () => {
  it('of jest: cases by file and name, and the place of the failure', () => {
    const cases = parseRunnerReport(recorded('jest-30.5.2.json'), '/project');
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['failed', 'test/price.test.js > total is the sum'],
      ['passed', 'test/price.test.js > total of none'],
      ['passed', 'test/price.test.js > free'],
    ]);
    expect(cases[0]?.file).toBe('test/price.test.js');
    expect(cases[0]?.message).toContain('Expected: 3');
    // lines of the runner itself are left out
    expect(cases[0]?.frames).toEqual([{ path: 'test/price.test.js', line: 4 }]);
  });

  it('of mocha: a failed hook counts as a failure of its file', () => {
    const cases = parseRunnerReport(recorded('mocha-12.0.3.json'), '/project');
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['passed', 'test/price.test.js > free'],
      ['passed', 'test/price.test.js > total of none'],
      ['failed', 'test/loop.test.js'],
      ['failed', 'test/price.test.js > total is the sum'],
    ]);
    expect(cases[2]?.message).toContain('no database');
  });

  it('distinguish cases with the same name, and report a file that did not load', () => {
    const reportOf = (assertionResults: object[], more: object = {}) =>
      JSON.stringify({ testResults: [{ name: '/p/a.test.js', assertionResults, ...more }] });
    const twice = [
      { fullName: 'x', status: 'failed', failureMessages: ['Error: \u001b[31mred\u001b[39m'] },
      { fullName: 'x', status: 'passed' },
      { fullName: 'y', status: 'todo' },
    ];
    expect(parseRunnerReport(`noise\n${reportOf(twice)}`, '/p')).toEqual([
      {
        id: 'a.test.js > x',
        file: 'a.test.js',
        status: 'failed',
        message: 'Error: red',
        frames: [],
      },
      { id: 'a.test.js > x (2)', file: 'a.test.js', status: 'passed' },
      { id: 'a.test.js > y', file: 'a.test.js', status: 'skipped' },
    ]);
    const broken = reportOf([], { status: 'failed', message: 'SyntaxError at /p/src/a.js:3:1' });
    expect(parseRunnerReport(broken, '/p')).toMatchObject([
      { id: 'a.test.js', status: 'failed', frames: [{ path: 'src/a.js', line: 3 }] },
    ]);
    expect(parseRunnerReport('nothing', '/p')).toEqual([]);
  });

  it('are missing if a file did not load; then the output names it', () => {
    const output = [
      'file:///p/src/a.js:2',
      'SyntaxError: Unexpected token',
      '    at async importModule (/p/node_modules/mocha/lib/x.js:1:1)',
      '    at /p/test/a.test.js:1:1',
    ].join('\n');
    expect(
      loadFailure(output, { root: '/p', tests: ['test/b.test.js', 'test/a.test.js'] }),
    ).toMatchObject([
      {
        id: 'test/a.test.js',
        status: 'failed',
        frames: [
          { path: 'src/a.js', line: 2 },
          { path: 'test/a.test.js', line: 1 },
        ],
      },
    ]);
    expect(loadFailure('mocha: not found', { root: '/p', tests: ['test/a.test.js'] })).toEqual([]);
  });
});

describe('go test', () => {
  const packages = parsePackages(
    'go: downloading nothing\nexample.com/shop /p\nexample.com/shop/price /p/price\nother /q\n',
    '/p',
  );

  it('reports its cases, without parents of subtests', () => {
    expect([...packages]).toEqual([
      ['example.com/shop', ''],
      ['example.com/shop/price', 'price'],
    ]);
    const cases = parseGoTest(recorded('go-test-1.19.8.jsonl'), packages, '/p');
    expect(cases).toEqual([
      { id: 'example.com/shop > TestNothing', file: 'example.com/shop', status: 'skipped' },
      {
        id: 'example.com/shop/price > TestTotal/of_none',
        file: 'example.com/shop/price',
        status: 'passed',
      },
      {
        id: 'example.com/shop/price > TestTotal/of_(one)',
        file: 'example.com/shop/price',
        status: 'failed',
        message: 'price_test.go:13: got 0, want 3',
        frames: [{ path: 'price/price_test.go', line: 13 }],
      },
      {
        id: 'example.com/shop/price > TestShipsFree',
        file: 'example.com/shop/price',
        status: 'passed',
      },
    ]);
  });

  it('reports a package that does not build, and a test that never ends', () => {
    const event = (more: object) => JSON.stringify({ Package: 'example.com/shop/price', ...more });
    const unbuilt = [
      '# example.com/shop/price',
      'price/price.go:3:2: undefined: x',
      event({ Action: 'output', Output: 'FAIL\texample.com/shop/price [build failed]\n' }),
      event({ Action: 'fail', Elapsed: 0 }),
    ].join('\n');
    expect(parseGoTest(unbuilt, packages, '/p')).toMatchObject([
      {
        id: 'example.com/shop/price',
        status: 'failed',
        frames: [{ path: 'price/price.go', line: 3 }],
      },
    ]);
    const late = [
      event({ Action: 'run', Test: 'TestLoop' }),
      event({ Action: 'output', Test: 'TestLoop', Output: 'panic: test timed out after 1m0s\n' }),
      event({ Action: 'output', Test: 'TestLoop', Output: '\t/p/price/price.go:7 +0x1d\n' }),
      event({ Action: 'fail', Test: 'TestLoop' }),
      event({ Action: 'fail' }),
    ].join('\n');
    const [hung] = parseGoTest(late, packages, '/p');
    expect(hung?.message).toMatch(/^ran out of time/);
    expect(hung?.frames).toEqual([{ path: 'price/price.go', line: 7 }]);
  });

  it('reports the lines that ran in its profile', () => {
    const text =
      'package a\n\nfunc Total(p []int) int {\n\tsum := 0\n\tfor i := 1; i < len(p); i++ {\n';
    const blocks = parseCoverProfile(recorded('go-cover-1.19.8.txt'), packages);
    expect(blocks).toEqual([
      { path: 'price/price.go', from: [5, 30], to: [7, 35] },
      { path: 'price/price.go', from: [10, 2], to: [10, 12] },
    ]);
    // the line of the opening brace is not part of the block
    expect(linesOfBlock({ path: 'a.go', from: [3, 25], to: [5, 32] }, text.split('\n'))).toEqual([
      4, 5,
    ]);
  });

  it('is parsed as a command', () => {
    const of = (line: string) => parseGo(plainCommand(line, null) ?? { env: [], words: [] });
    expect(of('go test -v -race -tags slow -timeout 30s -coverprofile=c.out ./...')).toEqual({
      flags: ['-race', '-tags', 'slow'],
      packages: ['./...'],
    });
    expect(of('go vet ./...')).toBeNull();
    expect(of('go test ./... -args -x')).toBeNull();
    expect(runPattern('TestTotal/of_(one)')).toBe('^TestTotal$/^of_\\(one\\)$');
  });
});

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
    return 'plain' in found ? [...found.plain.env, ...found.plain.words].join(' ') : null;
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
      'The embedded engine cannot read the result of each test from "tsc -p . | tee log" ("npm test"). Set test-command to commands that && joins, one of which runs node --test, vitest, jest, mocha, ava, tap, uvu, pytest, python -m unittest, go test, or another one whose output names each case, or make the command write a JUnit report and set verify.report in .photon/config.json to its path.',
    );
  });
});
