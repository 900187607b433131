/** The shipped constitution, and what a constitution may not say. */
import { describe, expect, it } from 'vitest';
import { limitsSchema, parseConstitution } from '../../src/guard/parse-constitution.ts';
import { policy, refusal, text } from './policies.ts';

describe('the shipped constitution', () => {
  it.each([
    [
      'of another version',
      text.replace('version: "2.0"', 'version: "12"'),
      'CONSTITUTION_VERSION: photon.md: version "12"',
    ],
    [
      'without a limit',
      text.replace('  read_lines: 500\n', ''),
      'CONSTITUTION_INVALID: photon.md:3: limits.read_lines: ',
    ],
    [
      'without a rule',
      text.replace('  STALE_READ: abstain\n', ''),
      'CONSTITUTION_INVALID: photon.md:14: rules.STALE_READ: ',
    ],
    [
      'with two mistakes',
      text.replace('read_lines: 500', 'read_lines: -1').replace('repairs: 3', 'repairs: x'),
      'photon.md:7: limits.repairs: ',
    ],
    [
      'with a limit that is no number',
      text.replace('read_lines: 500', 'read_lines: 1.5'),
      'photon.md:4: limits.read_lines: ',
    ],
  ])('%s is refused', async (_name, changed, says) => {
    expect(await refusal(() => parseConstitution(changed, 'photon.md'))).toContain(says);
  });

  it('tells two mistakes on two lines', async () => {
    const changed = text
      .replace('read_lines: 500', 'read_lines: -1')
      .replace('repairs: 3', 'repairs: x');
    expect((await refusal(() => parseConstitution(changed, 'p'))).split('\n')).toHaveLength(2);
  });

  it('has prose that begins with its title, and no folders', () => {
    expect(policy.prose.startsWith('# Constitution of Photon')).toBe(true);
    expect(policy.prose).toBe(policy.prose.trim());
    expect(policy.folders).toEqual([]);
  });
});

describe('the policy of folders', () => {
  it('says of each limit what it bounds', () => {
    for (const limit of Object.values(limitsSchema.shape))
      expect(limit.description).toMatch(/^(Maximum|Abstentions|Violations|Failed) .+\.$/);
  });
});
