/** Finds past commits that are tasks. Each is proven in the sandbox once, and what was found is kept. */
import { join } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { parseJson } from '../base/schema-issue.ts';
import type { RunInput } from '../hosts/host.ts';
import { systemName } from '../process/system.ts';
import {
  changesBetween,
  type HistoryBounds,
  listHistory,
  type PastCommit,
  placeTree,
  readCommit,
} from '../workspace/commits/past-commits.ts';
import { withScratchFolder } from '../workspace/files/run-folder.ts';
import type { Git } from '../workspace/git/git.ts';
import { type EvaluationStore, hashKey } from './store.ts';
import {
  cleanMessage,
  configFacts,
  type EvalTask,
  isInPart,
  isOwnPath,
  type TaskPart,
  withPresentConfig,
} from './task.ts';
import { withTestServices } from './test-services.ts';
import {
  type CommitParts,
  type CommitProof,
  dropWith,
  dropWithout,
  judgeCommit,
  splitChanges,
} from './verdict.ts';

/** What all steps of an evaluation work with. */
export interface EvaluationContext {
  /** The repository whose past is looked at. */
  readonly git: Git;
  /** Everything of a run but its folders and its task. */
  readonly input: Omit<RunInput, 'workspace' | 'tempRoot' | 'event' | 'delivery'>;
  readonly store: EvaluationStore;
  /** Text of the configuration file to use in place of the repository's; undefined for the repository's. */
  readonly config: string | undefined;
}

interface FindOptions extends HistoryBounds {
  readonly part: TaskPart;
  /** Called when a commit is decided. */
  readonly onCommit: (commit: PastCommit, proof: CommitProof) => void;
}

/** The tasks of the history, and what became of the other commits. */
export interface FoundTasks {
  readonly looked: number;
  readonly tasks: readonly EvalTask[];
  readonly dropped: Readonly<Record<string, number>>;
}

/** A commit that changes more files is no task. */
const maxFiles = 200;

/** Inputs that decide how the tests of a commit run. */
const testInputs = ['test-command', 'setup-command', 'verify', 'network', 'sandbox'] as const;

/** Codes that say nothing about the commit: they end the search. */
const notOfCommit: ReadonlySet<string> = new Set([
  'CANCELLED',
  'SANDBOX_UNAVAILABLE',
  'DISK',
  'SYSTEM_LIMIT',
  'SETTING_INVALID',
  'CONFIG_INVALID',
]);

/**
 * Looks at past commits, newest first.
 * @throws PhotonError for what is wrong with the machine or the settings, and not with a commit.
 */
export async function findTasks(
  place: EvaluationContext,
  options: FindOptions,
): Promise<FoundTasks> {
  const { git, input } = place;
  const ids = await listHistory(git, input.programs, options);
  const inputs = testInputs.map(name => input.inputs[name] ?? '');
  const machine = [systemName, process.arch, process.version];
  const environment = hashKey(2, await configFacts(git, place.config), inputs, machine);
  const tasks: EvalTask[] = [];
  const dropped: Record<string, number> = {};
  const own = ids.filter(id => isInPart(id, options.part));
  for (const id of own) {
    input.signal.throwIfAborted();
    const commit = await readCommit(git, id);
    if (commit === undefined) continue;
    const { proof, task } = await proveOnce(
      place,
      commit,
      `found/${hashKey(environment, id)}.json`,
    );
    options.onCommit(commit, proof);
    if (task !== undefined) tasks.push(task);
    else if (!proof.isTask) dropped[proof.reason] = (dropped[proof.reason] ?? 0) + 1;
  }
  return { looked: own.length, tasks, dropped };
}

const proofSchema = z.discriminatedUnion('isTask', [
  z.strictObject({
    isTask: z.literal(true),
    failing: z.array(z.string()),
    passing: z.array(z.string()),
  }),
  z.strictObject({
    isTask: z.literal(false),
    reason: z.string().max(300),
    detail: z.string().max(300),
  }),
]);

async function proveOnce(place: EvaluationContext, commit: PastCommit, file: string) {
  const candidate = await readCandidate(place, commit);
  if ('reason' in candidate)
    return {
      proof: { isTask: false as const, reason: candidate.reason, detail: '' },
      task: undefined,
    };
  // what an earlier version wrote has no proof
  let proof: CommitProof | undefined = proofSchema.safeParse(
    parseJson(place.store.read(file) ?? ''),
  ).data;
  if (proof === undefined) {
    const made = await proveCommit(place, candidate);
    proof = made.proof;
    if (made.isLasting) place.store.write(file, `${JSON.stringify(proof)}\n`);
  }
  return { proof, task: proof.isTask ? makeTask(commit, candidate, proof) : undefined };
}

