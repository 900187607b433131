/** PATH_PROTECTED: a change to a file that the constitution protects (§3.3). */
import { normalisePath, protectedMatcher } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

/** A patch or plan of which only a part is protected is refused and goes on without it. */
export const pathProtected: Rule = {
  code: 'PATH_PROTECTED',
  section: '§3.3',
  judge: c => {
    const { found, others } = divide(c);
    if (found.length === 0) return undefined;
    const named = found.slice(0, maxNamed).join(', ');
    return others === 0
      ? named
      : `${named}; nothing was done, so send the call again without ${found.length === 1 ? 'this file' : 'these files'}`;
  },
  isCorrectable: c => divide(c).others > 0,
};

/** Maximum protected files that a refusal names. */
const maxNamed = 5;

/** The protected files among those that a call writes or plans, and the number of the other ones. */
function divide({ call, policy }: Case): {
  readonly found: readonly string[];
  readonly others: number;
} {
  const protectedBy = protectedMatcher(policy.protectedPaths);
  const named = (paths: readonly string[]) =>
    [...new Set(paths.flatMap(p => normalisePath(p) ?? []))].map(path => {
      const pattern = protectedBy(path);
      return pattern === undefined ? null : `${path} is protected by ${pattern}`;
    });
  const writes = named(call.claims.flatMap(c => (c.kind === 'write' ? [c.path] : [])));
  const planned = named(call.claims.flatMap(c => (c.kind === 'plan' ? c.files : [])));
  // a plan of nothing but protected files passes: the patch that follows ends the run
  const plans = planned.includes(null) ? planned : [];
  const all = [...writes, ...plans];
  const found = all.filter(text => text !== null);
  return { found, others: all.length - found.length };
}
