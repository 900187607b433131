import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/ecosystems/javascript/report.ts';
import {
  describeForm,
  parseXml,
  readCases,
  readOutput,
} from '../../../src/verify/reports/parse-report.ts';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { root } from '../../root.ts';
import { expected, listed, report } from './node-report.ts';

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
    ['JSON', () => readReport(`{"testResults":[{"assertionResults":[${'{},'.repeat(many)}{}]}]}`)],
    ['JSON files', () => readReport(`{"testResults":[${'0,'.repeat(many)}0]}`)],
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

  it('mocha, whose first suite has no empty line before it if a case stands at the root', () => {
    const printed =
      '\n\n  ✔ at the root\n  total\n    ✔ adds\n    1) is zero\n\n\n  2 passing (3ms)\n  1 failing\n\n  1) total\n       is zero:\n\n      Error: 1\n';
    const read = readOutput(printed).cases?.map(c => `${signs[c.status]} ${c.id}`);
    expect(read).toEqual(['+ at the root', '+ total > adds', '! total > is zero']);
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

describe('reports are hostile input', () => {
  it('JUnit gives its cases', async () => {
    const xml =
      '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="C" name="a"/><testcase classname="C" name="b &amp; c"><failure message="x">y</failure></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>';
    expect(await parseXml(xml)).toEqual([
      { id: 'C > a', status: 'passed' },
      { id: 'C > b & c', status: 'failed', message: 'x\ny' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  const forms = [
    [
      'failure text in CDATA',
      '<testsuite><testcase name="a"><failure message="x"><![CDATA[1 < 2]]></failure></testcase></testsuite>',
      [{ id: 'a', status: 'failed', message: 'x\n1 < 2' }],
    ],
    [
      'CTest: disabled and not run',
      '<testsuite name="Linux-c++"><testcase name="a" classname="a" status="run"/><testcase name="b" classname="b" status="disabled"/><testcase name="c" classname="c" status="notrun"><skipped message="x"/></testcase><testcase name="d" classname="d" status="fail"><failure message=""/></testcase></testsuite>',
      [
        { id: 'a > a', status: 'passed' },
        { id: 'b > b', status: 'skipped' },
        { id: 'c > c', status: 'skipped' },
        { id: 'd > d', status: 'failed' },
      ],
    ],
    [
      'GoogleTest: disabled',
      '<testsuites><testsuite name="S"><testcase name="DISABLED_a" status="notrun" result="suppressed" classname="S"/></testsuite></testsuites>',
      [{ id: 'S > DISABLED_a', status: 'skipped' }],
    ],
    [
      'TRX',
      '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult testName="A" outcome="Passed"/><UnitTestResult testName="B" outcome="Failed"><Output><ErrorInfo><Message>Assert.AreEqual failed.</Message></ErrorInfo></Output></UnitTestResult><UnitTestResult testName="C" outcome="NotExecuted"/></Results></TestRun>',
      [
        { id: 'A', status: 'passed' },
        { id: 'B', status: 'failed', message: 'Assert.AreEqual failed.' },
        { id: 'C', status: 'skipped' },
      ],
    ],
  ] as const;
  it.each(forms)('%s', async (_name, xml, expected) =>
    expect(await parseXml(xml)).toEqual(expected),
  );

  it.each([
    [
      'a document type',
      '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>',
    ],
    ['an unknown entity', '<testsuite><testcase name="&lol;"/></testsuite>'],
    ['broken nesting', '<testsuite><testcase name="a"></testsuite>'],
    ['deep nesting', `<testsuite>${'<a>'.repeat(60)}${'</a>'.repeat(60)}</testsuite>`],
    ['another document', '<html></html>'],
    ['nothing', ''],
  ])('JUnit with %s is refused', async (_name, xml) => expect(await parseXml(xml)).toBeUndefined());
});

describe('reports that real tools write', () => {
  it('node:test as JUnit', async () => {
    const { stdout, file } = await report('junit');
    const cases = listed(await parseXml(stdout));
    // older versions do not name the file
    const ids = cases.map(c => [c.status, c.id.replace(`${file} > `, '')]);
    expect(ids).toEqual(expected);
    expect(cases?.[1]?.message).toContain(`${file}:5:`);
  });

  it('pytest as JUnit', async () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/pytest-9.0.3.xml'), 'utf8');
    const cases = listed(await parseXml(text));
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['passed', 'test_x.TestA > test_ok'],
      ['failed', 'test_x.TestA > test_bad'],
      ['passed', 'test_x > test_p[1]'],
      ['passed', 'test_x > test_p[2]'],
      ['skipped', 'test_x > test_s'],
      ['failed', 'test_x > test_err'],
    ]);
    expect(cases?.[1]?.message).toContain('test_x.py:5: AssertionError');
    expect(cases?.[5]?.message).toContain('test_x.py:11: ValueError');
  });
});
