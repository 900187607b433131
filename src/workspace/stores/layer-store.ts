/** Keeps what set-ups wrote as archives in a folder: named by key and digest, bounded, and replaced in one step. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import { requirePipes } from '../../process/run-process.ts';
import { isWithin, realPath } from '../files/locate.ts';
import { removeFolder } from '../files/remove-folder.ts';

/** Folders to keep, or to fill: `names` are relative to `folder`. */
interface LayerFolders {
  readonly folder: string;
  readonly names: readonly string[];
}

/** An archive that was found. */
type FoundLayers =
  | { readonly kind: 'none' }
  /** It cannot be used; `reason` names it and says why. */
  | { readonly kind: 'damaged'; readonly reason: string }
  | {
      readonly kind: 'found';
      readonly name: string;
      readonly bytes: number;
      /** Fills the folders. On an error they hold a part. @throws Error */
      readonly restore: (into: LayerFolders, signal: AbortSignal) => Promise<void>;
      readonly close: () => void;
    };

export interface LayerStore {
  /** A file in the folder, for a look from where commands run: they must not see it. */
  readonly witness: string;
  /** Why the folder cannot be trusted; undefined if it can. */
  readonly distrust: string | undefined;
  /** Finds the newest archive of a key, and compares it with its digest. */
  find(key: string): Promise<FoundLayers>;
  /**
   * Keeps folders under a key, and removes the archives beyond the limits, oldest first. An interrupted call
   * leaves nothing that `find` returns.
   * @returns the name of the archive.
   * @throws Error that says why nothing was kept.
   */
  save(key: string, from: LayerFolders, signal: AbortSignal): Promise<string>;
}

/** Bounds of a store. */
interface LayerLimits {
  readonly entryBytes: number;
  readonly totalBytes: number;
  readonly entries: number;
  readonly ageMs: number;
}

const gibibyte = 1024 ** 3;
const day = 24 * 3_600_000;

/** The bounds that docs/verification.md states. */
export const layerLimits: LayerLimits = {
  entryBytes: 2 * gibibyte,
  totalBytes: 5 * gibibyte,
  entries: 10,
  ageMs: 30 * day,
};

interface LayerStoreOptions {
  /** Absolute path. It is created if it does not exist. */
  readonly folder: string;
  /** Folders that it must not lie in. */
  readonly notIn: readonly string[];
  /** Folders that it must not contain. */
  readonly notAbove: readonly string[];
  readonly programs: Programs;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly limits?: LayerLimits;
}

const entryName = /^([0-9a-f]{64})-([0-9a-f]{64})\.tar$/;
const draftName = /^\.saving-/;
const witnessName = '.photon-setup-cache';

/**
 * Opens the store.
 * @throws PhotonError `SETTING_INVALID` for a folder that commands or a checkout could write to, `DISK`.
 */
export function openLayerStore(options: LayerStoreOptions): LayerStore {
  const folder = openFolder(options);
  const witness = join(folder, witnessName);
  const { programs, limits = layerLimits } = options;
  const tar = programs.paths.tar;
  const distrust =
    whyDistrusted(lstatSync(folder)) ?? (tar === undefined ? 'tar is missing' : undefined);
  if (distrust === undefined) writeFileSync(witness, '');
  const bounds = { ...limits, now: options.now };
  return {
    witness,
    distrust,
    find: key => find({ folder, tar: tar ?? '', key }, bounds),
    save: (key, from, signal) => save({ folder, tar: tar ?? '', key }, { from, signal, bounds }),
  };
}

function openFolder({ folder, notIn, notAbove }: LayerStoreOptions): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `setup-cache: ${folder} cannot be created: ${(cause as Error).message}`;
    throw new PhotonError('DISK', message, { cause });
  }
  const real = realPath(folder) ?? folder;
  const near =
    notIn.find(other => isWithin(real, realPath(other) ?? other)) ??
    notAbove.find(other => isWithin(realPath(other) ?? other, real));
  if (near === undefined) return real;
  throw new PhotonError(
    'SETTING_INVALID',
    `setup-cache: ${folder} lies in ${near} or contains it. Name a folder that holds nothing else.`,
  );
}

/** A folder that others can write to proves nothing about what is in it. */
function whyDistrusted({ uid, mode }: Stats): string | undefined {
  if (uid !== (process.getuid?.() ?? uid)) return 'the folder belongs to another user';
  return (mode & 0o022) === 0 ? undefined : 'other users can write to the folder';
}

interface KeyedFolder {
  readonly folder: string;
  readonly tar: string;
  readonly key: string;
}

interface Bounds extends LayerLimits {
  readonly now: () => number;
}

interface Entry {
  readonly name: string;
  readonly key: string;
  readonly digest: string;
  readonly stats: Stats;
}

/** The archives of a folder, newest first. Anything else in it is ignored. */
function listArchives(folder: string): readonly Entry[] {
  return readdirSync(folder)
    .flatMap(name => {
      const [, key = '', digest = ''] = entryName.exec(name) ?? [];
      const stats =
        key === '' ? undefined : lstatSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() === true ? [{ name, key, digest, stats }] : [];
    })
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs || (a.name < b.name ? -1 : 1));
}

