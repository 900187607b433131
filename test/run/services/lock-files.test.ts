/** What a tool that made no lock file did instead. */
import { expect, it } from 'vitest';
import { describeFailure } from '../../../src/run/services/lock-files.ts';

const passed = { exitCode: 0, limit: undefined };

it.each([
  [{ exitCode: undefined, limit: 'time' }, undefined, undefined, 'reached its time limit'],
  [{ exitCode: undefined, limit: undefined }, undefined, undefined, 'was ended by a signal'],
  [{ exitCode: 3, limit: undefined }, undefined, undefined, 'failed with 3'],
  [passed, '{}', 'package.json', 'wrote package.json'],
  [passed, 'too-large', undefined, 'wrote more than 10 MB'],
  [passed, undefined, undefined, 'wrote no such file'],
] as const)('%j with the file %s and the other file %s: it %s', (end, made, other, how) => {
  expect(describeFailure(end, made, other)).toBe(how);
});
