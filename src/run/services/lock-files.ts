/** Makes the lock files of a merge anew by their tools, when its manifests are merged. */
import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import { findLockTool } from '../../ecosystems/commands/lock-tool.ts';
import { quoted } from '../../ecosystems/commands/parse-command.ts';
import { lockFile, pathClasses } from '../../ecosystems/tests/path-classes.ts';
import type { BranchMerge } from '../../hosts/host.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { requireStarted, runInView } from '../../verify/set-up/run-in-view.ts';
import { joinChanges } from '../../workspace/commits/reapply.ts';
import { differs, type FileChange, type FileState } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Session } from '../../workspace/session/session.ts';
import type { LoadedRun } from '../stages.ts';
import type { LockFiles } from './run-services.ts';
import type { OpenOwnView } from './verification.ts';

interface LockFile {
  readonly path: string;
  readonly state: FileState;
  readonly command: string;
}

/** The lock files with a conflict that a tool can make anew, as the merged branch has them. */
export function listLockFiles(merge: Pick<BranchMerge, 'marked'> | undefined): readonly LockFile[] {
  return (merge?.marked ?? []).flatMap(({ path, theirs: state }) => {
    const tool = findLockTool(path, Buffer.from(state.bytes).toString('utf8'));
    return tool === undefined ? [] : [{ path, state, command: tool.command }];
  });
}

/**
 * What replaces the marks of a merge in the files that a set-up reads: those of the merged branch. No set-up could read
 * the marks.
 */
export function findReadable(merge: BranchMerge | undefined): readonly FileChange[] {
  return (merge?.marked ?? [])
    .filter(({ path }) => isManifest(path))
    .map(({ path, after, theirs }) => ({ path, before: after, after: theirs }));
}

function isManifest(path: string): boolean {
  return lockFile.test(path) || pathClasses['@manifests'].some(p => p.test(path));
}

interface LockParts {
  readonly session: Session;
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: OpenOwnView;
  readonly signal: AbortSignal;
}

/** Undefined if no lock file has a conflict. */
export function openLockFiles(run: LoadedRun, parts: LockParts): LockFiles | undefined {
  const { merge } = run.environment.start ?? {};
  const locks = listLockFiles(merge);
  if (merge === undefined || locks.length === 0) return undefined;
  const { session } = parts;
  const isLock = (path: string) => locks.some(lock => lock.path === path);
  const unmarked = merge.marked.map(({ path, after, theirs }) => ({
    path,
    before: after,
    after: theirs,
  }));
  const { commands: network } = run.policy.settings.network;
  let last: { readonly used: readonly FileChange[]; readonly made: States } | undefined;
  const make = async () => {
    const own = session.changes().filter(({ path }) => !isLock(path));
    // as the set-up, a tool gets no network on what the model wrote, unless commands have it anyway
    const isOwn = network === 'allow' || own.some(({ path }) => isManifest(path));
    const used = isOwn ? own : [];
    if (last !== undefined && isDeepStrictEqual(last.used, used)) return last.made;
    const online = network === 'allow' || (network === 'setup' && !isOwn);
    const made = await makeAll(run, locks, {
      ...parts,
      changes: joinChanges(unmarked, used),
      online,
    });
    last = { used, made };
    return made;
  };
  return {
    begin: async () => {
      if (merge.marked.some(({ path }) => !isLock(path) && isManifest(path))) return undefined;
      try {
        await make();
        return undefined;
      } catch (error) {
        if (!(error instanceof PhotonError) || error.code !== 'BASE_CONFLICT') throw error;
        return leftToPeople(error.message);
      }
    },
    remake: async () => {
      const made = await make();
      const states = await Promise.all(
        [...made].map(async ([path, after]) => ({
          path,
          before: await session.state(path),
          after,
        })),
      );
      if (!states.some(differs)) return [];
      await session.apply(made, new Map());
      return [...made.keys()];
    },
  };
}

/** The ending of a run that resolves no conflict. */
export function leftToPeople(message: string): Ending {
  return { status: 'abstained', code: 'BASE_CONFLICT', phase: 'INPUT', message };
}

type States = ReadonlyMap<string, FileState>;

interface Making extends LockParts {
  readonly changes: readonly FileChange[];
  readonly online: boolean;
}

const outputBytes = 64_000;

async function makeAll(
  { policy, environment, scrub }: LoadedRun,
  locks: readonly LockFile[],
  { sandbox: open, openView, changes, online, signal }: Making,
): Promise<States> {
  const sandbox = await open();
  const view = await openView(sandbox, changes);
  try {
    const made = new Map<string, FileState>();
    for (const { path, state, command } of locks) {
      environment.log(`Lock file: ${command} (${online ? 'with' : 'without'} network).`);
      const end = await runInView(
        { sandbox, view },
        {
          caller: 'setup',
          command: `cd ${quoted(`./${dirname(path)}`)} && { ${command}; }`,
          network: online,
          timeoutMs: policy.settings.testTimeoutMs,
          maxOutputBytes: outputBytes,
          signal,
        },
      );
      requireStarted(end, scrub);
      const text = end.exitCode === 0 ? readBounded(view.written, path) : undefined;
      if (text === undefined || text === 'too-large') {
        environment.log(scrub(end.output).trim().slice(-2_000));
        const how =
          end.exitCode === 0 ? 'wrote no such file' : `failed with ${end.limit ?? end.exitCode}`;
        throw new PhotonError(
          'BASE_CONFLICT',
          `The conflict in ${path} is left to people: "${command}", which makes it anew, ${how}${online ? '' : ' without network'}.`,
        );
      }
      made.set(path, { mode: state.mode, bytes: Buffer.from(text) });
    }
    return made;
  } finally {
    await view.close();
  }
}