async function find({ folder, tar, key }: KeyedFolder, bounds: Bounds): Promise<FoundLayers> {
  const entry = listArchives(folder).find(e => e.key === key);
  if (entry === undefined) return { kind: 'none' };
  const { name, digest, stats } = entry;
  const damaged = (why: string) => ({ kind: 'damaged' as const, reason: `${name} ${why}` });
  if (bounds.now() - stats.mtimeMs > bounds.ageMs) return damaged('is too old');
  const descriptor = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW);
  const close = () => closeSync(descriptor);
  try {
    const { size } = fstatSync(descriptor);
    const why =
      size > bounds.entryBytes
        ? 'is too large'
        : (await hashFile(descriptor)) === digest
          ? undefined
          : 'does not have the content that its name states';
    if (why !== undefined) {
      close();
      return damaged(why);
    }
    // the descriptor still stands at the beginning of the file whose digest was compared
    const restore = (into: LayerFolders, signal: AbortSignal) =>
      extract({ tar, descriptor, into }, signal);
    return { kind: 'found', name, bytes: size, restore, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function hashFile(descriptor: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream('', { fd: descriptor, start: 0, autoClose: false }))
    hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Only this attribute has a meaning on another machine: a folder that shows nothing of the layers below. */
const attributes = ['--xattrs', '--xattrs-include=user.overlay.opaque', '--numeric-owner'];
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

interface Extraction {
  readonly tar: string;
  readonly descriptor: number;
  readonly into: LayerFolders;
}

function extract({ tar, descriptor, into }: Extraction, signal: AbortSignal): Promise<void> {
  const argv = [
    '--extract',
    '--file=-',
    '--preserve-permissions',
    ...attributes,
    '--',
    ...into.names,
  ];
  const child = requirePipes(
    spawn(tar, argv, {
      cwd: into.folder,
      env: environment,
      stdio: [descriptor, 'ignore', 'pipe'],
      signal,
    }),
  );
  return ended(child);
}

/** Waits for the end of tar. @throws Error with what it printed, unless it ends with exit status 0. */
function ended(child: ReturnType<typeof spawn>): Promise<void> {
  let problem = '';
  child.stderr?.on('data', (part: Buffer) => {
    if (problem.length < 2_000) problem += part.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(problem.trim().split('\n')[0] || `tar ended with ${code}`));
    });
  });
}

interface Saving {
  readonly from: LayerFolders;
  readonly signal: AbortSignal;
  readonly bounds: Bounds;
}

async function save(place: KeyedFolder, { from, signal, bounds }: Saving): Promise<string> {
  const { folder, key } = place;
  await requireGnuTar(place.tar);
  removeDrafts(folder, bounds.now());
  const draft = mkdtempSync(join(folder, '.saving-'));
  try {
    const path = join(draft, 'archive');
    const digest = await archive(place.tar, path, { from, signal, bounds });
    const name = `${key}-${digest}.tar`;
    for (const old of listArchives(folder)) if (old.key === key) rmSync(join(folder, old.name));
    renameSync(path, join(folder, name));
    prune(folder, bounds);
    return name;
  } finally {
    removeFolder(draft);
  }
}

async function requireGnuTar(tar: string): Promise<void> {
  const { stdout } = await promisify(execFile)(tar, ['--version'], { env: environment });
  if (!stdout.includes('GNU tar')) throw new Error('tar is not GNU tar');
}

/** Writes an archive and flushes it to the disk. Returns its digest. */
async function archive(
  tar: string,
  path: string,
  { from, signal, bounds }: Saving,
): Promise<string> {
  // the repository of a view belongs to one commit
  const unkept = ['--anchored', `--exclude=${from.names[0]}/.git`];
  const format = ['--format=posix', '--pax-option=delete=atime,delete=ctime', '--sort=name'];
  const argv = ['--create', '--file=-', ...format, ...attributes, ...unkept, '--', ...from.names];
  const child = requirePipes(
    spawn(tar, argv, {
      cwd: from.folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    }),
  );
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform: (part: Buffer, _encoding, done) => {
      bytes += part.length;
      hash.update(part);
      if (bytes <= bounds.entryBytes) done(null, part);
      else done(new Error(`it is larger than ${Math.round(bounds.entryBytes / 1024 ** 2)} MiB`));
    },
  });
  const end = ended(child);
  end.catch(() => {}); // awaited below
  try {
    await pipeline(
      child.stdout,
      measure,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await end;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return hash.digest('hex');
}

/** Removes what interrupted calls left; another run can still be saving. */
function removeDrafts(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter(n => draftName.test(n))) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > day) removeFolder(join(folder, name));
  }
}

function prune(folder: string, { entries, totalBytes, ageMs, now }: Bounds): void {
  let [count, bytes] = [0, 0];
  for (const { name, stats } of listArchives(folder)) {
    count += 1;
    bytes += stats.size;
    if (count > entries || bytes > totalBytes || now() - stats.mtimeMs > ageMs)
      rmSync(join(folder, name), { force: true });
  }
}
