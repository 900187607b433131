import { expect, it } from 'vitest';
import {
  patchMessage,
  provenAs,
  type VerificationRun,
  withArticle,
} from '../../src/base/outcome.ts';

it.each([
  ['verified', { passed: true }],
  ['unverified', { passed: false }],
  // nothing new fails, and yet the tests do not pass
  ['unverified', { passed: true, after: { passed: false } as VerificationRun }],
  ['unverified', null],
  ['unverified', undefined],
])('a patch is %s with the verification %j', (word, checked) => {
  expect(provenAs(checked ?? undefined)).toBe(`${word} patch`);
  expect(patchMessage('COMMITTED', checked ?? undefined)).toBe(`The ${word} patch was delivered.`);
  expect(withArticle(provenAs(checked ?? undefined, 'commit'))).toMatch(
    word === 'verified' ? /^a verified commit$/ : /^an unverified commit$/,
  );
});
