/** The runs of `photon run` in a checkout: a folder for each below `.photon/runs/`, ignored by git, the oldest removed. */
import { cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { attempt } from '../../base/system-errors.ts';
import { readEntries, runsFolder } from './locate.ts';
import { removeFolder } from './remove-folder.ts';
import { requireNoLink, useDisk, writeAbsentFile } from './replace-file.ts';
import { type RunFiles, runFiles } from './run-folder.ts';

/** The oldest runs beyond these bounds are removed. The newest one always stays. */
const bounds = { count: 50, bytes: 500_000_000 } as const;

const runId = /^\d{14}-[0-9a-f]{8}$/;

/** True for the id of a run. */
export function isRunId(text: string): boolean {
  return runId.test(text);
}

/** True for what can name a kept run: `last`, or the beginning or end of an id. */
export function mayNameRun(text: string): boolean {
  return /^(?:last|[\da-f]{4,}|\d{14}-[\da-f]+)$/.test(text);
}

/** How commands name a run: the end of its id, which no other run shares. */
export function shortId(id: string): string {
  return id.slice(id.lastIndexOf('-') + 1);
}

/**
 * Moves the folder of a finished run into the checkout, and removes the oldest runs beyond the bounds.
 * @returns the files at their new place.
 * @throws PhotonError `DISK`; the files stay where they were.
 */
export function keepRun(checkout: string, id: string, files: RunFiles): RunFiles {
  const place = `${runsFolder}/${id}`;
  const target = join(checkout, place);
  writeAbsentFile(checkout, `${runsFolder}/.gitignore`, '*\n');
  requireNoLink(checkout, `${place}/outcome.json`);
  useDisk(`${target} cannot be written`, () => moveFolder(files.path, target));
  prune(checkout);
  return runFiles(target);
}

function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // the temporary folder is often another file system
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    mkdirSync(to, { mode: 0o700 });
    cpSync(from, to, { recursive: true });
    removeFolder(from);
  }
  // the folder around it was made for this run, if it holds nothing else
  attempt(() => rmdirSync(dirname(from)));
}

/** The ids of the kept runs, oldest first. */
export function keptRuns(checkout: string): readonly string[] {
  const entries = readEntries(join(checkout, runsFolder));
  return entries.flatMap(e => (e.isDirectory() && runId.test(e.name) ? [e.name] : [])).sort();
}

/**
 * The kept run that a user names: its id, or a part at its beginning or end; `last` is the newest.
 * @throws PhotonError `RUN_UNKNOWN`.
 */
export function findKeptRun(checkout: string, named: string): string {
  const all = keptRuns(checkout);
  const found =
    named === 'last'
      ? all.slice(-1)
      : all.filter(
          id => named.length > 2 && (id.startsWith(named) || shortId(id).startsWith(named)),
        );
  const [id] = found;
  if (all.length === 0)
    throw new PhotonError('RUN_UNKNOWN', 'This repository keeps no runs yet.', {
      hint: 'Start one with photon run.',
    });
  if (id === undefined || found.length > 1) {
    const shown = JSON.stringify(named.slice(0, 80));
    throw new PhotonError(
      'RUN_UNKNOWN',
      found.length > 1 ? `${found.length} runs are named ${shown}.` : `There is no run ${shown}.`,
    );
  }
  requireNoLink(checkout, `${runsFolder}/${id}/outcome.json`);
  return id;
}

/** Names and sizes of the files of a kept run. */
export function filesOfRun(
  checkout: string,
  id: string,
): readonly { name: string; bytes: number }[] {
  const folder = join(checkout, runsFolder, id);
  return readdirSync(folder)
    .sort()
    .flatMap(name => {
      const found = lstatSync(join(folder, name));
      return found.isFile() ? [{ name, bytes: found.size }] : [];
    });
}

function prune(checkout: string): void {
  let bytes = 0;
  for (const [i, id] of keptRuns(checkout).toReversed().entries()) {
    bytes += filesOfRun(checkout, id).reduce((sum, file) => sum + file.bytes, 0);
    if (i > 0 && (i >= bounds.count || bytes > bounds.bytes))
      removeFolder(join(checkout, runsFolder, id));
  }
}
