/** Checks whether GitHub would accept the delivery of this run, before a model costs money. */

import { randomUUID } from 'node:crypto';
import type { Code } from '../../../base/codes.ts';
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { githubError, messageOf } from '../api/github-errors.ts';
import { forcePushRule } from '../api/push-rules.ts';
import { readRef } from '../api/refs.ts';

/** What a run will deliver to GitHub. */
export interface PlannedDelivery {
  readonly repository: string;
  readonly baseRef: string;
  /** True when it ends in a pull request. */
  readonly opensPull: boolean;
}

/** Errors that the delivery would meet again. */
const final: ReadonlySet<Code> = new Set([
  'GITHUB_AUTH',
  'GITHUB_PERMISSION',
  'PULL_REQUESTS_FORBIDDEN',
]);

/**
 * Looks for rules that forbid force pushes to an existing branch and require a linear history. They
 * are a note and no error, because GitHub lists them even to those who can bypass them.
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
      `The rules of this repository forbid force pushes to ${branch} and require a linear history. If the base has moved and Photon cannot bypass the rules, the delivery ends with FORCE_PUSH_FORBIDDEN.`,
    ];
  } catch {
    return []; // an older server does not support this request; the delivery will show it
  }
}

/**
 * Requests an impossible pull request, whose head does not exist. GitHub refuses it with 422 if the
 * token is allowed to open pull requests, and with 401 or 403 if not. There is no other way to find
 * out: only the token of an administrator can read the setting for Actions.
 * @throws PhotonError `GITHUB_AUTH`, `GITHUB_PERMISSION`, `PULL_REQUESTS_FORBIDDEN`.
 */
export async function checkDelivery(github: GitHub, planned: PlannedDelivery): Promise<void> {
  const where = splitRepository(planned.repository);
  const head = `photon/permission-check-${randomUUID()}`;
  try {
    if (planned.opensPull) {
      const { data } = await github.rest.pulls.create({
        ...where,
        head,
        base: planned.baseRef,
        ...noRetry,
        title: 'Photon checks whether it can open pull requests',
      });
      await removeProbe(github, { ...where, number: data.number, head: data.head.ref });
    } else await github.rest.repos.get(where);
  } catch (error) {
    const known = githubError(error, github.signal);
    if (final.has(known.code)) throw known;
  }
}

interface Probe {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
  readonly head: string;
}

/** Closes the pull request of a server that accepted the impossible, and deletes its branch. A failure is only logged. */
async function removeProbe(github: GitHub, { number, head, ...where }: Probe): Promise<void> {
  try {
    await github.rest.pulls.update({ ...where, pull_number: number, state: 'closed' });
    const name = `refs/heads/${head}`;
    if ((await readRef(github, `${where.owner}/${where.repo}`, name)) === null) return;
    await github.rest.git.deleteRef({ ...where, ref: `heads/${head}` });
  } catch (error) {
    github.log(
      `GitHub: Photon could not remove pull request #${number}, with which it checked its permission: ${messageOf(error)}. Close it yourself.`,
    );
  }
}
