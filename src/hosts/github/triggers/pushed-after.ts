/** Was the head of a pull request pushed after the command? The author of a command must have seen the code. */
import { type GitHub, splitRepository } from '../api/github.ts';
import { statusOf, withCodes } from '../api/github-errors.ts';

export interface HeadQuestion {
  /** Repository of the branch. */
  readonly repository: string;
  /** Repository of the pull request. */
  readonly base: string;
  readonly ref: string;
  readonly sha: string;
  readonly fork: boolean;
  /** Moment of the command, ms since the epoch. */
  readonly commandMs: number;
}

/**
 * GitHub's record of pushes decides. If it is not available, the date of the commit decides. Authors
 * can forge that date, so for a fork the answer is then null: unknown.
 * @throws PhotonError `GITHUB_*`.
 */
export async function wasPushedAfter(github: GitHub, head: HeadQuestion): Promise<boolean | null> {
  try {
    const { data } = await github.rest.repos.listActivities({
      ...splitRepository(head.repository),
      ref: `refs/heads/${head.ref}`,
      per_page: 30,
    });
    const push = data.find(a => a.after === head.sha);
    if (push !== undefined) return Date.parse(push.timestamp) > head.commandMs;
  } catch (error) {
    github.log(
      `GitHub: Photon cannot read the record of pushes (${statusOf(error) ?? 'no answer'}).`,
    );
  }
  if (head.fork) return null;
  const { data: commit } = await withCodes(github, () =>
    github.rest.git.getCommit({ ...splitRepository(head.base), commit_sha: head.sha }),
  );
  return Date.parse(commit.committer.date) > head.commandMs;
}
