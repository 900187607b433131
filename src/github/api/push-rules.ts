/** What GitHub's rules and refusals say of a push. Pure. */
import type { Code } from '../../codes.ts';

/** One rule that applies to a branch, as `GET /repos/{owner}/{repo}/rules/branches/{branch}` lists it. */
export interface BranchRule {
  readonly type: string;
}

/**
 * How the head of a branch may be replaced under its rules:
 * - `force`: by any commit.
 * - `forward`: by a commit on top of it.
 * - `linear`: by a commit on top of it that is no merge. A new base cannot be taken in then.
 *
 * GitHub lists a rule to everybody, also to those who may bypass it: a rule is a reason to expect a
 * refusal, not the refusal.
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

/** The code of a refusal that has one of its own, by GitHub's words; null for every other. */
export function codeOfRefusal(said: string): Code | null {
  return refusals.find(([words]) => words.test(said))?.[1] ?? null;
}

/** True for a file that GitHub runs as a workflow: a token needs a permission of its own to change it. */
export function isWorkflowFile(path: string): boolean {
  return path.startsWith('.github/workflows/');
}
