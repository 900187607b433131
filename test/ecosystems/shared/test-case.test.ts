import { expect, it } from 'vitest';
import { maxCases, uniqueCases } from '../../../src/ecosystems/shared/test-case.ts';

const passed = (id: string) => ({ id, status: 'passed' as const });

it('repeated names get a counter, whatever their white space is', () => {
  const cases = uniqueCases([passed('a b'), passed(' a\n b '), passed('c'), passed('a b')]);
  expect(cases).toEqual([passed('a b'), passed('a b (2)'), passed('c'), passed('a b (3)')]);
});

it('more cases than the limit are none', () => {
  const many = Array.from({ length: maxCases + 1 }, () => passed('a'));
  expect(uniqueCases(many)).toBe('too-large');
});
