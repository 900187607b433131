/** Writes objects into a git directory of Photon. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import type { FileChange } from '../files/change.ts';
import type { GitRunner } from './git-process.ts';

/** Writes a commit or a tag. Returns its id. */
export async function writeObject(
  git: GitRunner,
  type: 'commit' | 'tag',
  text: string,
): Promise<string> {
  const { stdout } = await git(['hash-object', '-w', '-t', type, '--stdin'], { input: text });
  return stdout.toString('utf8').trim();
}

/** A ref of the private directory that fast-import needs for writing a tree; nothing reads it. */
const writtenRef = 'refs/photon/tree';

/** Writes a tree with these changes in one git process, for any number of changes. Returns its id. */
export async function writeTree(
  git: GitRunner,
  base: string,
  changes: readonly FileChange[],
): Promise<string> {
  if (changes.length === 0) return base;
  // removals first, because a folder can become a file
  const inOrder = [...changes].sort(
    (a, b) => Number(a.after !== undefined) - Number(b.after !== undefined),
  );
  const input = [
    Buffer.from(`commit ${writtenRef}\nmark :1\ncommitter Photon <> 0 +0000\ndata 0\n`),
    Buffer.from(`M 040000 ${base} ""\n`),
    ...inOrder.map(renderChange),
    Buffer.from('\nls :1 ""\ndone\n'),
  ];
  // kept as a pack, because unpacking updates the time of objects that the checkout already has
  const asPack = ['-c', 'fastimport.unpackLimit=1'];
  const { stdout } = await git([...asPack, 'fast-import', '--quiet', '--force', '--done'], {
    input: Buffer.concat(input),
  });
  const id = /^040000 tree ([0-9a-f]+)\t/.exec(stdout.toString('utf8'))?.[1];
  if (id === undefined) throw new PhotonError('GIT', 'git fast-import printed no tree');
  return id;
}

/** One change in the input format of `git fast-import`. */
export function renderChange({ path, after }: FileChange): Buffer {
  const quoted = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  if (after === undefined) return Buffer.from(`D ${quoted}\n`);
  const head = `M ${after.mode} inline ${quoted}\ndata ${after.bytes.length}\n`;
  return Buffer.concat([Buffer.from(head), after.bytes, Buffer.from('\n')]);
}

/** The tree that a unified diff makes of another one; undefined when the diff does not apply there exactly. */
export async function applyDiff(
  git: GitRunner,
  scratch: string,
  { tree, diff }: { readonly tree: string; readonly diff: string },
): Promise<string | undefined> {
  const index = join(scratch, 'past-index');
  const env = { GIT_INDEX_FILE: index };
  rmSync(index, { force: true });
  await git(['read-tree', tree], { env });
  const args = ['apply', '--cached', '--whitespace=nowarn', '-'];
  const { exitCode } = await git(args, { env, input: diff, accept: [1, 128] });
  if (exitCode !== 0) return undefined;
  return (await git(['write-tree'], { env })).stdout.toString('utf8').trim();
}
