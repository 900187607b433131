/** PLAN_SCOPE: a patch outside the plan's files or beyond its size, or a plan beyond the approved plan (§4). */
import { pathMatcher } from '../../base/path-patterns.ts';
import { patchSize } from '../patch-size.ts';
import { normalisePath } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

export const planScope: Rule = {
  code: 'PLAN_SCOPE',
  section: '§4',
  judge: c => {
    const writes = c.call.claims.filter(claim => claim.kind === 'write');
    const plan = c.evidence.plan;
    const beyond = judgeAmendment(c) ?? judgeWithin(c);
    if (beyond !== undefined) return beyond;
    if (writes.length === 0) return undefined;
    if (plan === undefined) return 'there is no plan yet';
    const planned = new Set(plan.affectedFiles.map(f => normalisePath(f)));
    const outside = writes.find(w => !planned.has(normalisePath(w.path)));
    if (outside) return `${outside.path} is not among the plan's affected files`;
    return judgeSize(plan.maxChangedLines, c);
  },
};

/** An approved plan may only be amended to a smaller one. */
function judgeAmendment({ call, evidence: { approved } }: Case): string | undefined {
  const amended = call.claims.find(claim => claim.kind === 'plan');
  if (approved === undefined || amended === undefined) return undefined;
  const files = new Set(approved.affectedFiles.map(f => normalisePath(f)));
  const outside = amended.files.find(f => !files.has(normalisePath(f)));
  const end = 'abstain if the approved plan is not enough';
  if (outside !== undefined) return `${outside} is not in the approved plan; ${end}`;
  return amended.maxChangedLines > approved.maxChangedLines
    ? `the approved plan allows at most ${approved.maxChangedLines} changed lines; ${end}`
    : undefined;
}

/** A task that is limited to some files may not change others, even when the plan names them. */
function judgeWithin({ call, evidence: { within } }: Case): string | undefined {
  if (within === undefined) return undefined;
  const named = pathMatcher(within);
  const paths = call.claims.flatMap(claim =>
    claim.kind === 'plan' ? claim.files : claim.kind === 'write' ? [claim.path] : [],
  );
  const outside = paths.find(path => named(normalisePath(path) ?? path) === undefined);
  return outside === undefined
    ? undefined
    : `${outside} is outside ${within.join(', ')}, the only paths that this task may change`;
}

function judgeSize(max: number, c: Case): string | undefined {
  const { files, lines } = patchSize(c);
  if (files > c.policy.limits.patch_files)
    return `the patch would change ${files} files; at most ${c.policy.limits.patch_files} are allowed`;
  return lines > max
    ? `the patch would change ${lines} lines; the plan allows at most ${max}`
    : undefined;
}
