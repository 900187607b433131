/** Writes one commit with `git fast-import`: objects and ref in one step, without touching files. */
import type { FileChange } from '../files/change.ts';
import { type GitContext, runGit } from '../git/git-process.ts';
import { renderChange } from '../git/write-objects.ts';

export interface CommitText {
  /** Full name of the ref to update. */
  readonly ref: string;
  /** The parent commit. */
  readonly from: string;
  readonly message: string;
  readonly changes: readonly FileChange[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Creates the commit and moves the ref to it, unless the ref has moved to another commit. Runs no hook
 * and no filter, and does not change the index or any file.
 * @returns the id of the commit.
 * @throws PhotonError `GIT`.
 */
export async function importCommit(place: GitContext, commit: CommitText): Promise<string> {
  const { ref, from, message, changes, now } = commit;
  const head = [
    `commit ${ref}`,
    `committer Photon <photon@localhost> ${Math.floor(now / 1000)} +0000`,
    `data ${Buffer.byteLength(message)}`,
    message,
    `from ${from}`,
    '',
  ].join('\n');
  const input = Buffer.concat([
    Buffer.from(head),
    ...changes.map(renderChange),
    Buffer.from('\ndone\n'),
  ]);
  await runGit({ ...place, args: ['fast-import', '--quiet', '--done'], input });
  const { stdout } = await runGit({ ...place, args: ['rev-parse', '--verify', ref] });
  return stdout.toString('utf8').trim();
}
