/** Was the head of a pull request pushed after somebody asked about it? (THREATS T03) */
import { type GitHub, splitRepository } from '../api/github.ts';
import { statusOf, withCodes } from '../api/github-errors.ts';

export interface HeadQuestion {
  /** Repository that the branch is in. */
  readonly repository: string;
  /** Repository of the pull request. */
  readonly base: string;
  readonly ref: string;
  readonly sha: string;
  readonly fork: boolean;
  /** Moment of the command, ms since the epoch. */
  readonly asked: number;
}

/**
 * GitHub's record of pushes decides. Where it is not to be had, the commit's own date is used, which
 * can be forged; of a fork, whose author may have reason to, the answer is then null: nobody knows.
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
    if (push !== undefined) return Date.parse(push.timestamp) > head.asked;
  } catch (error) {
    github.log(`GitHub: the record of pushes cannot be read (${statusOf(error) ?? 'no answer'}).`);
  }
  if (head.fork) return null;
  const { data: commit } = await withCodes(github, () =>
    github.rest.git.getCommit({ ...splitRepository(head.base), commit_sha: head.sha }),
  );
  return Date.parse(commit.committer.date) > head.asked;
}
