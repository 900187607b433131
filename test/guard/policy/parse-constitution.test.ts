/** The shipped constitution, and what a constitution may not say. */
import { describe, expect, it } from 'vitest';
import {
  limitsSchema,
  lineOfKey,
  parseConstitution,
} from '../../../src/guard/policy/parse-constitution.ts';
import { policy, refusal, text } from '../policies.ts';

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
      'CONSTITUTION_INVALID: photon.md:13: limits.read_lines: ',
    ],
    [
      'without a rule',
      text.replace('  STALE_READ: abstain\n', ''),
      'CONSTITUTION_INVALID: photon.md:26: rules.STALE_READ: ',
    ],
    [
      'with two mistakes',
      text.replace('read_lines: 500', 'read_lines: -1').replace('repairs: 3', 'repairs: x'),
      'photon.md:17: limits.repairs: ',
    ],
    [
      'with a limit that is no number',
      text.replace('read_lines: 500', 'read_lines: 1.5'),
      'photon.md:14: limits.read_lines: ',
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

describe('front matter', () => {
  it.each([
    ['---\nlimits:\n  read_lines: 1\n---\n', 3],
    ['---\nlimits: {read_lines: 1}\n---\n', 2],
    ['---\nlimits: { "read_lines": 1 }\n---\n', 2],
    ["---\nlimits: { repairs: 1, 'read_lines' : 1 }\n---\n", 2],
    ['---\n# read_lines: 9\nlimits:\n  # read_lines: 8\n  read_lines: 1\n---\n', 5],
    ['---\nlimits: # about read_lines\n  read_lines: 1\n---\n', 3],
    ['---\nx_read_lines: 1\nread_lines: 2\n---\n', 3],
    ['---\na: 1\n---\nread_lines: 1\n', 1],
    ['---\na: 1\n--- \nread_lines: 1\n', 1],
    ['---\nb: "x---"\nread_lines: 1\n---\n', 3],
    ['---\nb: x\n  ---y\nread_lines: 1\n---\n', 4],
    ['---\nread_lines: 1\n---\n', 2],
    ['---\na: 1\n---x\nread_lines: 2\n---\n', 4],
    ['---\na: no # sign\nread_lines: 2 # sign\n---\n', 3],
    ['---\na: 1\n---\n', 1],
  ])('the key of %j is on line %i', (front, line) => {
    expect(lineOfKey(front, 'read_lines')).toBe(line);
  });

  it('finds a key with characters that mean something in a pattern', () => {
    expect(lineOfKey('---\naxb: 1\na.b: 2\n---\n', 'a.b')).toBe(3);
  });
});
