/** Uses the results of set-ups that earlier runs kept in a folder, where that is safe (docs/verification.md). */
import { createHash } from 'node:crypto';
import type { SetUpCacheUse } from '../../base/outcome.ts';
import { quoted } from '../../ecosystems/commands/parse-command.ts';
import { installPart, repeatedSetUp, type SetUpFiles } from '../../ecosystems/commands/set-up.ts';
import { findChanged, findUntracked } from '../../workspace/commits/unsaved.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { LayerStore } from '../../workspace/stores/layer-store.ts';
import type { ViewMount, WrittenLayers } from '../../workspace/views/view.ts';
import { requireStarted, runInView, type SandboxedView } from './run-in-view.ts';

/** A view whose layers can be kept. */
interface KeepableView extends ViewMount {
  readonly layers: WrittenLayers | undefined;
}

/** What is in a view of the base after a look into the cache. */
interface RestoredSetUp {
  /** Undefined if nothing may be kept of this set-up. */
  readonly part: KeptPart | undefined;
  /** `in part`: the view cannot be used. */
  readonly restored: 'whole' | 'in part' | 'not';
}

export interface SetUpCache<V extends ViewMount> {
  /** Fills a fresh view of the base with the result of an earlier run. */
  restore(place: SandboxedView<V>, signal: AbortSignal): Promise<RestoredSetUp>;
  /** Keeps the result, if this run may. It never fails: the log says why nothing was kept. */
  save(place: SandboxedView<V>, part: KeptPart, signal: AbortSignal): Promise<void>;
}

interface SetUpCacheOptions {
  readonly store: LayerStore;
  readonly git: Git;
  readonly command: string;
  readonly files: () => Promise<SetUpFiles>;
  readonly network: string;
  readonly machine: SetUpMachine;
  /** Why this run may not save; undefined if it may. */
  readonly whyNotSaved: () => Promise<string | undefined>;
  readonly log: (line: string) => void;
  /** Called with what was done, for the outcome. */
  readonly used: (use: SetUpCacheUse) => void;
}

/** Opens the cache of one base. */
export function openSetUpCache<V extends KeepableView>(options: SetUpCacheOptions): SetUpCache<V> {
  const { store, log, used } = options;
  return {
    restore: async (place, signal) => {
      const reason = await whyUnused(options, place, signal);
      if (reason !== undefined) {
        log(`Set up: the folder setup-cache is not used: ${reason}.`);
        used({ result: 'unused', reason, saved: false });
        return { part: undefined, restored: 'not' };
      }
      const part = await keptPart(options, place);
      return { part, restored: await restore(options, { place, part, signal }) };
    },
    save: async (place, part, signal) => {
      const reason = await whyNotSaved(options, place, part);
      const saved = reason === undefined ? await save(store, { place, part, signal }) : { reason };
      const isSaved = 'name' in saved;
      used({ result: 'miss', saved: isSaved, reason: isSaved ? undefined : saved.reason });
      log(
        isSaved
          ? `Set up: the result is kept as ${saved.name}.`
          : `Set up: the result is not kept: ${saved.reason}.`,
      );
    },
  };
}

/** Why nothing of the folder may be read or written; undefined if it can be trusted. */
async function whyUnused<V extends KeepableView>(
  { store, git }: SetUpCacheOptions,
  place: SandboxedView<V>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (store.distrust !== undefined) return store.distrust;
  const { launcher, guarantees } = place.sandbox;
  const missing = guarantees.filter(g => !g.holds && /^(reads|writes)$/.test(g.name));
  if (launcher === 'plain' || missing.length > 0)
    return 'without a sandbox, commands could write to it';
  if (place.view.layers === undefined) return 'this machine has no overlay mounts';
  const untracked = await findUntracked(git);
  if (untracked !== undefined)
    return `the checkout holds ${untracked}, which is not of its commit, and the set-up could read it`;
  const seen = await runInView(place, {
    caller: 'setup',
    command: `test -e ${quoted(store.witness)}`,
    network: false,
    timeoutMs: 20_000,
    maxOutputBytes: 2_000,
    signal,
  });
  requireStarted(seen, text => text);
  return seen.exitCode === 1 ? undefined : 'commands can see it';
}

