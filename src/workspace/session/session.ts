/** The copy-on-write workspace of one run: the base commit with the changes of the run on top. */
import { posix } from 'node:path';
import { digest } from '../../base/digest.ts';
import { memoize } from '../../base/once.ts';
import type { PathState } from '../../guard/claim.ts';
import { folderOf, normalisePath } from '../../guard/paths.ts';
import { differs, type FileChange, type FileState } from '../files/change.ts';
import type { Git } from '../git/git.ts';
import type { FileQuery, GrepAnswer } from '../git/git-grep.ts';
import type { TreeEntry } from '../git/git-objects.ts';
import { parseTextFile, type TextFile } from '../text/text-file.ts';

/** One applied step. */
type PatchStep = readonly FileChange[];

/** What changed in a session since the last `drain`. */
export interface SessionDelta {
  /** Paths whose state changed: the state in the base before, and in the session after. */
  readonly changed: readonly FileChange[];
  /** The number of steps that can be undone. */
  readonly steps: number;
  /** The states before each step that is new since then. */
  readonly backups: readonly {
    readonly step: number;
    readonly path: string;
    readonly before: FileState | undefined;
  }[];
}

/** Most links that a path may lead through. */
const maxLinks = 10;

/** Opens a session on the base commit of a checkout. Starts to read its tree in the background; writes nothing. */
export function openSession(git: Git): Session {
  git.listTreeEntries(git.tree).catch(() => {}); // the first use lists again
  return new Session(git);
}

export class Session {
  readonly git: Git;
  /** The steps of this run with their backups, oldest first. */
  readonly #steps: PatchStep[] = [];
  #changed = new Map<string, FileChange>();
  /** All current files, until the next change. */
  #files: ReturnType<typeof mergeFiles> | undefined = undefined;
  /** How many files of the base are below each folder. */
  #baseCounts: ReadonlyMap<string, number> | undefined = undefined;
  readonly #dirty = new Set<string>();
  #kept = 0;
  readonly #trees = memoize(() => this.git.writeTree(this.changes()));

  constructor(git: Git) {
    this.git = git;
  }

