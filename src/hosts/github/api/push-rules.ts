/** What GitHub's branch rules and refusals mean for a push. Pure. */
import type { Code } from '../../../base/codes.ts';

/** A rule of a branch, as `GET /repos/{owner}/{repo}/rules/branches/{branch}` lists it. */
export interface BranchRule {
  readonly type: string;
}

/**
 * How the rules of a branch allow its head to be replaced:
 * - `force`: by any commit.
 * - `forward`: by a commit on top of it.
 * - `linear`: by a commit on top of it that is no merge, so the branch cannot follow a new base.
 *
 * GitHub lists the rules even to those who can bypass them, so a rule makes a refusal only likely.
 */
export function forcePushRule(rules: readonly BranchRule[]): 'force' | 'forward' | 'linear' {
  const has = (type: string) => rules.some(rule => rule.type === type);
  if (!has('non_fast_forward')) return 'force';
  return has('required_linear_history') ? 'linear' : 'forward';
}

const refusals: readonly (readonly [RegExp, Code])[] = [
  [/refusing to allow .{1,80} to create or update workflow/i, 'WORKFLOWS_FORBIDDEN'],
  [
    /cannot force-push to this branch|must not contain merge commits|update is not a fast.?forward/i,
    'FORCE_PUSH_FORBIDDEN',
  ],
];

/** The code for GitHub's refusal message; null when there is no special code for it. */
export function codeOfRefusal(message: string): Code | null {
  return refusals.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** True for a file that GitHub runs as a workflow. A token needs an extra permission to change it. */
export function isWorkflowFile(path: string): boolean {
  return path.startsWith('.github/workflows/');
}
