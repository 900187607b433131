/** The folder of one run: the files that are kept, and scratch space that is removed with the run. */
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { attempt } from '../../base/system-errors.ts';
import { readEntries } from './locate.ts';
import { removeFolder, removeFolderAside } from './remove-folder.ts';
import { useDisk } from './replace-file.ts';

/** Disk space reserved at the start, so that a run on a full disk can still record how it ended. */
const reserveBytes = 1_048_576;

/** The folder of a run that is kept, and the paths of its files. */
export const runFiles = (path: string) => ({
  path,
  outcomePath: join(path, 'outcome.json'),
  ledgerPath: join(path, 'ledger.jsonl'),
  patchPath: join(path, 'patch.diff'),
  /** The summary of the run for people, as Markdown. */
  reportPath: join(path, 'report.md'),
  /** The run as a page for a browser. */
  pagePath: join(path, 'report.html'),
  /** What can be signed about the run, as an in-toto statement; exists only when a patch was delivered. */
  statementPath: join(path, 'statement.json'),
  sessionPath: join(path, 'session.db'),
  /** The inputs with which a local run can go on. */
  inputsPath: join(path, 'inputs.json'),
  /** The model's replies; exists only when they are recorded. */
  recordPath: join(path, 'replies.jsonl'),
  /** Replies that could not be decoded; exists only when there were any. */
  rejectedPath: join(path, 'rejected.jsonl'),
});

export type RunFiles = Readonly<ReturnType<typeof runFiles>>;

export interface RunFolder extends RunFiles {
  /** Removed by `close`. Mode 0700. */
  readonly scratch: string;
  write(path: string, text: string): void;
  /** Appends to a file. */
  append(path: string, text: string): void;
  /** Frees the reserved space for the last ledger entry, the outcome and the patch. */
  freeReserve(): void;
  /** @returns what could not be removed, as a sentence; undefined if nothing stays. It never rejects. */
  close(): Promise<string | undefined>;
  /** Removes the folder and everything in it. */
  discard(): void;
}

/**
 * Creates the folder of a run below `root`, readable only by its owner.
 * @throws PhotonError `DISK`, `SYSTEM_LIMIT`.
 */
export function openRunFolder(root: string, runId: string): RunFolder {
  const path = join(root, `photon-${runId}`);
  const scratch = join(path, 'scratch');
  const write = (work: () => void) =>
    useDisk(`The folder of the run in ${root} cannot be written`, work);
  write(() => {
    makeFolders(root);
    for (const folder of [path, scratch]) mkdirSync(folder, { mode: 0o700 });
  });
  const reserve = join(path, 'reserve');
  write(() => writeFileSync(reserve, Buffer.alloc(reserveBytes)));
  // where the disk became read-only, there is no space to free
  const freeReserve = () => attempt(() => rmSync(reserve, { force: true }));
  return {
    ...runFiles(path),
    scratch,
    write: (file, text) => write(() => writeFileSync(file, text, { mode: 0o600 })),
    append: (file, text) => write(() => appendFileSync(file, text, { mode: 0o600 })),
    freeReserve,
    discard: () => removeRest(path),
    close: async () => {
      freeReserve();
      const error = await removeFolderAside(scratch);
      return error && `Photon could not remove ${scratch}: ${error.message}`;
    },
  };
}

/**
 * Removes what a run no longer needs. The run has already ended, so files that cannot be removed (a
 * read-only disk, a folder that a command gave to another user) stay and do not change its outcome.
 */
function removeRest(path: string): void {
  try {
    removeFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** The folder in which run folders are created: the given one, or a new one in the system's temporary folder. */
export function makeOutFolder(wanted: string | undefined): string {
  return useDisk(`The folder for results ${wanted ?? tmpdir()} cannot be created`, () => {
    if (wanted === undefined) return mkdtempSync(join(tmpdir(), 'photon-'));
    makeFolders(wanted);
    // a file is no folder, even one that can be written
    accessSync(`${wanted}/`, constants.W_OK);
    return wanted;
  });
}

/**
 * Gives the work a folder in which run folders are created: the given one, or a new one in the system's temporary folder,
 * which does not stay when the runs have left it.
 * @throws PhotonError `DISK`, `SYSTEM_LIMIT`.
 */
export async function withOutFolder<T>(
  wanted: string | undefined,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeOutFolder(wanted);
  try {
    return await work(folder);
  } finally {
    if (wanted === undefined && readEntries(folder).length === 0) removeRest(folder);
  }
}

/** Gives the work a new folder in the system's temporary folder, and removes it with all that is in it. */
export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeOutFolder(undefined);
  try {
    return await work(folder);
  } finally {
    removeRest(folder);
  }
}

/** Creates a folder and those above it. The recursive way of Node never ends in a folder that takes none, such as /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // another process made it
    if (!isFolder(path)) throw error;
  }
}

/** Paths of the files in a folder that are not empty. */
export function listFiles(folder: string): readonly string[] {
  const files = readEntries(folder).flatMap(e => (e.isFile() ? [join(folder, e.name)] : []));
  return files.filter(file => statSync(file).size > 0).sort();
}

/** True if something is at a path, also a link that leads nowhere. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** True for a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Renames a file to a name that is not taken. @throws PhotonError `DISK`. */
export function moveFile(from: string, to: string): void {
  if (existsSync(to)) throw new PhotonError('DISK', `${to} already exists.`);
  useDisk(`${to} cannot be created`, () => renameSync(from, to));
}

/** Creates a new folder with these files in it. @throws PhotonError `DISK`. */
export function makeNewFolder(path: string, files: Readonly<Record<string, string>>): void {
  useDisk(`${path} cannot be created`, () => {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path);
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(path, name), text, { flag: 'wx' });
  });
}