  #base(): Promise<ReadonlyMap<string, TreeEntry>> {
    return this.git.listTreeEntries(this.git.tree);
  }

  /** All current files, with links and submodules, by path in git's order. */
  async files() {
    const base = await this.#base();
    this.#files ??= mergeFiles(base, this.#changed);
    return this.#files;
  }

  async facts(path: string): Promise<PathState> {
    const tracked = (await this.#base()).has(path) || this.#changed.has(path);
    const none = { tracked, lines: [] };
    const above = await this.above(path);
    if (above !== undefined)
      return {
        kind: 'missing',
        ...none,
        through: above.mode.startsWith('100') ? undefined : above.path,
        leadsTo: above.mode === '120000' ? await this.#follow(path) : undefined,
      };
    const mode = await this.#modeOf(path);
    if (mode === '120000') return { kind: 'link', ...none, leadsTo: await this.#follow(path) };
    if (mode === '160000') return { kind: 'submodule', ...none };
    if (mode === undefined)
      return { kind: (await this.#isFolder(path)) ? 'folder' : 'missing', ...none };
    const text = await this.text(path);
    if (text === undefined || text === 'binary') return { kind: 'binary', ...none };
    return { kind: 'file', tracked, lines: text.lines };
  }

  /** Where a path leads, link by link; undefined if it leaves the repository, or after many links. */
  async #follow(path: string, left = maxLinks): Promise<string | undefined> {
    const link = (await this.#modeOf(path)) === '120000' ? path : (await this.above(path))?.path;
    const state = link === undefined ? undefined : await this.state(link);
    if (link === undefined || state?.mode !== '120000') return path;
    const text = Buffer.from(state.bytes).toString();
    if (left === 0 || text.startsWith('/')) return undefined;
    const to = normalisePath(posix.join(folderOf(link), text, path.slice(link.length)));
    return to === undefined ? undefined : this.#follow(to, left - 1);
  }

  /** The ancestor of a path that is a file, a link or a submodule, or undefined. */
  async above(path: string): Promise<{ readonly path: string; readonly mode: string } | undefined> {
    for (const ancestor of foldersAbove(path)) {
      const mode = await this.#modeOf(ancestor);
      if (mode !== undefined) return { path: ancestor, mode };
    }
    return undefined;
  }

  /** The current state of a file; undefined when it does not exist. */
  async state(path: string): Promise<FileState | undefined> {
    const change = this.#changed.get(path);
    return change === undefined ? this.#baseState(path) : change.after;
  }

  /** The current text of a file; undefined when it does not exist. */
  async text(path: string): Promise<TextFile | 'binary' | undefined> {
    const state = await this.state(path);
    if (state === undefined) return undefined;
    return state.mode.startsWith('100') ? parseTextFile(state.bytes) : 'binary';
  }

  /** What git does with each of these files between commit and checkout, on the base or with the patch; see `ListConversions`. */
  async conversions(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { git } = this;
    const base = await git.listConversions(git.fullTree, paths);
    if (!this.#changesAttributes()) return base;
    return new Map([...(await git.listConversions(await this.fullTree(), paths)), ...base]);
  }

  /** The first file that git would convert in another way with the patch applied, or undefined. */
  async otherwiseConverted(): Promise<string | undefined> {
    if (!this.#changesAttributes()) return undefined;
    const { git } = this;
    const tree = await this.fullTree();
    const paths = [...(await git.listTreeEntries(tree)).keys()];
    const [before, after] = await Promise.all([
      git.listConversions(git.fullTree, paths),
      git.listConversions(tree, paths),
    ]);
    return paths.find(path => before.get(path) !== after.get(path));
  }

  #changesAttributes(): boolean {
    return this.changes().some(({ path }) => /(?:^|\/)\.gitattributes$/i.test(path));
  }

  /** The current lines, joined by LF; undefined when the file is missing or binary. */
  async plainText(path: string): Promise<string | undefined> {
    const file = await this.text(path);
    return file === undefined || file === 'binary' ? undefined : file.lines.join('\n');
  }

  /** Applies states as one step: all of them, or none when a previous state cannot be read. */
  async apply(states: ReadonlyMap<string, FileState | undefined>): Promise<PatchStep> {
    const changes = await Promise.all(
      [...states].map(async ([path, after]) => ({ path, before: await this.state(path), after })),
    );
    await Promise.all(changes.map(c => this.#record(c.path, c.after)));
    this.#steps.push(changes);
    return changes;
  }

  /** Undoes the last step and returns it, or undefined. */
  undo(): PatchStep | undefined {
    const step = this.#steps.pop();
    if (step === undefined) return undefined;
    for (const { path, before } of step) {
      const known = this.#changed.get(path);
      if (known !== undefined) this.#set({ path, before: known.before, after: before });
    }
    return step;
  }

  lastStep(): PatchStep | undefined {
    return this.#steps.at(-1);
  }

  /** The patch: every path that differs from the base, sorted. */
  changes(): readonly FileChange[] {
    return [...this.#changed.values()].filter(differs).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The changes since the last call of `drain`, for the session store. */
  drain(): SessionDelta {
    const changed = [...this.#dirty].flatMap(path => this.#changed.get(path) ?? []);
    this.#dirty.clear();
    const from = Math.min(this.#kept, this.#steps.length);
    const backups = this.#steps
      .slice(from)
      .flatMap((s, i) => s.map(c => ({ step: from + i + 1, path: c.path, before: c.before })));
    this.#kept = this.#steps.length;
    return { changed, steps: this.#steps.length, backups };
  }

  /** Digest of the patch; empty when nothing is changed. */
  patchDigest(): string {
    const changes = this.changes();
    if (changes.length === 0) return '';
    return digest(
      changes
        .map(c => `${c.path}\0${c.after?.mode}\0${c.after ? digest(c.after.bytes) : ''}`)
        .join('\n'),
    );
  }

  /** Id of the git tree of what the base shows with the patch applied. */
  tree(): Promise<string> {
    return this.#trees(this.patchDigest());
  }

  /** Id of the git tree of the whole base with the patch applied: what is delivered. */
  fullTree(): Promise<string> {
    const { git } = this;
    return git.tree === git.fullTree ? this.tree() : git.writeFullTree(this.changes());
  }

  async grep(query: FileQuery): Promise<GrepAnswer> {
    return this.git.grep({ ...query, tree: await this.tree() });
  }

  async #record(path: string, after: FileState | undefined): Promise<void> {
    const before = this.#changed.get(path)?.before ?? (await this.#baseState(path));
    this.#set({ path, before, after });
  }

  #set(change: FileChange): void {
    this.#changed.set(change.path, change);
    this.#dirty.add(change.path);
    this.#files = undefined;
  }

  async #baseState(path: string): Promise<FileState | undefined> {
    const entry = (await this.#base()).get(path);
    if (entry === undefined) return undefined;
    const bytes = entry.mode === '160000' ? Buffer.alloc(0) : await this.git.read(entry.oid);
    return bytes === undefined ? undefined : { mode: entry.mode, bytes };
  }

  async #modeOf(path: string): Promise<string | undefined> {
    const change = this.#changed.get(path);
    return change === undefined ? (await this.#base()).get(path)?.mode : change.after?.mode;
  }

  async #isFolder(path: string): Promise<boolean> {
    const base = await this.#base();
    this.#baseCounts ??= countBelowFolders(base.keys());
    let files = this.#baseCounts.get(path) ?? 0;
    for (const change of this.#changed.values())
      if (foldersAbove(change.path).includes(path))
        files += Number(change.after !== undefined) - Number(base.has(change.path));
    return files > 0;
  }
}

/** The files of the base with the changes on top. */
function mergeFiles(
  base: ReadonlyMap<string, TreeEntry>,
  changed: ReadonlyMap<string, FileChange>,
): readonly { readonly path: string; readonly mode: string }[] {
  const files = [...base]
    .filter(([path]) => !changed.has(path))
    .map(([path, { mode }]) => ({ path, mode: mode as string }));
  for (const { path, after } of changed.values())
    if (after !== undefined) files.push({ path, mode: after.mode });
  return changed.size === 0 ? files : files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function countBelowFolders(paths: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths)
    for (const folder of foldersAbove(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

/** The folders that hold a path, the root first. */
function foldersAbove(path: string): readonly string[] {
  const folder = folderOf(path);
  return folder === '' ? [''] : [...foldersAbove(folder), folder];
}
