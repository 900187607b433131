import { expect, it } from 'vitest';
import { differingFields, sealOutcome } from '../../src/audit/outcome-seal.ts';

const outcome = { status: 'committed', verification: { passed: true, warnings: [] }, empty: {} };

it('a seal has a digest of each field, and of each field of an object', () => {
  const seal = sealOutcome(outcome);
  expect(Object.keys(seal)).toEqual([
    'status',
    'verification.passed',
    'verification.warnings',
    'empty',
  ]);
  expect(Object.values(seal).every(digest => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
});

it('the entry that holds the seal, notes and absent fields are left out', () => {
  expect(sealOutcome({ ...outcome, ledger: {}, notes: ['n'], absent: undefined })).toEqual(
    sealOutcome(outcome),
  );
});

it('fields that changed, came or went differ', () => {
  const changed = { status: 'failed', verification: { passed: true }, more: 1, empty: {} };
  expect(differingFields(sealOutcome(outcome), sealOutcome(changed))).toEqual([
    'more',
    'status',
    'verification.warnings',
  ]);
  expect(differingFields(sealOutcome(outcome), sealOutcome(structuredClone(outcome)))).toEqual([]);
});
