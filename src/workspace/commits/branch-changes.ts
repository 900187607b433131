/** The files that differ between two commits, with the bytes of both sides. */
import { PhotonError } from '../../base/codes.ts';
import type { FileChange, FileMode, FileState } from '../files/change.ts';
import { GitObjects } from '../git/git-objects.ts';
import { type GitContext, runGit } from '../git/git-process.ts';

interface Side {
  readonly mode: string;
  readonly oid: string;
}

/** Every path that differs; a rename counts as two changes. Throws PhotonError `GIT`. */
export async function readTreeChanges(
  place: GitContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to];
  const { stdout } = await runGit({ ...place, args });
  const objects = new GitObjects(place);
  try {
    const changes: FileChange[] = [];
    for (const { path, before, after } of parseRaw(stdout.toString('utf8')))
      changes.push({
        path,
        before: await readState(objects, before),
        after: await readState(objects, after),
      });
    return changes;
  } finally {
    objects.close();
  }
}

/** Parses records such as `:100644 100644 <id> <id> M`, each followed by its path. */
function parseRaw(text: string): readonly { path: string; before: Side; after: Side }[] {
  const fields = text.split('\0');
  return fields.flatMap((about, i) => {
    const found = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) /.exec(about);
    if (i % 2 !== 0 || found === null) return [];
    const [, modeBefore = '', modeAfter = '', before = '', after = ''] = found;
    return [
      {
        path: fields[i + 1] ?? '',
        before: { mode: modeBefore, oid: before },
        after: { mode: modeAfter, oid: after },
      },
    ];
  });
}

async function readState(objects: GitObjects, { mode, oid }: Side): Promise<FileState | undefined> {
  if (mode === '000000') return undefined;
  // a submodule has no bytes, so the id of its commit is used instead
  const bytes = mode === '160000' ? Buffer.from(oid) : await objects.read(oid);
  if (bytes === undefined) throw new PhotonError('GIT', `object ${oid} is missing`);
  return { mode: mode as FileMode, bytes };
}