async function keptPart<V extends KeepableView>(
  { git, command, files, network, machine }: SetUpCacheOptions,
  { sandbox, view }: SandboxedView<V>,
): Promise<KeptPart> {
  const { home, caches } = sandbox.support;
  const facts = {
    ...machine.facts,
    network,
    settings: sandbox.setUpNetwork().join(),
    checkout: git.checkout,
    home,
    caches: caches.map(cache => cache.at).join('\n'),
    layers: view.layers?.names.join('\n'),
  };
  const base = { setUp: await files(), entries: await git.listTreeEntries(git.tree) };
  return findKeptPart(command, base, { ...machine, facts });
}

interface Work<V extends ViewMount> {
  readonly place: SandboxedView<V>;
  readonly part: KeptPart;
  readonly signal: AbortSignal;
}

async function restore<V extends KeepableView>(
  { store, log, used }: SetUpCacheOptions,
  { place, part, signal }: Work<V>,
): Promise<RestoredSetUp['restored']> {
  const found = await store.find(part.key);
  if (found.kind === 'none') {
    log(`Set up: no earlier run kept the result of ${part.command}.`);
    return 'not';
  }
  if (found.kind === 'damaged') {
    log(`Set up: ${found.reason}, so it is not used.`);
    return 'not';
  }
  try {
    await found.restore(place.view.layers ?? { folder: '', names: [] }, signal);
  } catch (error) {
    signal.throwIfAborted();
    log(`Set up: ${found.name} cannot be used: ${(error as Error).message}.`);
    return 'in part';
  } finally {
    found.close();
  }
  const size = (found.bytes / 1024 ** 2).toFixed(1);
  log(`Set up: ${found.name} of an earlier run takes the place of ${part.command} (${size} MiB).`);
  used({ result: 'hit', saved: false });
  return 'whole';
}

async function whyNotSaved<V extends KeepableView>(
  { git, whyNotSaved: why }: SetUpCacheOptions,
  { view }: SandboxedView<V>,
  { files }: KeptPart,
): Promise<string | undefined> {
  const reason = await why();
  if (reason !== undefined || view.layers === undefined) return reason;
  const { folder, names } = view.layers;
  // with another commit, the kept version of such a file would hide that of the commit
  const others = [...(await git.listTreeEntries(git.tree)).keys()].filter(path => !files.has(path));
  const changed = findChanged(`${folder}/${names[0]}`, others);
  return changed === undefined ? undefined : `the set-up changes ${changed}`;
}

async function save<V extends KeepableView>(
  store: LayerStore,
  { place, part, signal }: Work<V>,
): Promise<{ readonly name: string } | { readonly reason: string }> {
  try {
    return {
      name: await store.save(part.key, place.view.layers ?? { folder: '', names: [] }, signal),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { reason: (error as Error).message };
  }
}

/** What the result of a set-up depends on besides the files. */
interface SetUpMachine {
  /** The variables of commands, and facts of the machine such as its system. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** Identifies a program of the PATH. */
  readonly program: (name: string) => string;
}

/** The part of a set-up whose result is kept. */
interface KeptPart {
  /** A shell line. */
  readonly command: string;
  /** A shell line that runs after it in every run; empty for none. */
  readonly rest: string;
  /** sha256 of all that the result depends on. */
  readonly key: string;
  /** Files of the base that the result depends on. */
  readonly files: ReadonlySet<string>;
}

interface Base {
  readonly setUp: SetUpFiles;
  readonly entries: ReadonlyMap<string, { readonly mode: string; readonly oid: string }>;
}

/**
 * The leading installations of a command, keyed by the files that make them run again when a patch changes them.
 * A command that begins with anything else is kept as a whole, keyed by every file of the base.
 */
export function findKeptPart(
  command: string,
  { setUp, entries }: Base,
  machine: SetUpMachine,
): KeptPart {
  const split = installPart(command) ?? { install: command, rest: '' };
  const repeats = (path: string) =>
    repeatedSetUp(split.install, setUp, [makeChange(path)]) === split.install;
  const read = [...entries].filter(([path]) => repeats(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const words = [...new Set(['node', ...(split.install.match(/[\w.+-]+/g) ?? [])])];
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([
      'photon-setup-cache:1',
      split.install,
      Object.entries(machine.facts).sort(([a], [b]) => (a < b ? -1 : 1)),
      words.map(name => [name, machine.program(name)]),
      read.map(([path, { mode, oid }]) => [path, mode, oid]),
    ]),
  );
  return {
    command: split.install,
    rest: split.rest,
    key: hash.digest('hex'),
    files: new Set(read.map(([path]) => path)),
  };
}

function makeChange(path: string): FileChange {
  return { path, before: undefined, after: undefined };
}
