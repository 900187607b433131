/** Makes the lock files of a merge anew by npm, pnpm or Yarn, when its manifests are merged. */
import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import { findLockTool, withCorepack } from '../../ecosystems/commands/lock-tool.ts';
import { quoted } from '../../ecosystems/commands/parse-command.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { lockFile } from '../../guard/paths.ts';
import type { BranchMerge } from '../../hosts/host.ts';
import { openInstalled } from '../../process/programs.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import type { VerificationResult } from '../../verify/prove-verdict.ts';
import { requireStarted, runInView, type SandboxedView } from '../../verify/set-up/run-in-view.ts';
import { joinChanges, type MarkedFile } from '../../workspace/commits/reapply.ts';
import { differs, type FileChange, type FileState } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { View } from '../../workspace/views/view.ts';
import type { LoadedRun } from '../stages.ts';
import type { LockFiles } from './run-services.ts';
import type { CommandParts } from './verification.ts';

/** The lock files with a conflict that a tool can make anew, as the merged branch has them. */
export function listLockFiles(merge: Pick<BranchMerge, 'marked'> | undefined) {
  return (merge?.marked ?? []).flatMap(({ path, theirs: state }) => {
    const tool = findLockTool(path, Buffer.from(state.bytes).toString('utf8'));
    return tool === undefined ? [] : [{ path, state, command: tool.command }];
  });
}

/** The merged branch's own manifests and lock files in place of those with marks, which no set-up could read. */
export function findReadable(merge: BranchMerge | undefined): readonly FileChange[] {
  return (merge?.marked ?? []).filter(isManifest).map(unmark);
}

const unmark = ({ path, after: before, theirs: after }: MarkedFile) => ({ path, before, after });

const isManifest = ({ path }: Pick<FileChange, 'path'>) =>
  lockFile.test(path) || pathClasses['@manifests'].some(p => p.test(path));

/** Undefined if no lock file has a conflict. */
export function openLockFiles(run: LoadedRun, parts: CommandParts): LockFiles | undefined {
  const { marked = [] } = run.request.environment.start?.merge ?? {};
  const locks = listLockFiles({ marked });
  if (locks.length === 0) return undefined;
  const { session } = parts;
  const isOther = ({ path }: FileChange) => locks.every(lock => lock.path !== path);
  const { commands: network } = run.policy.settings.network;
  let last: Made | undefined;
  const make = async () => {
    const own = session.changes().filter(isOther);
    // as the set-up, a tool gets no network on what the model wrote, unless commands have it anyway
    const isOwn = network === 'allow' || own.some(isManifest);
    const used = isOwn ? own : [];
    if (last === undefined || !isDeepStrictEqual(last.used, used)) {
      const online = network === 'allow' || (network === 'setup' && !isOwn);
      const sandbox = await parts.sandbox();
      const changes = joinChanges(marked.map(unmark), used);
      const view = await parts.openView(sandbox, changes);
      const tree = await session.git.writeTree(changes);
      const states = new Map<string, FileState>();
      const how = { ...parts, place: { sandbox, view }, tree, online };
      try {
        for (const lock of locks) states.set(lock.path, await makeOne(run, lock, how));
      } finally {
        await view.close();
      }
      last = { used, states };
    }
    return last.states;
  };
  return {
    begin: async () => {
      if (marked.filter(isOther).some(isManifest)) return undefined;
      const states = await make().catch(conflictIn);
      return states instanceof PhotonError ? leftToPeople(states.message) : undefined;
    },
    remake: async () => {
      const states = await make().catch(conflictIn);
      if (states instanceof PhotonError)
        return { made: [], failed: failedBy(states, run, session.patchDigest()) };
      const stands = new Map(session.changes().map(c => [c.path, c.after]));
      const isNew = ([path, after]: [string, FileState]) =>
        differs({ before: stands.get(path), after });
      if (![...states].some(isNew)) return { made: [] };
      await session.apply(states);
      return { made: [...states.keys()] };
    },
  };
}

