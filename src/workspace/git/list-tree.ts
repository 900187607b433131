/** Lists the files of a small tree from its objects, through a git that runs anyway: a start of git takes longer. */
import type { FileMode } from '../files/change.ts';

/** A file of a tree. */
export interface TreeEntry {
  readonly mode: FileMode;
  readonly oid: string;
}

/** With more folders, one start of git takes less time. */
const maxFolders = 40;

interface Item {
  /** Null for a folder. */
  readonly mode: FileMode | null;
  readonly name: string;
  readonly oid: string;
}

/**
 * The entries below a tree or the tree of a commit, in git's order; null if it has more than 40 folders, or if an object is
 * missing. `read` returns the content of an object.
 */
export async function listTree(
  read: (name: string) => Promise<Buffer | null>,
  id: string,
): Promise<ReadonlyMap<string, TreeEntry> | null> {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return null;
  let folders = 0;
  const list = async (name: string, prefix: string): Promise<(readonly [string, TreeEntry])[]> => {
    const bytes = await read(name);
    const items = bytes === null ? null : parseTree(bytes, id.length / 2);
    // a missing one is left to git, too
    folders += items?.filter(item => item.mode === null).length ?? maxFolders + 1;
    if (items === null || folders > maxFolders) return [];
    const parts = items.map(({ mode, name: own, oid }) =>
      mode === null ? list(oid, `${prefix}${own}/`) : [[`${prefix}${own}`, { mode, oid }] as const],
    );
    return (await Promise.all(parts)).flat();
  };
  const entries = await list(`${id}^{tree}`, '');
  return folders > maxFolders ? null : new Map(entries);
}

/** As git reads a mode: old versions wrote others, such as 100664. */
function modeOf(text: string): Item['mode'] {
  const mode = Number.parseInt(text, 8);
  const kind = mode & 0o170000;
  if (kind === 0o100000) return mode & 0o100 ? '100755' : '100644';
  if (kind === 0o120000) return '120000';
  return kind === 0o040000 ? null : '160000';
}

/** The items of a tree object: mode, blank, name, zero byte, id in binary. Null if it is none. */
function parseTree(bytes: Buffer, idBytes: number): readonly Item[] | null {
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, blank);
    if (blank < 0 || end < 0 || end + idBytes >= bytes.length) return null;
    items.push({
      mode: modeOf(bytes.toString('latin1', at, blank)),
      name: bytes.toString('utf8', blank + 1, end),
      oid: bytes.toString('hex', end + 1, end + 1 + idBytes),
    });
    at = end + 1 + idBytes;
  }
  return items;
}
