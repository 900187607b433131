/** What the tests of the rules share: a case in which everything passes, claims, and how rows are played. */
import { describe, expect, it } from 'vitest';
import { pathClasses } from '../../../src/ecosystems/tests/path-classes.ts';
import type { Claim, PathState, WriteClaim } from '../../../src/guard/claim.ts';
import { decide } from '../../../src/guard/decide.ts';
import { type Evidence, initialEvidence } from '../../../src/guard/evidence.ts';
import { findFacts } from '../../../src/guard/facts.ts';
import type { Constitution } from '../../../src/guard/policy/constitution.ts';
import type { SkillGrant } from '../../../src/guard/policy/skill-grant.ts';
import type { Case, JudgedCall, Rule } from '../../../src/guard/rule.ts';
import { policy } from '../policies.ts';

export { policy };

/** The same with other limits. */
export const limited = (limits: Partial<Constitution['limits']>): Constitution => ({
  ...policy,
  limits: { ...policy.limits, ...limits },
});

/** The same by the letter: a look that lacks a step is refused. */
export const strict: Constitution = { ...policy, reads: 'strict' };

/** A file of four lines, known and led to, with a plan for it: everything passes. */
const lines = ['one', 'two', 'three', 'four'];

export const known = (...numbers: number[]) => new Set(numbers);

export const ready: Evidence = {
  ...initialEvidence({
    taskPaths: ['a.js'],
    coreTools: ['read_code_block', 'apply_patch', 'finish', 'run_command', 'clarify'],
    allowedSkills: ['code-modify'],
    unreadySkills: {},
    verificationWaived: false,
  }),
  phase: 'READ',
  thought: 'I need it. It holds the price.',
  isBrief: false,
  plan: { affectedFiles: ['a.js', './b//c.js'], maxChangedLines: 5 },
  known: new Map([['a.js', known(1, 2, 3, 4)]]),
};

export const planned = (affectedFiles: readonly string[], maxChangedLines: number) => ({
  affectedFiles,
  maxChangedLines,
});

export const file: PathState = { kind: 'file', tracked: true, lines };

export const missing: PathState = { kind: 'missing', tracked: false, lines: [] };

export interface Given {
  readonly call?: Partial<JudgedCall>;
  readonly evidence?: Partial<Evidence>;
  readonly facts?: Readonly<Record<string, PathState>>;
  readonly policy?: Constitution;
  readonly secret?: string;
}

export function caseOf(claims: readonly Claim[], given: Given = {}): Case {
  const evidence = { ...ready, ...given.evidence };
  const { facts, ...found } = findFacts(claims, {
    states: new Map(Object.entries({ 'a.js': file, ...given.facts })),
    evidence,
    holdsSecret: text => given.secret !== undefined && text.includes(given.secret),
  });
  const usual = { tool: 'read_code_block', exists: true, problems: 0, nextPhase: 'READ' } as const;
  return {
    call: { ...found, ...usual, ...given.call },
    evidence,
    policy: given.policy ?? policy,
    facts,
    pathClasses,
  };
}

/** `pass`, or the class of the rule, its code, section and what it saw. */
export function answer(claims: readonly Claim[], given: Given = {}): string {
  const decision = decide(caseOf(claims, given));
  if (decision.state === 'pass') return 'pass';
  const ruleClass = decision.severity === 'abort' ? 'violation' : decision.state;
  return `${ruleClass} ${decision.code} ${decision.section} ${decision.evidence}`;
}

export const read = (path: string, startLine?: number, endLine = startLine ?? 0): Claim =>
  startLine === undefined
    ? { kind: 'read', path }
    : { kind: 'read', path, range: { startLine, endLine } };

export const write = (path: string, more: Partial<WriteClaim> = {}): Claim => ({
  kind: 'write',
  path,
  change: 'edit',
  ranges: [{ startLine: 2, endLine: 2 }],
  added: 'x',
  ...more,
});

export const at = (startLine: number, endLine: number) => ({ ranges: [{ startLine, endLine }] });

export const skillFile = (skill: string, name: string, endLine = 5): Claim => ({
  kind: 'skill-file',
  skill,
  file: name,
  range: { startLine: 1, endLine },
});

export type Question = Extract<Claim, { kind: 'clarify' }>;

export const asks = (reason: Question['reason'], more: Partial<Question> = {}): Claim => ({
  kind: 'clarify',
  reason,
  destroys: [],
  constraints: [],
  ...more,
});

export const grant = (more: Partial<SkillGrant>): SkillGrant => ({
  name: 'code-modify',
  tools: ['run_command', 'apply_patch'],
  guards: {},
  budgets: {},
  ...more,
});

export type Row = readonly [string, readonly Claim[], string, Given?];

/**
 * Plays each row against the whole guard. `own` is the class of the rule, its code and section, and stands in front of what the
 * rule sees; a row may expect the answer of another rule, which it states whole.
 */
export function playRows(rule: Rule, own: string, rows: readonly Row[]): void {
  describe(rule.code, () => {
    it.each(rows.map(row => [row[0], row] as const))('%s', (_name, [, claims, expected, given]) => {
      const isWhole = /^(?:pass$|abstain [A-Z]|violation [A-Z])/.test(expected);
      expect(answer(claims, given)).toBe(isWhole ? expected : `${own} ${expected}`);
    });
  });
}

/** What a rule by itself sees in a call, whatever the others say. */
export function judge(rule: Rule, claims: readonly Claim[], given: Given = {}) {
  return rule.judge(caseOf(claims, given));
}