/** The error if it is a conflict. @throws every other error. */
function conflictIn(error: unknown): PhotonError {
  if (!(error instanceof PhotonError) || error.code !== 'BASE_CONFLICT') throw error;
  return error;
}

/** The verification of a patch with which a tool makes no lock file. */
function failedBy(
  { message: reason, cause }: PhotonError,
  { policy }: Pick<LoadedRun, 'policy'>,
  patchDigest: string,
): VerificationResult {
  const { require } = policy.settings;
  const code = 'BASE_CONFLICT' as const;
  const verification = { require, passed: false, code, reason, regressions: [], patchDigest };
  return { verification, code, message: `Verification failed: ${code}.\n${reason}\n${cause}` };
}

interface Made {
  /** The changes of the session for which the files were made. */
  readonly used: readonly FileChange[];
  readonly states: ReadonlyMap<string, FileState>;
}

/** The ending of a run that resolves no conflict. */
export function leftToPeople(message: string): Ending {
  return { status: 'abstained', code: 'BASE_CONFLICT', phase: 'INPUT', message };
}

interface Making extends Pick<CommandParts, 'session' | 'signal'> {
  readonly place: SandboxedView<View>;
  /** What the view holds before the tool runs. */
  readonly tree: string;
  readonly online: boolean;
}

/** Runs one tool. @throws PhotonError `BASE_CONFLICT` if it fails, `SANDBOX_UNAVAILABLE`, `DISK`, `CANCELLED`. */
async function makeOne(
  { request: { input, environment, scrub }, policy }: LoadedRun,
  { path, state, command }: ReturnType<typeof listLockFiles>[number],
  { session, place, tree, online, signal }: Making,
): Promise<FileState> {
  const { log } = environment;
  log(`Lock file: ${command} (${online ? 'with' : 'without'} network).`);
  const { view } = place;
  const files = { read: (name: string) => session.plainText(name) };
  const installed = openInstalled(input.env, session.git.checkout);
  const line = await withCorepack(command, files, installed);
  const run = async () => {
    const end = await runInView(place, {
      caller: 'setup',
      command: `cd ${quoted(`./${dirname(path)}`)} && { ${line}; }`,
      network: online,
      timeoutMs: policy.settings.testTimeoutMs,
      maxOutputBytes: 64_000,
      signal,
    });
    requireStarted(end, scrub);
    const passed = end.exitCode === 0;
    const made = passed ? readBounded(view.written, path) : undefined;
    // the tool of a workspace writes the lock file of its root, and some tools write manifests, too
    const written = passed ? await view.sync(tree) : [];
    return { end, made, other: written.find(p => p !== path && isManifest({ path: p })) };
  };
  const { end, other, ...first } = await run();
  let { made } = first;
  if (made === Buffer.from(state.bytes).toString('utf8')) {
    // a file that the tool would not write again is not its own
    await view.place(new Map([[path, undefined]]));
    const again = await run();
    if (again.end.exitCode === 0) made = again.made;
  }
  if (made !== undefined && made !== 'too-large' && other === undefined)
    return { mode: state.mode, bytes: Buffer.from(made) };
  const output = scrub(end.output).trim().slice(-2_000);
  log(output);
  const how = describeFailure(end, made, other);
  throw new PhotonError(
    'BASE_CONFLICT',
    `The conflict in ${path} is left to people: "${command}", which makes it anew, ${how}${online ? '' : ' without network'}.`,
    { cause: output },
  );
}

/** Why a tool made no lock file; `made` is the file as it was read, `other` a file that it wrote beside it. */
export function describeFailure(
  { exitCode, limit }: Pick<CommandEnd, 'exitCode' | 'limit'>,
  made: string | undefined,
  other: string | undefined,
): string {
  if (limit !== undefined) return `reached its ${limit} limit`;
  if (exitCode === undefined) return 'was ended by a signal';
  if (exitCode !== 0) return `failed with ${exitCode}`;
  if (other !== undefined) return `wrote ${other}`;
  return made === 'too-large' ? 'wrote more than 10 MB' : 'wrote no such file';
}
