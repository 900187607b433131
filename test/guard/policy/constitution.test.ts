/** A policy where folders meet, and beside another one. */
import { describe, expect, it } from 'vitest';
import { pathMatcher } from '../../../src/base/path-patterns.ts';
import { looserThan, policyFor } from '../../../src/guard/policy/constitution.ts';
import { resolveConstitution } from '../../../src/guard/policy/resolve-constitution.ts';
import { at, policy } from '../policies.ts';

describe('the policy of folders', () => {
  it('may say again what holds, and less strict where two folders meet is not taken', async () => {
    const merged = await resolveConstitution(policy, [
      at('a/constitution.md', 'rules: { PLAN_SCOPE: violation }\nlimits: { read_lines: 10 }'),
      at('b/constitution.md', 'rules: { PLAN_SCOPE: abstain }\nlimits: { read_lines: 500 }'),
    ]);
    for (const paths of [
      ['a/x', 'b/x'],
      ['b/x', 'a/x'],
    ]) {
      expect(policyFor(merged, paths).rules.PLAN_SCOPE).toBe('violation');
      expect(policyFor(merged, paths).limits.read_lines).toBe(10);
    }
    expect(policyFor(merged, ['b/x']).rules.PLAN_SCOPE).toBe('abstain');
    expect(policyFor(merged, ['b']).limits.read_lines).toBe(500);
    expect(policyFor(merged, ['a']).limits.read_lines).toBe(10);
    expect(policyFor(merged, [])).toEqual({ ...policy, folders: merged.folders });
    expect(policyFor(policy, ['a/x'])).toBe(policy);
  });

  it('is looser in the first of its ways', () => {
    expect(looserThan(policy, policy)).toBeUndefined();
    expect(looserThan({ ...policy, limits: { ...policy.limits, repairs: 4 } }, policy)).toBe(
      'repairs: 4 is looser than 3',
    );
    expect(
      looserThan({ ...policy, rules: { ...policy.rules, READ_LIMIT: 'abstain' } }, policy),
    ).toBe('READ_LIMIT: abstain is looser than violation');
    expect(looserThan({ ...policy, protectedPaths: policy.protectedPaths.slice(1) }, policy)).toBe(
      '.github/** is not protected',
    );
    expect(
      looserThan(
        {
          ...policy,
          rules: { ...policy.rules, PLAN_SCOPE: 'violation' },
          limits: { ...policy.limits, repairs: 0 },
        },
        policy,
      ),
    ).toBeUndefined();
  });
});

describe('the constitution', () => {
  it('lets a sub-folder tighten for itself alone, and for what lies in it', async () => {
    const merged = await resolveConstitution(policy, [
      at(
        'pkg/a/constitution.md',
        'limits: { read_lines: 50 }\nprotected_paths: [data/**]',
        'In a.',
      ),
      at('pkg/constitution.md', 'rules: { STALE_READ: violation }', 'In pkg.'),
      at('constitution.md', 'limits: { read_lines: 300 }'),
    ]);
    expect(policyFor(merged, ['src/x.ts', 'pkg-b/x']).limits.read_lines).toBe(300);
    expect(policyFor(merged, ['src/x.ts']).prose).not.toContain('In pkg.');
    expect(policyFor(merged, ['pkg/b/y.ts'])).toEqual(policyFor(merged, ['pkg/b/x.ts']));
    const inside = policyFor(merged, ['src/x.ts', 'pkg/a/x.ts']);
    expect(inside.limits.read_lines).toBe(50);
    expect(inside.rules.STALE_READ).toBe('violation');
    expect(inside.protectedPaths).toContain('pkg/a/data/**');
    expect(inside.prose).toMatch(
      /# Constitution of pkg\n\nIn pkg\.\n\n# Constitution of pkg\/a\n\nIn a\./,
    );
    expect(policyFor(merged, ['pkg/b/x.ts']).limits.read_lines).toBe(300);
    expect(policyFor(merged, ['pkg/b/x.ts']).rules.STALE_READ).toBe('violation');
  });

  it('means a folder with pattern characters by its name', async () => {
    const merged = await resolveConstitution(policy, [
      at('a[b]*/constitution.md', 'protected_paths: [x.txt]'),
    ]);
    const { protectedPaths } = policyFor(merged, ['a[b]*/x.txt']);
    expect(pathMatcher(protectedPaths)('a[b]*/x.txt')).not.toBeUndefined();
    expect(pathMatcher(protectedPaths)('ab/x.txt')).toBeUndefined();
  });
});
