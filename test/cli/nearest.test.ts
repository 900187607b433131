import { expect, it } from 'vitest';
import { didYouMean } from '../../src/cli/nearest.ts';

const names = ['run', 'verify', 'validate', 'session'];

it.each([
  ['verfy', 'verify'],
  ['vreify', 'verify'],
  ['VERIFY', 'verify'],
  ['validat', 'validate'],
  ['rum', 'run'],
  ['sess', 'session'],
])('%s is meant as %s', (given, name) => {
  expect(didYouMean(given, names)).toBe(` Did you mean ${name}?`);
});

it.each(['x', 've', 'something-else', ''])('%j is near to no name', given => {
  expect(didYouMean(given, names)).toBe('');
});

it('the name is shown as it is typed', () => {
  expect(didYouMean('sesion', names, '--')).toBe(' Did you mean --session?');
});
