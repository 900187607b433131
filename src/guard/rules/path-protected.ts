/** PATH_PROTECTED: a change to a file that the constitution protects (§3.3). */
import { changedPaths, protectedMatcher } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

/**
 * A plan is refused correctably, and a patch of which only a part is protected: both say what to leave out. A patch of
 * nothing else ends the run when this run was told of the rule before. In strict mode it ends the run at once, and a plan of
 * nothing else passes.
 */
export const pathProtected: Rule = {
  code: 'PATH_PROTECTED',
  section: '§3.3',
  judge: c => {
    const { found, others } = divide(c);
    if (found.length === 0 || (isPlan(c) && others === 0 && c.policy.reads === 'strict'))
      return undefined;
    const named = found.slice(0, maxNamed);
    const all = named.map(f => `${f.path} is protected by ${f.pattern}`).join(', ');
    if (!isCorrectable(c)) return all;
    const paths = named.map(f => f.path).join(', ');
    const next =
      others > 0
        ? `send the call again without ${paths}`
        : isPlan(c)
          ? `plan the files that may change, or none (affected_files: []), and name ${paths} in finish for a person to change`
          : `leave ${paths} out, and name it in finish for a person to change; a second patch of it ends the run`;
    return `${all}; nothing was done: ${next}`;
  },
  isCorrectable: c => isCorrectable(c),
};

function isCorrectable(c: Case): boolean {
  if (isPlan(c) || divide(c).others > 0) return true;
  return c.policy.reads !== 'strict' && !c.evidence.refused.has('PATH_PROTECTED');
}

function isPlan({ call }: Case): boolean {
  return call.claims.some(claim => claim.kind === 'plan');
}

/** Maximum protected files that a refusal names. */
const maxNamed = 5;

interface ProtectedFile {
  readonly path: string;
  readonly pattern: string;
}

/** The protected files among those that a call writes or plans, and the number of the other ones. */
function divide({ call, policy }: Case): {
  readonly found: readonly ProtectedFile[];
  readonly others: number;
} {
  const protectedBy = protectedMatcher(policy.protectedPaths);
  const paths = changedPaths(call.claims);
  const found = paths.flatMap(path => {
    const pattern = protectedBy(path);
    return pattern === undefined ? [] : [{ path, pattern }];
  });
  return { found, others: paths.length - found.length };
}
