import { expect, it } from 'vitest';
import { readCases } from '../../../src/verify/reports/read-cases.ts';

it('cases are read from a report, and from an output that names each of them', async () => {
  expect(
    await readCases('TAP version 13\nok 1 - adds\nnot ok 2 - subtracts\n1..2\n'),
  ).toMatchObject([
    { id: 'adds', status: 'passed' },
    { id: 'subtracts', status: 'failed' },
  ]);
  expect(await readCases('all is well\n')).toBeNull();
});
