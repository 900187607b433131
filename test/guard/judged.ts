/** A case for the guard, and how the ledger keeps it. */
import { pathClasses } from '../../src/ecosystems/tests/path-classes.ts';
import type { Claim, PathFacts } from '../../src/guard/claim.ts';
import { initialEvidence } from '../../src/guard/evidence.ts';
import type { Constitution } from '../../src/guard/policy/constitution.ts';
import type { Case } from '../../src/guard/rule.ts';
import { type CallTrace, callTraceSchema } from '../../src/guard/trace.ts';

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
  facts: Record<string, PathFacts> = {},
  secret = '',
): Case {
  return {
    call: { tool: 't', exists: true, argumentProblems: ['a', 'b'], claims, nextPhase: 'READ' },
    evidence,
    policy,
    facts: new Map(Object.entries(facts)),
    pathClasses,
    holdsSecret: text => secret !== '' && text.includes(secret),
  };
}

export const claims: readonly Claim[] = [
  { kind: 'navigate', path: 'a' },
  { kind: 'read', path: 'a' },
  { kind: 'read', path: 'a', range: { startLine: 2, endLine: 9 }, symbol: 'private words' },
  {
    kind: 'write',
    path: 'a',
    change: 'edit',
    ranges: [{ startLine: 3, endLine: 2 }],
    added: 'private\nwords',
  },
  { kind: 'write', path: 'b', change: 'delete', ranges: [], added: '' },
  { kind: 'write', path: 'c', change: 'replace', ranges: [], added: '', from: 'b' },
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

export const facts: Record<string, PathFacts> = {
  a: { kind: 'file', tracked: true, lines: ['private', 'words'] },
  b: { kind: 'missing', tracked: false, through: 'l', leadsTo: 'd', lines: [] },
};

/** As the ledger would hand it back. */
export const stored = (trace: CallTrace) =>
  callTraceSchema.parse(JSON.parse(JSON.stringify(trace)));
