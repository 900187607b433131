import { describe, expect, it } from 'vitest';
import { parseJest } from '../../../src/ecosystems/javascript/jest-report.ts';
import { parseJunit } from '../../../src/verify/reports/parse-junit.ts';
import { readCases } from '../../../src/verify/reports/parse-report.ts';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';

describe('reports of millions of elements are bounded', () => {
  const many = 3_000_000;
  it.each<[string, () => unknown]>([
    ['TAP', () => parseTap(`${'ok\n'.repeat(many)}1..3`)],
    ['lines', () => parseTap('a\n'.repeat(many))],
    ['JSON', () => parseJest(`{"testResults":[{"assertionResults":[${'{},'.repeat(many)}{}]}]}`)],
    ['JSON files', () => parseJest(`{"testResults":[${'0,'.repeat(many)}0]}`)],
    ['JUnit', () => parseJunit(`<testsuites>${'<a/>'.repeat(2_000_000)}</testsuites>`)],
    ['JUnit cases', () => parseJunit(`<testsuite>${'<testcase/>'.repeat(200_000)}</testsuite>`)],
    ['characters', () => parseJunit(`<testsuite>${' '.repeat(10_000_000)}</testsuite>`)],
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
