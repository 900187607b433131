/** A merged view: a folder holding the checkout with given changes, for commands to run in. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PhotonError } from '../codes.ts';
import type { FileChange, FileState } from './change.ts';
import type { Git } from './git.ts';

const run = promisify(execFile);

export interface View {
  readonly path: string;
  /** Sets every tracked file to what a tree holds; the paths that differed. */
  sync(tree: string): Promise<readonly string[]>;
  /** Puts these states into the view; `null` removes the path. */
  place(states: ReadonlyMap<string, FileState | null>): void;
  close(): void;
}

export interface ViewOptions {
  readonly git: Git;
  readonly scratch: string;
  readonly searchPath: string;
}

/**
 * Copies the checkout (untracked files too, git's own folder not) and sets every tracked file to
 * the base commit, so that the view is the base plus exactly what is placed in it. Blocks are
 * shared with the checkout where the file system can.
 * @throws PhotonError `DISK` when there is no room, `GIT`.
 */
export async function openView(
  options: ViewOptions,
  changes: readonly FileChange[],
): Promise<View> {
  const path = mkdtempSync(join(options.scratch, 'view-'));
  try {
    await copyCheckout(options, path);
    const index = `${path}.index`;
    const view: View = {
      path,
      sync: tree => options.git.restore({ folder: path, index }, tree),
      place: states => {
        for (const [name, state] of states) placeFile(path, name, state);
      },
      close: () => removeView(path),
    };
    await view.sync(options.git.tree);
    view.place(new Map(changes.map(c => [c.path, c.after])));
    return view;
  } catch (error) {
    removeView(path);
    throw error;
  }
}

async function copyCheckout(options: ViewOptions, target: string): Promise<void> {
  const { checkout } = options.git;
  const names = readdirSync(checkout).filter(n => n !== '.git');
  const env = { PATH: options.searchPath, LC_ALL: 'C' };
  const flags = process.platform === 'linux' ? ['-a', '--reflink=auto'] : ['-a'];
  for (let i = 0; i < names.length; i += 200) {
    const sources = names.slice(i, i + 200).map(n => join(checkout, n));
    try {
      await run('cp', [...flags, '--', ...sources, target], { env, maxBuffer: 1024 * 1024 });
    } catch (cause) {
      const said = String((cause as { stderr?: unknown }).stderr ?? cause).trim();
      throw new PhotonError('DISK', `the checkout cannot be copied: ${said.slice(0, 400)}`, {
        cause,
      });
    }
  }
}

/** Creates or removes one file; every folder on the way must be a real one. */
function placeFile(root: string, name: string, state: FileState | null): void {
  const target = join(root, name);
  let folder = root;
  for (const part of dirname(name)
    .split('/')
    .filter(p => p !== '.')) {
    folder = join(folder, part);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory()) continue;
    if (found) rmSync(folder, { force: true });
    if (state === null) return;
    mkdirSync(folder);
  }
  rmSync(target, { recursive: true, force: true });
  if (state === null) return;
  if (state.mode === '120000') {
    symlinkSync(Buffer.from(state.bytes), target);
    return;
  }
  writeFileSync(target, state.bytes, { flag: 'wx' });
  chmodSync(target, state.mode === '100755' ? 0o755 : 0o644);
}

/** Removes a view, folders that a test made unreadable included. */
function removeView(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    openFolders(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openFolders(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openFolders(join(path, name));
}