function makeTask(
  commit: PastCommit,
  { tree, time, parts }: Candidate,
  {
    failing,
    passing,
  }: { readonly failing: readonly string[]; readonly passing: readonly string[] },
): EvalTask {
  return {
    id: commit.id,
    title: commit.message.split('\n')[0]?.slice(0, 120) ?? '',
    message: cleanMessage(commit.message),
    time,
    tree,
    tests: parts.tests,
    fix: parts.source,
    failing,
    passing,
    wholeCommand: true,
  };
}

interface Candidate {
  readonly tree: string;
  readonly time: number;
  readonly parts: CommitParts;
}

/** What a commit changes, if it can be a task at all. */
async function readCandidate(
  { git, config }: EvaluationContext,
  commit: PastCommit,
): Promise<Candidate | { readonly reason: string }> {
  const [first] = commit.parents;
  if (first === undefined) return { reason: 'it is the first commit' };
  const parent = await readCommit(git, first);
  if (parent === undefined) return { reason: 'the clone does not hold its parent' };
  const [before, after] = await Promise.all([
    git.listTreeEntries(parent.tree),
    git.listTreeEntries(commit.tree),
  ]);
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => before.get(path)?.oid !== after.get(path)?.oid,
  );
  if (paths.length > maxFiles) return { reason: `it changes more than ${maxFiles} files` };
  const changes = await changesBetween(git, { from: parent.tree, to: commit.tree });
  const parts = splitChanges(changes.filter(c => !isOwnPath(c.path)));
  if (parts.source.length === 0) return { reason: 'it changes no source' };
  if (parts.source.every(c => isDocument(c.path))) return { reason: 'it changes documents only' };
  return { tree: await withPresentConfig(git, parent.tree, config), time: parent.time, parts };
}

function isDocument(path: string): boolean {
  return /\.(md|mdx|rst|txt|adoc)$|(^|\/)(LICENSE|\.gitignore)$/i.test(path);
}

async function proveCommit(place: EvaluationContext, candidate: Candidate) {
  try {
    const proof = await withScratchFolder(folder => playCommit(place, candidate, folder));
    return { proof, isLasting: true };
  } catch (error) {
    if (!(error instanceof PhotonError) || notOfCommit.has(error.code)) throw error;
    // a set-up can fail because the network does
    const reason = `its tests cannot run (${error.code})`;
    const detail = `${error.message} ${error.hint}`.replace(/\s+/g, ' ').slice(0, 300);
    const proof = { isTask: false as const, reason, detail };
    return { proof, isLasting: error.code !== 'SETUP_FAILED' };
  }
}

async function playCommit(
  place: EvaluationContext,
  { tree, time, parts }: Candidate,
  folder: string,
): Promise<CommitProof> {
  const workspace = join(folder, 'repository');
  await placeTree(place.git, place.input.programs, { tree, folder: workspace, time });
  const input = testInput(place, { workspace, folder });
  return withTestServices(input, async ({ services: { verifier, reopen }, environment }) => {
    // a verifier runs the tests of the base only once
    const second = (await reopen(environment.git, [])).verifier;
    if (verifier === undefined || second === undefined)
      throw new PhotonError('SETTING_INVALID', 'verify: it is none.');
    try {
      const whole = [...parts.tests, ...parts.source];
      const without = await verifier.run(parts.tests);
      const early = dropWithout(without);
      if (early !== undefined) return early;
      const complete = await verifier.run(whole);
      const late = dropWith(complete);
      if (late !== undefined) return late;
      const withoutAgain = await second.run(parts.tests);
      return judgeCommit([without, withoutAgain], [complete, await second.run(whole)]);
    } finally {
      await second.close();
    }
  });
}

/** The input that opens the tests of a placed tree. */
export function testInput(
  { input, git }: EvaluationContext,
  { workspace, folder }: { readonly workspace: string; readonly folder: string },
): RunInput {
  return {
    ...input,
    workspace,
    tempRoot: join(folder, 'runs'),
    hidePaths: [...input.hidePaths, git.checkout],
    delivery: 'patch',
    event: { name: 'local', payload: null, taskInput: 'evaluation' },
  };
}
