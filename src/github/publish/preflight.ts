/** Would GitHub take the delivery of this run? Asked before a model is paid for. */
import { randomUUID } from 'node:crypto';
import type { Code } from '../../codes.ts';
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { forcePushRule } from '../api/push-rules.ts';
import { readRef } from '../api/refs.ts';

/** What a run is going to ask of GitHub at its end. */
export interface PlannedDelivery {
  readonly repository: string;
  readonly baseRef: string;
  /** True when it ends in a pull request. */
  readonly opensPull: boolean;
}

/** What no later try of the same run can change. */
const final: ReadonlySet<Code> = new Set([
  'GITHUB_AUTH',
  'GITHUB_PERMISSION',
  'PULL_REQUESTS_FORBIDDEN',
]);

/**
 * What stands in the way of a branch that is there already: a rule that forbids force pushes and demands
 * a linear history. It is told, not taken for a no: GitHub lists rules to those who may bypass them, too.
 * @returns a note, or none.
 */
export async function lookAtRules(
  github: GitHub,
  { repository, branch }: { readonly repository: string; readonly branch: string },
): Promise<readonly string[]> {
  try {
    const where = { ...splitRepository(repository), branch };
    const { data } = await github.rest.repos.getBranchRules(where);
    if (forcePushRule(data) !== 'linear') return [];
    if ((await readRef(github, repository, `refs/heads/${branch}`)) === null) return [];
    return [
      `Rules of this repository forbid force pushes to ${branch} and demand a linear history. Where Photon may not bypass them, and the base has moved, the delivery ends with FORCE_PUSH_FORBIDDEN.`,
    ];
  } catch {
    return []; // an older server has no such question, and the delivery will tell
  }
}

/**
 * Asks for a pull request that cannot be: its head does not exist. GitHub refuses it with 422 where
 * pull requests may be opened, and with 401 or 403 where they may not. There is no other way to know:
 * only an administrator's token reads the setting that keeps Actions from opening them.
 * @throws PhotonError `GITHUB_AUTH`, `GITHUB_PERMISSION`, `PULL_REQUESTS_FORBIDDEN`.
 */
export async function checkDelivery(github: GitHub, planned: PlannedDelivery): Promise<void> {
  const where = splitRepository(planned.repository);
  const head = `photon/permission-check-${randomUUID()}`;
  try {
    if (planned.opensPull)
      await github.rest.pulls.create({
        ...where,
        head,
        base: planned.baseRef,
        ...noRetry,
        title: 'Photon looks whether it may open pull requests',
      });
    else await github.rest.repos.get(where);
  } catch (error) {
    const known = githubError(error, github.signal);
    if (final.has(known.code)) throw known;
  }
}
