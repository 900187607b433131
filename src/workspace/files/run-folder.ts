/** The folder of one run: what is kept of it, and scratch space that goes with the run. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../codes.ts';
import { removeFolder, removeFolderAside } from './place-file.ts';

/** What a run sets aside on its disk, so that a full one does not lose how it ended. */
const reserveBytes = 1_048_576;

export interface RunFolder {
  /** Kept: outcome, ledger, patch. */
  readonly path: string;
  readonly outcomePath: string;
  readonly ledgerPath: string;
  readonly patchPath: string;
  /** What people read of the run: the summary, as Markdown. */
  readonly reportPath: string;
  readonly sessionPath: string;
  /** The model's replies; there only when they are recorded. */
  readonly recordPath: string;
  /** Replies that could not be read; there only when there were some. */
  readonly rejectedPath: string;
  /** Wiped by `close`. Mode 0700. */
  readonly scratch: string;
  write(path: string, text: string): void;
  /** Adds to the end of a file. */
  append(path: string, text: string): void;
  /** Gives back the space that was set aside for the end of the run: its last entry, outcome, patch. */
  freeReserve(): void;
  close(): Promise<void>;
  /** Removes the folder with all that is in it. */
  discard(): void;
}

/** Where the files of a run are, for whoever reads them later. */
export type RunFiles = Pick<
  RunFolder,
  'path' | 'outcomePath' | 'ledgerPath' | 'patchPath' | 'sessionPath'
>;

/**
 * Makes the folder of a run below `root`, readable by its owner alone.
 * @throws PhotonError `DISK`.
 */
export function openRunFolder(root: string, runId: string): RunFolder {
  const path = join(root, `photon-${runId}`);
  const scratch = join(path, 'scratch');
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (cause) {
      throw new PhotonError(
        'DISK',
        `the run folder cannot be written: ${(cause as Error).message}`,
        { cause },
      );
    }
  };
  attempt(() => {
    if (!existsSync(root)) mkdirSync(root, { recursive: true });
    for (const folder of [path, scratch]) mkdirSync(folder, { mode: 0o700 });
  });
  const reserve = join(path, 'reserve');
  attempt(() => writeFileSync(reserve, Buffer.alloc(reserveBytes)));
  const freeReserve = () => {
    try {
      rmSync(reserve, { force: true });
    } catch {
      // on a disk that became read-only there is nothing to win
    }
  };
  return {
    path,
    outcomePath: join(path, 'outcome.json'),
    ledgerPath: join(path, 'ledger.jsonl'),
    patchPath: join(path, 'patch.diff'),
    reportPath: join(path, 'report.md'),
    sessionPath: join(path, 'session.db'),
    recordPath: join(path, 'replies.jsonl'),
    rejectedPath: join(path, 'rejected.jsonl'),
    scratch,
    write: (file, text) => attempt(() => writeFileSync(file, text, { mode: 0o600 })),
    append: (file, text) => attempt(() => appendFileSync(file, text, { mode: 0o600 })),
    freeReserve,
    discard: () => removeRest(path),
    close: async () => {
      freeReserve();
      await removeFolderAside(scratch).catch(requireSystemError);
    },
  };
}

/**
 * Removes what a run no longer needs. By then the run has ended, so what cannot be removed (a disk that
 * became read-only, a folder that a command gave away) stays, and changes nothing about its ending.
 */
function removeRest(path: string): void {
  try {
    // overlayfs leaves folders that their own owner may not read
    removeFolder(path);
  } catch (error) {
    requireSystemError(error);
  }
}

function requireSystemError(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
}

/** The folder that run folders are made in: the one asked for, or a fresh one of the system's. */
export function makeOutFolder(wanted: string | null): string {
  try {
    if (wanted === null) return mkdtempSync(join(tmpdir(), 'photon-'));
    mkdirSync(wanted, { recursive: true });
    return wanted;
  } catch (cause) {
    throw new PhotonError(
      'DISK',
      `the folder for results cannot be made: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Writes a file that is not there yet.
 * @throws PhotonError `DISK`.
 */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    throw new PhotonError('DISK', `${path} cannot be written: ${(cause as Error).message}`, {
      hint: 'Name a file that is not there yet with --out.',
      cause,
    });
  }
}

/**
 * Gives a file a name that is free, in one step.
 * @throws PhotonError `DISK`.
 */
export function moveFile(from: string, to: string): void {
  if (existsSync(to)) throw new PhotonError('DISK', `${to} is there already.`);
  try {
    renameSync(from, to);
  } catch (cause) {
    throw new PhotonError('DISK', `${to} cannot be made: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Makes a folder that is not there yet, with these files in it.
 * @throws PhotonError `DISK`.
 */
export function makeNewFolder(path: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path);
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(path, name), text, { flag: 'wx' });
  } catch (cause) {
    throw new PhotonError('DISK', `${path} cannot be made: ${(cause as Error).message}`, {
      hint: 'Choose a name that is not there yet, in a folder that can be written.',
      cause,
    });
  }
}
