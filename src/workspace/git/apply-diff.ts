/** Applies a unified diff to a tree, without a work tree. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRunner } from './git-process.ts';

/** The tree that a unified diff makes of another one; null when the diff does not apply there exactly. */
export async function applyDiff(
  git: GitRunner,
  scratch: string,
  { tree, diff }: { readonly tree: string; readonly diff: string },
): Promise<string | null> {
  const index = join(scratch, 'past-index');
  const env = { GIT_INDEX_FILE: index };
  rmSync(index, { force: true });
  await git(['read-tree', tree], { env });
  const args = ['apply', '--cached', '--whitespace=nowarn', '-'];
  const { exitCode } = await git(args, { env, input: diff, accept: [1, 128] });
  if (exitCode !== 0) return null;
  return (await git(['write-tree'], { env })).stdout.toString('utf8').trim();
}
