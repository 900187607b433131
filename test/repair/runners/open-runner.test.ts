import { describe, expect, it } from 'vitest';
import { plainCommand } from '../../../src/ecosystems/commands/parse-command.ts';
import { openRunner } from '../../../src/repair/runners/open-runner.ts';
import { adviceFor } from '../../../src/repair/runners/test-way.ts';
import { openLocalRunner, tryCandidates, withAdapter } from '../../doubles/runner-context.ts';

const manifest = (scripts: object) => JSON.stringify({ scripts });

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
    const found = plainCommand(line, JSON.stringify({ scripts }));
    return found && [...found.env, ...found.words].join(' ');
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
    expect(adviceFor('npm test')).toBe(
      'The embedded engine cannot read the result of each test from "npm test". Set test-command to commands that && joins, one of which runs node --test, vitest, jest, mocha, pytest, python -m unittest, go test, or another one whose output names each case that fails, or make the command write a JUnit report and set verify.report in .photon/config.json to its path.',
    );
  });
});

it('the embedded engine builds before each run of the tests, and says so', async () => {
  const files = {
    'package.json': manifest({ pretest: 'node build.cjs', test: 'node --test lib/a.test.js' }),
    'build.cjs': "require('node:fs').cpSync('src', 'lib', { recursive: true });\n",
    'src/a.test.js':
      "require('node:test')('a', () => { if (1 + 1 !== 3) throw new Error('no'); });\n",
  };
  const repaired = files['src/a.test.js'].replace('3', '2');
  await withAdapter({ files, testCommand: 'npm test' }, async (adapter, log) => {
    expect(adapter.base.map(c => c.status)).toEqual(['failed']);
    expect(log).toContain('Repair: before the tests of each candidate runs node build.cjs.');
    const candidates = [repaired, files['src/a.test.js']].map(text => ({ 'src/a.test.js': text }));
    expect(await tryCandidates(adapter, candidates)).toEqual([true, false]);
  });
});

it.each([
  [
    'a package is missing',
    "import 'left-pad';",
    /^The package "left-pad" is not installed\. Install/,
  ],
  ['a test never ends', 'for (;;);', /^The test command does not end without a change/],
])('there is no search if %s', async (_, text, expected) => {
  const files = { 'package.json': '{"type":"module"}', 'a.test.js': `${text}\n` };
  const local = openLocalRunner({ files, testCommand: 'node --test' });
  const context = { ...local.context, testTimeoutMs: text === 'for (;;);' ? 2000 : 60_000 };
  const opened = await openRunner(context);
  local.end();
  expect('stop' in opened ? opened.stop : '').toMatch(expected);
});
