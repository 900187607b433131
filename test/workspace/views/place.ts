/** A checkout and views of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { findOverlay, type Overlay } from '../../../src/workspace/views/overlay.ts';
import type { View } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';

const folders: string[] = [];

/** The checkout of the place, a folder beside it, and the git of the checkout. */
export let checkout: string;
export let scratch: string;
export let git: Git;

export const programs = findPrograms(process.env.PATH ?? '', []);

/** Makes a checkout of these files, with one commit. */
export async function openPlace(
  files: Readonly<Record<string, string>>,
  links = {},
): Promise<void> {
  const folder = makeFolder();
  folders.push(folder);
  checkout = join(folder, 'checkout');
  scratch = join(folder, 'scratch');
  mkdirSync(checkout);
  mkdirSync(scratch);
  makeRepository(checkout, { files, links });
  git = await openGit(checkout, { scratch, programs });
}

/** The overlay of this machine. */
export async function overlayHere(): Promise<Overlay> {
  const { overlay } = await findOverlay({ checkout, scratch, programs });
  if (overlay === undefined) throw new Error('overlayfs works nowhere on this machine');
  return overlay;
}

export const supportOf = async (overlayOf: () => Promise<Overlay | undefined>) => ({
  overlay: await overlayOf(),
  home: '/home/of-commands',
  caches: [],
  heldFolders: [],
});

export const git0 = (...args: string[]) =>
  execFileSync('git', args, { cwd: checkout, stdio: 'pipe' });

/** Runs a shell line in a view, like a command of the project. */
export function inView(view: View, line: string): string {
  const [program = 'sh', ...args] = [
    ...view.enter,
    'sh',
    '-c',
    `cd "$1" && ${line}`,
    'sh',
    view.path,
  ];
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

export const state = (text: string, mode: FileState['mode'] = '100644'): FileState => ({
  mode,
  bytes: Buffer.from(text),
});

export const change = (path: string, after: FileState | undefined): FileChange => ({
  path,
  before: undefined,
  after,
});

/** Discards the places of the calling file at its end. */
export function usePlace(): void {
  afterAll(() => folders.forEach(discard));
}
