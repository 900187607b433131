/** A case for the guard, and how the ledger keeps it. */
import { pathClasses } from '../../src/ecosystems/tests/path-classes.ts';
import type { Claim, PathState } from '../../src/guard/claim.ts';
import { initialEvidence } from '../../src/guard/evidence.ts';
import { type CallTrace, callTraceSchema, findFacts } from '../../src/guard/facts.ts';
import type { Constitution } from '../../src/guard/policy/constitution.ts';
import type { Case } from '../../src/guard/rule.ts';

export const evidence = initialEvidence({
  taskPaths: [],
  coreTools: [],
  allowedSkills: [],
  unreadySkills: {},
  verificationWaived: false,
});

export const policy = {} as Constitution;

export function caseOf(
  claims: readonly Claim[],
  facts: Record<string, PathState> = {},
  secret = '',
): Case {
  const { facts: found, ...call } = findFacts(claims, {
    states: new Map(Object.entries(facts)),
    evidence,
    holdsSecret: text => secret !== '' && text.includes(secret),
  });
  const problems = { problems: 2, problemText: 'private; words' };
  return {
    call: { ...call, ...problems, tool: 't', exists: true, nextPhase: 'READ' },
    evidence,
    policy,
    facts: found,
    pathClasses,
  };
}

export const claims: readonly Claim[] = [
  { kind: 'navigate', path: 'a' },
  { kind: 'read', path: 'a' },
  { kind: 'read', path: 'a', range: { startLine: 2, endLine: 9 } },
  {
    kind: 'write',
    path: 'a',
    change: 'edit',
    ranges: [{ startLine: 3, endLine: 2, moved: [{ startLine: 1, endLine: 1 }] }],
    added: 'private\nwords',
  },
  { kind: 'write', path: 'd', change: 'delete', ranges: [], added: '' },
  { kind: 'write', path: 'c', change: 'replace', ranges: [], added: 'private\n' },
  { kind: 'plan', files: ['a', 'c'], maxChangedLines: 9 },
  { kind: 'undo' },
  { kind: 'redirect', path: 'x.log' },
  { kind: 'run', commands: [['private', 'words']] },
  { kind: 'skill', name: 's' },
  { kind: 'skill-file', skill: 's', file: 'a.md', range: { startLine: 1, endLine: 9 } },
  { kind: 'skill-file', skill: 's', file: 'b.md' },
  { kind: 'commit' },
  { kind: 'clarify', reason: 'unresolved_symbol', symbol: 'f', destroys: [], constraints: [] },
  {
    kind: 'clarify',
    reason: 'destructive_paths',
    destroys: [['a'], []],
    constraints: [{ name: 'within' }, { skill: 's', quote: 'digest' }],
  },
  { kind: 'destroy', path: 'a' },
];

export const facts: Record<string, PathState> = {
  a: { kind: 'file', tracked: true, lines: ['private', 'words'] },
  b: {
    kind: 'missing',
    tracked: false,
    through: 'l',
    leadsTo: 'd',
    nearest: ['private'],
    lines: [],
  },
  c: { kind: 'missing', tracked: false, lines: [] },
  d: { kind: 'file', tracked: true, lines: ['private'] },
};

/** As the ledger would hand it back. */
export const stored = (trace: CallTrace) =>
  callTraceSchema.parse(JSON.parse(JSON.stringify(trace)));
