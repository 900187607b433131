/** CLARIFY_UNFOUNDED: a question that the evidence of this run does not justify (§9). */
import type { ClaimFacts } from '../claim.ts';
import { normalisePath } from '../paths.ts';
import { findConstraint } from '../policy/named-constraint.ts';
import type { Case, Rule } from '../rule.ts';

type Question = Extract<ClaimFacts, { kind: 'clarify' }>;

export const clarifyUnfounded: Rule = {
  code: 'CLARIFY_UNFOUNDED',
  section: '§9',
  judge: c => {
    for (const claim of c.call.claims) {
      const problem = claim.kind === 'clarify' ? judgeQuestion(claim, c) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
};

function judgeQuestion(question: Question, c: Case): string | undefined {
  switch (question.reason) {
    case 'destructive_paths':
      return judgeDestruction(question, c);
    case 'unresolved_symbol':
      return judgeSymbol(question, c);
    case 'conflicting_constraints':
      return judgeConflict(question, c);
  }
}

/** The symbol counts as missing after a lookup of exactly this name found nothing, until one finds it. */
function judgeSymbol({ symbol }: Question, { evidence }: Case): string | undefined {
  if (symbol === undefined) return 'the question names no symbol';
  return evidence.unresolved.has(symbol)
    ? undefined
    : `no lookup of exactly ${JSON.stringify(symbol)} in this run found nothing`;
}

/** Each choice must destroy files that this run found, and not all of them the same ones. */
function judgeDestruction({ destroys }: Question, c: Case): string | undefined {
  if (destroys.length < 2) return 'the question offers fewer than two choices';
  for (const [i, paths] of destroys.entries()) {
    if (paths.length === 0)
      return `choice ${i + 1} names no file that it destroys; if it destroys none, take it and do not ask`;
    const problem = paths.map(path => judgeDestroyed(path, c)).find(p => p !== undefined);
    if (problem !== undefined) return `choice ${i + 1}: ${problem}`;
  }
  const different = new Set(destroys.map(paths => keyOf(paths)));
  return different.size < destroys.length ? 'two choices destroy the same files' : undefined;
}

function judgeDestroyed(raw: string, { facts, evidence }: Case): string | undefined {
  const path = normalisePath(raw) ?? '';
  const known = facts.get(path);
  if (!known?.tracked || !(known.kind === 'file' || known.kind === 'binary'))
    return `${raw} is not a tracked file`;
  return evidence.navigatedFiles.has(path) ? undefined : `nothing in this run led to ${raw}`;
}

const keyOf = (paths: readonly string[]) =>
  [...new Set(paths.map(p => normalisePath(p)))].sort().join('\n');

/** Two constraints must be in force, and at least one of them must have refused a call of this run. */
function judgeConflict({ constraints }: Question, c: Case): string | undefined {
  const found = constraints.map(named => ({ named, constraint: findConstraint(named, c) }));
  const unknown = found.find(f => f.constraint === undefined);
  if (unknown !== undefined) {
    const { named } = unknown;
    const text = 'quote' in named ? `${named.skill}: …` : named.name;
    return `${JSON.stringify(text)} is not a constraint in force`;
  }
  const inForce = found.flatMap(f => f.constraint ?? []);
  if (new Set(inForce.map(f => f.id)).size < 2)
    return 'the question names fewer than two different constraints';
  const { refused, verified } = c.evidence;
  const speaks = (code: string) =>
    refused.has(code) || (code === 'VERIFY_TESTS_CHANGED' && verified?.testsChanged === true);
  return inForce.some(f => f.refusals.some(speaks))
    ? undefined
    : 'none of these constraints refused a call of this run';
}
