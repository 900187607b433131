/** Backups of what `photon run --apply` wrote over: one JSON file for each run, hidden from git, for `photon undo`. */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { parseAs } from '../../base/schema-issue.ts';
import { normalisePath } from '../../guard/paths.ts';
import { readNamedFile } from './read-foreign.ts';
import { listOwnFolder, replaceOwnFile, requireNoLink, writeAbsentFile } from './replace-file.ts';

/** Folder of the backups, in a checkout and inside a session; it is never delivered. */
export const backupFolder = '.photon/patches/backups';

/** The oldest backups beyond these bounds are removed. The newest one always stays. */
const bounds = { count: 100, bytes: 200_000_000 } as const;

/** A regular file on disk. */
export interface DiskFile {
  readonly bytes: Uint8Array;
  readonly permissions: number;
}

/** A file of a backup. */
interface BackedUpFile {
  readonly path: string;
  /** What the run found; undefined when there was no file. */
  readonly before: DiskFile | undefined;
  /** sha256 of what the run wrote; undefined when it deleted the file. */
  readonly after: string | undefined;
}

/** What one run wrote over. */
export interface Backup {
  /** Name of its file. */
  readonly name: string;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly appliedAt: number;
  readonly files: readonly BackedUpFile[];
}

// the file lies in the checkout, so nothing in it is believed unchecked
const schema = once(() =>
  z.strictObject({
    version: z.literal(1),
    run: z.string().regex(/^[\w-]{1,64}$/),
    appliedAt: z.int().min(0),
    files: z
      .array(
        z.strictObject({
          path: z.string().refine(path => path !== '' && normalisePath(path) === path),
          before: z
            .strictObject({ permissions: z.int().min(0).max(0o777), content: z.base64() })
            .nullable(),
          after: z.hex().length(64).nullable(),
        }),
      )
      .max(10_000),
  }),
);

/**
 * Writes a backup, then removes the oldest ones beyond the bounds.
 * @returns the name of its file.
 * @throws PhotonError `DISK`.
 */
export function keepBackup(checkout: string, backup: Omit<Backup, 'name'>): string {
  writeAbsentFile(checkout, `${backupFolder}/.gitignore`, '*\n');
  const number = Number.parseInt(backupNames(checkout).at(-1) ?? '0', 10) + 1;
  const name = `${String(number).padStart(6, '0')}-${backup.run}.json`;
  const files = backup.files.map(({ path, before, after }) => ({
    path,
    before:
      before === undefined
        ? null
        : {
            permissions: before.permissions,
            content: Buffer.from(before.bytes).toString('base64'),
          },
    after: after ?? null,
  }));
  const { run, appliedAt } = backup;
  const text = JSON.stringify({ version: 1, run, appliedAt, files });
  replaceOwnFile(checkout, `${backupFolder}/${name}`, `${text}\n`);
  prune(checkout);
  return name;
}

/** Removes a backup. */
export function dropBackup(checkout: string, name: string): void {
  requireNoLink(checkout, `${backupFolder}/${name}`);
  rmSync(join(checkout, backupFolder, name), { force: true });
}

/** Names of the backups, oldest first. */
export function backupNames(checkout: string): readonly string[] {
  return listOwnFolder(checkout, backupFolder).filter(name => /^\d{6}-[\w-]+\.json$/.test(name));
}

/** Reads a backup. @throws PhotonError `BACKUP_INVALID`, `DISK` for a link on its path. */
export function readBackup(checkout: string, name: string): Backup {
  const path = `${backupFolder}/${name}`;
  requireNoLink(checkout, path);
  const text = readNamedFile(join(checkout, path)) ?? '';
  const backup = parseAs(schema(), text, { code: 'BACKUP_INVALID', name: path });
  const files = backup.files.map(({ path: file, before, after }) => ({
    path: file,
    after: after ?? undefined,
    before:
      before === null
        ? undefined
        : {
            permissions: before.permissions,
            bytes: Buffer.from(before.content, 'base64'),
          },
  }));
  return { name, run: backup.run, appliedAt: backup.appliedAt, files };
}

function prune(checkout: string): void {
  let bytes = 0;
  for (const [age, name] of [...backupNames(checkout)].reverse().entries()) {
    bytes += lstatSync(join(checkout, backupFolder, name)).size;
    if (age > 0 && (age >= bounds.count || bytes > bounds.bytes)) dropBackup(checkout, name);
  }
}
