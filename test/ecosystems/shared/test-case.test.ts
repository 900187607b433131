import { expect, it } from 'vitest';
import { maxCases, uniqueCases } from '../../../src/ecosystems/shared/test-case.ts';

const passed = (id: string) => ({ id, status: 'passed' as const });

it('repeated names get a counter, whatever their white space is', () => {
  const cases = uniqueCases([passed('a b'), passed(' a\n b '), passed('c'), passed('a b')]);
  expect(cases).toEqual([passed('a b'), passed('a b (2)'), passed('c'), passed('a b (3)')]);
});

it('a case that a patch puts before an equal one that fails makes no new failure', () => {
  const failed = { id: 'a', status: 'failed' as const };
  const failing = (cases: ReturnType<typeof uniqueCases>) =>
    typeof cases === 'object' && cases.filter(c => c.status === 'failed').map(c => c.id);
  expect(failing(uniqueCases([passed('a'), failed]))).toEqual(['a']);
  expect(failing(uniqueCases([passed('a'), passed('a'), failed]))).toEqual(['a']);
});

it('more cases than the limit are none', () => {
  const many = Array.from({ length: maxCases + 1 }, () => passed('a'));
  expect(uniqueCases(many)).toBe('too-large');
});
