import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJest } from '../../../src/ecosystems/javascript/jest-report.ts';
import { describeForm, readCases, readOutput } from '../../../src/verify/reports/parse-report.ts';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { parseXml } from '../../../src/verify/reports/parse-xml.ts';
import { root } from '../../root.ts';

it.each([
  [
    '<?xml version="1.0"?>\n<coverage lines="1"><file/></coverage>\n',
    'XML with the root <coverage>',
  ],
  ['{"version": "2.1.0", "runs": []}', 'JSON with the fields version, runs'],
  ['[1]', 'a JSON list'],
  ['Ran 3 tests\nOK\n', 'text that begins with "Ran 3 tests"'],
  ['<testsuite><testcase', undefined],
  ['{"stats": {', undefined],
  ['', undefined],
])('a report in another form is named: %s', (text, form) => {
  expect(describeForm(text)).toBe(form);
});

describe('reports of millions of elements are bounded', () => {
  const many = 3_000_000;
  it.each<[string, () => unknown]>([
    ['TAP', () => parseTap(`${'ok\n'.repeat(many)}1..3`)],
    ['lines', () => parseTap('a\n'.repeat(many))],
    ['JSON', () => parseJest(`{"testResults":[{"assertionResults":[${'{},'.repeat(many)}{}]}]}`)],
    ['JSON files', () => parseJest(`{"testResults":[${'0,'.repeat(many)}0]}`)],
    ['JUnit', () => parseXml(`<testsuites>${'<a/>'.repeat(2_000_000)}</testsuites>`)],
    ['JUnit cases', () => parseXml(`<testsuite>${'<testcase/>'.repeat(200_000)}</testsuite>`)],
    ['characters', () => parseXml(`<testsuite>${' '.repeat(10_000_000)}</testsuite>`)],
  ])('%s', async (_name, read) => expect(await read()).toBe('too-large'));
});

it('cases are read from a report, and from an output that names each of them', async () => {
  expect(
    await readCases('TAP version 13\nok 1 - adds\nnot ok 2 - subtracts\n1..2\n'),
  ).toMatchObject([
    { id: 'adds', status: 'passed' },
    { id: 'subtracts', status: 'failed' },
  ]);
  expect(await readCases('all is well\n')).toBeUndefined();
});

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
