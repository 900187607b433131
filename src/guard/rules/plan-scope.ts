/** PLAN_SCOPE: a patch outside the plan's files or beyond its size, or a plan beyond the approved one (§4). */
import type { Claim } from '../claim.ts';
import { patchSize } from '../patch-size.ts';
import { matcher, normalisePath } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

export const planScope: Rule = {
  code: 'PLAN_SCOPE',
  section: '§4',
  judge: c => {
    const writes = c.call.claims.filter(claim => claim.kind === 'write');
    const plan = c.evidence.plan;
    const beyond = judgeAmendment(c) ?? judgeWithin(c);
    if (beyond !== null) return beyond;
    if (writes.length === 0) return null;
    if (plan === null) return 'there is no plan that this patch could be in';
    const planned = new Set(plan.affectedFiles.map(f => normalisePath(f)));
    const outside = writes.find(w => !planned.has(normalisePath(w.path)));
    if (outside) return `${outside.path} is not among the plan's affected files`;
    return judgeSize(writes, plan.maxChangedLines, c);
  },
};

/** What a person approved may be amended to less, never to more. */
function judgeAmendment({ call, evidence: { approved } }: Case): string | null {
  const amended = call.claims.find(claim => claim.kind === 'plan');
  if (approved === null || amended === undefined) return null;
  const files = new Set(approved.affectedFiles.map(f => normalisePath(f)));
  const outside = amended.files.find(f => !files.has(normalisePath(f)));
  const end = 'abstain when the approved plan does not do';
  if (outside !== undefined) return `${outside} is not in the plan that was approved; ${end}`;
  return amended.maxChangedLines > approved.maxChangedLines
    ? `the approved plan says at most ${approved.maxChangedLines} changed lines; ${end}`
    : null;
}

/** A task that names the files it is about reaches no others, planned or not. */
function judgeWithin({ call, evidence: { within } }: Case): string | null {
  if (within === null) return null;
  const named = matcher(within);
  const paths = call.claims.flatMap(claim =>
    claim.kind === 'plan' ? claim.files : claim.kind === 'write' ? [claim.path] : [],
  );
  const outside = paths.find(path => named(normalisePath(path) ?? path) === null);
  return outside === undefined
    ? null
    : `${outside} is outside ${within.join(', ')}, where this task may change files`;
}

function judgeSize(writes: readonly Claim[], max: number, c: Case): string | null {
  const { files, lines } = patchSize(writes, c.evidence);
  if (files > c.policy.limits.patch_files)
    return `${files} files would be changed, at most ${c.policy.limits.patch_files} are allowed`;
  return lines > max ? `${lines} lines would be changed, the plan says at most ${max}` : null;
}
