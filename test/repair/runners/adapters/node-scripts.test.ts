/** The commands that one thread can run, and whether it saw what the real run showed. */
import { describe, expect, it } from 'vitest';
import { asPlain } from '../../../../src/ecosystems/commands/parse-command.ts';
import {
  fits,
  parseScripts,
  readReal,
  readTap,
  withoutIndexFiles,
} from '../../../../src/repair/runners/adapters/node-scripts.ts';
import { type JobResult, waitsForNothing } from '../../../../src/repair/runners/test-runner.ts';

const paths = [
  'index.js',
  'test.js',
  'test/a.js',
  'test/deep/b.js',
  'test/index.js',
  'test/x.json',
];

const seen = (status: 'passed' | 'failed', points = { passed: 2, failed: 1 }): JobResult => ({
  cases: [{ id: 'test.js > a', file: 'test.js', status }],
  ended: 'done',
  coverage: [],
  cpuMs: 1,
  points,
});

describe('commands of tape and plain scripts', () => {
  it.each([
    [
      'tape test/**/*.js',
      ['tape', 'test/**/*.js'],
      ['test/a.js', 'test/deep/b.js', 'test/index.js'],
    ],
    ['tape with two files', ['tape', './test.js', 'test/a.js'], ['test.js', 'test/a.js']],
    ['node test.js', ['node', 'test.js'], ['test.js']],
    ['node with the name of a module', ['node', 'test/a'], ['test/a.js']],
    ['an option', ['tape', '--require', './setup.js', 'test/a.js'], null],
    ['a script with arguments', ['node', 'test.js', 'fast'], null],
    ['a file that is not there', ['tape', 'spec.js'], null],
    ['another program', ['jest'], null],
    ['a program without files', ['tape'], null],
  ])('%s', (_, words, files) => {
    expect(parseScripts(asPlain(words), paths)?.files ?? null).toEqual(files);
  });
});

it('leaves out a file that only loads other test files', () => {
  const textOf = new Map([
    ['test/index.js', "'use strict';\n\n// all\nrequire('./a');\nrequire('./deep');\n"],
    ['test/more.js', "require('./a');\nrequire('../lib');\n"],
    ['test/a.js', "require('tape')('a', t => t.end());\n"],
    ['test/deep/index.js', ''],
  ]);
  const files = [...textOf.keys()];
  expect(withoutIndexFiles(files, textOf)).toEqual(files.slice(1));
});

describe('a thread fits the real run', () => {
  const whole = 'TAP version 13\n# a\nok 1 x\nok 2 y\nnot ok 3 z\n\n1..3\n# tests 3\n# pass 2\n';
  it('if it counted the same assertions', () => {
    expect(fits(readReal(whole, false, 'tape'), seen('failed'))).toBe(true);
    expect(fits(readReal(whole, false, 'tape'), seen('failed', { passed: 1, failed: 1 }))).toBe(
      false,
    );
  });

  it('counts an assertion that tape skips, and no test that mocha skips', () => {
    const skipped = 'ok 1 x\nok 2 y # SKIP\nnot ok 3 z # TODO\n# tests 3\n';
    expect(readReal(skipped, true, 'tape').points).toEqual({ passed: 2, failed: 1 });
    expect(readReal(skipped, true, 'mocha').points).toEqual({ passed: 1, failed: 1 });
  });

  it('by success or failure alone, if a crash ended the real run or it counts nothing', () => {
    expect(fits(readReal('# a\nok 1 x\n\nTypeError: x', false, 'tape'), seen('failed'))).toBe(true);
    expect(fits(readReal('', true, 'tape'), seen('passed'))).toBe(true);
    expect(fits(readReal('', false, 'tape'), seen('passed'))).toBe(false);
    expect(fits(readReal('', true, 'tape'), { ...seen('passed'), cases: [] })).toBe(false);
  });

  it('by its failure alone, if nothing was left that the real run could wait for', () => {
    const [one] = seen('failed').cases;
    if (one === undefined) throw new Error('no case');
    const stopped = {
      ...seen('failed', { passed: 1, failed: 1 }),
      cases: [{ ...one, message: waitsForNothing }],
    };
    expect(fits(readReal(whole, false, 'tape'), stopped)).toBe(true);
    expect(fits(readReal(whole, true, 'tape'), stopped)).toBe(false);
  });
});

describe('the real run of tap', () => {
  const counted =
    '# Subtest: test/a.js\n    # Subtest: one\nok 1 - test/a.js\n# { total: 3, pass: 2, fail: 1 }\n';

  it('counts assertions, and names the test files', () => {
    const points = { passed: 2, failed: 1 };
    expect(readTap(counted, false)).toEqual({ passed: false, points, files: ['test/a.js'] });
    expect(readTap('Cannot find module', false)).toMatchObject({
      points: undefined,
      output: 'Cannot find module',
    });
  });

  it('did not end if tap ended a test that takes too long', () => {
    expect(readTap('    1..1\nnot ok 2 - timeout!\n', false).late).toBe(true);
    expect(readTap('not ok 2 - a timeout!\n', false).late).toBeUndefined();
  });
});
