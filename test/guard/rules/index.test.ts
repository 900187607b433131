/** The list of rules: complete, and in its order. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ruleCodes } from '../../../src/guard/policy/constitution.ts';
import { rules } from '../../../src/guard/rules/index.ts';
import { policy } from '../policies.ts';
import { answer, read } from './cases.ts';

describe('the guard', () => {
  it('has rows for every rule of its table', () => {
    const files = readdirSync(import.meta.dirname).filter(f => f.endsWith('.test.ts'));
    const named = rules.map(r => `${r.code.toLowerCase().replaceAll('_', '-')}.test.ts`);
    expect(files.filter(f => f !== 'index.test.ts').sort()).toEqual(named.sort());
  });

  it('looks for violations first, whatever the evidence, and then in the order of the table', () => {
    const bare = { thought: '', plan: undefined, permittedTools: new Set<string>() };
    const given = { evidence: bare, call: { nextPhase: undefined, problems: 1 } };
    expect(answer([read('../x', 1, 900)], given)).toMatch(/^violation PATH_ESCAPE/);
    expect(answer([read('a.js', 1, 900)], given)).toMatch(/^violation READ_LIMIT/);
    expect(answer([read('a.js', 1)], given)).toMatch(/^abstain TOOL_NOT_PERMITTED/);
    const order = rules.map(r => r.code);
    expect(order.indexOf('TOOL_NOT_PERMITTED')).toBeLessThan(order.indexOf('ARGUMENTS_INVALID'));
  });
});

describe('the constitution', () => {
  it('gives every rule a class, and the table has a rule for every code', () => {
    expect(Object.keys(policy.rules).sort()).toEqual([...ruleCodes].sort());
    expect(rules.map(r => r.code).sort()).toEqual([...ruleCodes].sort());
  });
});
