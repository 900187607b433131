import { expect, it } from 'vitest';
import { agreesWith } from '../../../../src/repair/runners/adapters/python.ts';

it('trusts a warm run only if the real one has the same results', () => {
  const cases = [
    { id: 'a', file: 'a', status: 'passed' as const },
    { id: 'b', file: 'a', status: 'failed' as const },
  ];
  expect(agreesWith(cases, { passed: false, output: 'Ran 2 tests in 0.1s\n' })).toBe(true);
  expect(agreesWith(cases, { passed: false, output: 'Ran 3 tests in 0.1s\n' })).toBe(false);
  expect(agreesWith(cases, { passed: true, output: 'Ran 2 tests in 0.1s\n' })).toBe(false);
  expect(agreesWith(cases, { passed: false, output: '1 failed, 1 passed in 0.1s' })).toBe(true);
  expect(agreesWith([], { passed: true, output: '' })).toBe(false);
});
