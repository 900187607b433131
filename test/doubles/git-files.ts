/** Reads and writes loose objects and references of a git directory, which the double of GitHub serves one by one. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, deflateSync, inflateSync } from 'node:zlib';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly sha: string;
}

export class GitFiles {
  readonly dir: string;
  readonly #objects = new Map<string, GitObject>();

  /** Opens a git directory; creates an empty one if there is none. */
  constructor(dir: string, { bare }: { readonly bare: boolean }) {
    this.dir = dir;
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
      mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(dir, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n`,
    );
  }

  /** Writes an object. @returns its id. */
  write(type: ObjectType, content: Buffer): string {
    const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const sha = createHash('sha1').update(whole).digest('hex');
    if (this.read(sha) !== undefined) return sha;
    const path = this.#pathOf(sha);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, deflateSync(whole, { level: constants.Z_BEST_SPEED }), { mode: 0o444 });
    this.#objects.set(sha, { type, content });
    return sha;
  }

  /** A loose object by its full id; undefined when there is none. */
  read(sha: string): GitObject | undefined {
    const known = this.#objects.get(sha);
    if (known !== undefined || !/^[0-9a-f]{40}$/.test(sha)) return known;
    const bytes = readOr(this.#pathOf(sha));
    if (bytes === undefined) return undefined;
    const whole = inflateSync(bytes);
    const end = whole.indexOf(0);
    const type = whole.toString('latin1', 0, whole.indexOf(32)) as ObjectType;
    const object = { type, content: whole.subarray(end + 1) };
    this.#objects.set(sha, object);
    return object;
  }

  /** Entries of a tree, in git's order. */
  entries(tree: string): readonly TreeEntry[] {
    const { content } = this.read(tree) ?? { content: Buffer.alloc(0) };
    const found: TreeEntry[] = [];
    for (let at = 0; at < content.length; ) {
      const end = content.indexOf(0, at);
      const [mode = '', ...name] = content.toString('utf8', at, end).split(' ');
      const sha = content.toString('hex', end + 1, end + 21);
      found.push({ mode, name: name.join(' '), sha });
      at = end + 21;
    }
    return found;
  }

  /** Writes a tree of these entries. @returns its id. */
  writeTree(entries: readonly TreeEntry[]): string {
    const keyOf = (e: TreeEntry) => Buffer.from(e.mode === '40000' ? `${e.name}/` : e.name);
    const sorted = entries.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
    const parts = sorted.flatMap(e => [
      Buffer.from(`${e.mode} ${e.name}\0`),
      Buffer.from(e.sha, 'hex'),
    ]);
    return this.write('tree', Buffer.concat(parts));
  }

  /** The tree of a commit, or the id itself. */
  readTree(id: string): string {
    const object = this.read(id);
    if (object?.type !== 'commit') return id;
    return /^tree (\w+)$/m.exec(object.content.toString('utf8'))?.[1] ?? '';
  }

  parentsOf(commit: string): readonly string[] {
    const [head = ''] = (this.read(commit)?.content.toString('utf8') ?? '').split('\n\n');
    return [...head.matchAll(/^parent (\w+)$/gm)].map(m => m[1] ?? '');
  }

  /** A commit and all its ancestors. */
  ancestors(commit: string): ReadonlySet<string> {
    const found = new Set([commit]);
    for (const each of found) for (const parent of this.parentsOf(each)) found.add(parent);
    return found;
  }

  /** Id of a reference by its full name; undefined when there is none. */
  ref(name: string): string | undefined {
    const loose = readOr(join(this.dir, name))?.toString('latin1').trim();
    return loose ?? this.#packed().get(name);
  }

  /** All references below `refs/`, by name. */
  refs(): Record<string, string> {
    const loose = readdirSync(join(this.dir, 'refs'), { recursive: true, withFileTypes: true })
      .filter(e => e.isFile() && !e.name.endsWith('.lock'))
      .map(e => join(e.parentPath, e.name).slice(this.dir.length + 1));
    const names = new Set([...this.#packed().keys(), ...loose]);
    return Object.fromEntries([...names].sort().map(name => [name, this.ref(name) ?? '']));
  }

  /** Sets a reference; undefined removes it together with empty folders. */
  setRef(name: string, sha: string | undefined): void {
    const path = join(this.dir, name);
    if (sha !== undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${sha}\n`);
      return;
    }
    if (this.#packed().has(name)) throw new Error(`${name} is packed`);
    rmSync(path, { force: true });
    try {
      for (
        let folder = dirname(path);
        dirname(folder) !== join(this.dir, 'refs');
        folder = dirname(folder)
      )
        rmdirSync(folder);
    } catch {
      // a reference in the folder remains
    }
  }

  #packed(): ReadonlyMap<string, string> {
    const lines = (readOr(join(this.dir, 'packed-refs'))?.toString('utf8') ?? '').split('\n');
    const pairs = lines.map(l => /^([0-9a-f]{40}) (\S+)$/.exec(l)).filter(m => m !== null);
    return new Map(pairs.map(m => [m[2] ?? '', m[1] ?? '']));
  }

  #pathOf(sha: string): string {
    return join(this.dir, 'objects', sha.slice(0, 2), sha.slice(2));
  }
}

function readOr(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
