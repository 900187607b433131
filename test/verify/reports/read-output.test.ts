/** Tests the cases that are read from recorded outputs of runners without a report. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { readOutput } from '../../../src/verify/reports/read-output.ts';
import { root } from '../../root.ts';

const folder = join(root, 'test/fixtures/reports');

/** The recorded output of a runner, without a report. */
function recorded(runner: string): string {
  const name = readdirSync(folder).find(n => n.startsWith(runner) && /-\d[\d.]*\.txt$/.test(n));
  return readFileSync(join(folder, name ?? ''), 'utf8');
}

const signs = { passed: '+', failed: '!', skipped: '-' };

describe('every case is read from the output of', () => {
  it.each<[string, readonly string[]]>([
    [
      'node-2',
      [
        '! node/broken.test.js',
        '+ passes',
        '+ total > adds',
        '! total > of none > is zero',
        '- total > of none > is later',
        '! shipping > is free: really',
        '- shipping > is slow',
        '+ alone > inside',
      ],
    ],
    [
      'mocha-1',
      [
        '! hooked > "before all" hook for "runs"',
        '+ total > adds',
        '! total > of none > is zero',
        '- total > of none > is later',
        '! shipping > is free: really',
        '+ shipping > is slow',
      ],
    ],
    [
      'ava',
      [
        '+ other › passes',
        '+ other › known bug',
        '- price › skipped',
        '- price › later',
        '+ price › adds',
        '! price › of none',
        '+ price › logs',
      ],
    ],
    [
      'cargo',
      [
        '+ tests::adds',
        '- tests::later',
        '! tests::of_none',
        '+ tests::panics - should panic',
        '+ adds',
        '+ src/lib.rs - one (line 1)',
      ],
    ],
  ])('%s', (runner, cases) => {
    const read = readOutput(recorded(runner)).cases?.map(c => `${signs[c.status]} ${c.id}`);
    expect(read?.toSorted()).toEqual(cases.toSorted());
  });

  it('tap, which prints TAP when nobody watches', () => {
    const read = parseTap(recorded('tap'));
    const cases = read === 'too-large' ? undefined : read;
    expect(cases?.map(c => `${signs[c.status]} ${c.id}`)).toEqual([
      '+ tap/price.test.js > total > adds',
      '! tap/price.test.js > total > of none > is zero',
      '+ tap/price.test.js > free > is free',
    ]);
  });
});

describe('the failures are read from the output of', () => {
  const price = ['total > of none > is zero', 'shipping > is free: really'];
  it.each<[string, readonly string[]]>([
    ['node-2', ['node/broken.test.js', ...price]],
    ['mocha-dot', price],
    [
      'jest',
      [
        'jest/broken.test.js',
        'jest/price.test.js > shipping › is free: really',
        'jest/price.test.js > total › of none › is zero',
      ],
    ],
    ['vitest', ['broken.test.mjs [ broken.test.mjs ]', ...price.map(p => `price.test.mjs > ${p}`)]],
    ['pytest', ['test_price.py::TestShipping::test_is_free[0]', 'test_price.py::test_uses']],
    ['unittest', ['test_a (test_a.T.test_a)']],
    ['uvu', ['of "none"', 'more rules > are equal', 'more rules > throws']],
    [
      'go-test',
      [
        'example.com/shop/bad',
        'example.com/shop/panics',
        'example.com/shop/panics > TestPanics',
        'example.com/shop/panics > panic',
        'example.com/shop/price',
        'example.com/shop/price > TestTotal',
        'example.com/shop/price > TestTotal/of_none',
      ],
    ],
  ])('%s', (runner, failures) =>
    expect(readOutput(recorded(runner)).failures?.toSorted()).toEqual(failures.toSorted()),
  );

  it.each<[string, RegExp]>([
    ['node-2', /^ {4}✖ is zero.*\n/m],
    ['mocha-dot', /^ {2}2\) .*\n/m],
    ['jest', /^ {2}● total.*\n/m],
    ['vitest', /^.* FAIL .*price.*\n/m],
    ['pytest', /^ERROR test_price.*\n/m],
    ['unittest', /^FAIL: .*\n/m],
    ['cargo', /^test .* FAILED\n/m],
    ['ava', /^ {2}✘ .*\n/m],
    ['uvu', /^.* FAIL .*throws.*\n/m],
  ])('%s, but not if one is missing', (runner, line) => {
    const whole = recorded(runner);
    expect(readOutput(whole).failures).not.toBeUndefined();
    expect(readOutput(whole.replace(line, '')).failures).toBeUndefined();
  });

  it('several runners, if each of them is known', () => {
    const both = `${recorded('mocha-1')}\n${recorded('pytest')}`;
    expect(readOutput(both).failures).toHaveLength(5);
    expect(readOutput(both).cases).toBeUndefined();
    expect(readOutput(`${both}\n3 examples, 1 failure\n`).failures).toBeUndefined();
  });
});

it('text without a summary has no cases', () =>
  expect(readOutput('✔ Built (3ms)\nFAILED test_a.py::test_b\n')).toEqual({
    cases: undefined,
    failures: undefined,
  }));
