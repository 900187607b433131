import { describe, expect, it } from 'vitest';
import { parseJest } from '../../../src/ecosystems/javascript/jest-report.ts';
import { describeForm, readCases } from '../../../src/verify/reports/parse-report.ts';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { parseXml } from '../../../src/verify/reports/parse-xml.ts';

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
