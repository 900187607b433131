/** From a loaded run to a run that is ready for its loop. */
import { PhotonError } from '../../codes.ts';
import type { CleanImage } from '../../guard/content/clean-image.ts';
import { showHiddenCharacters } from '../../guard/content/hidden-characters.ts';
import { type Evidence, initialEvidence, type StartOfEvidence } from '../../guard/evidence.ts';
import { mark } from '../../ledger/mark.ts';
import { isOwnState, States } from '../../memory/states.ts';
import { takesImages } from '../../model/vision.ts';
import { windowOf } from '../../model/windows.ts';
import { drawMap } from '../../navigation/map.ts';
import type { TimeLimit } from '../../process/time-limit.ts';
import type { Task } from '../../task.ts';
import { tools as allTools } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Git } from '../../workspace/git/git.ts';
import { openSessionStore } from '../../workspace/session/session-store.ts';
import { openMemory, type RunMemory } from '../context/open-memory.ts';
import type { Policy } from '../context/policy.ts';
import type { Profile } from '../context/profile.ts';
import { namedPaths } from '../context/prompt.ts';
import { openSkills } from '../context/skills.ts';
import { boundsOfTask, toolsOfMode } from '../limits/run-mode.ts';
import { startLoop } from '../loop/loop-state.ts';
import { type LoopParts, loopOptions } from './loop-options.ts';
import { openRunServices } from './open-services.ts';
import type { ReviewBook } from './review-book.ts';
import { memoryTimeoutMs } from './run-memory.ts';
import { type ModelSource, openRunModel } from './run-model.ts';
import type { RunServices } from './run-services.ts';
import {
  type EquippedRun,
  type LoadedRun,
  type PreparedRun,
  type RunTracker,
  reach,
} from './stages.ts';
import { withWarmUp } from './warm-up.ts';

const unscannedNote =
  'No scan shows that the finding is gone: set sarif-command to the command of the scanner, with a verification.';

/** A repository with at most this many files is read before its map is drawn, and not only afterwards. */
const maxReadFirst = 200;

export interface PrepareOptions extends ModelSource {
  readonly tracker: RunTracker;
  /** Closed when the run ends, the last one opened first. */
  readonly resources: AsyncDisposableStack;
}

/**
 * Opens all that the loop needs.
 * @throws PhotonError for endings that are errors, such as `SANDBOX_UNAVAILABLE`.
 */
export async function prepareRun(run: LoadedRun, options: PrepareOptions): Promise<PreparedRun> {
  const { policy, task, environment, folder } = run;
  const { limit, tracker, resources } = options;
  const { git } = environment;
  const { settings } = policy;
  requireHead(task, git);
  if (task.alert !== undefined && (settings.sarifCommand === '' || settings.require === 'none'))
    run.note(unscannedNote);
  const reading = readMemory(run, limit);
  const { agentName: agent } = policy.profile;
  const identity = { run: run.id, agent, commit: git.commit, tree: git.tree };
  const store = openSessionStore(folder.sessionPath, identity, git.checkout);
  resources.defer(() => store.close());
  const services = await openRunServices(run, { signal: limit.signal, store });
  resources.defer(() => services.close());
  const equipped = reach<EquippedRun>(tracker, { ...run, services, drift: [] });
  // the parser of the map loads while GitHub answers
  const [memory, images, { paths, map }] = await Promise.all([
    reading,
    readImages(run),
    readRepository(equipped),
  ]);
  resources.defer(() => memory?.close());
  const tools = toolsOfRun(policy, task, { memory, more: await mcpToolsOf(services) });
  const skills = await openSkills(policyOfTask(policy, task), {
    task: task.prompt,
    tools: tools.map(t => t.name),
  });
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const evidence = recordInitialEvidence(equipped, { paths, skills, coreTools, memory });
  const plan = task.approved?.plan ?? evidence.plan;
  const states = new States();
  // it uses the time in which the model thinks; a run that gives up before its plan needs none
  const startBaseline = () => {
    if (task.until === undefined) services.verifier?.startBaseline(limit.cancel);
  };
  const state = startLoop({ ...evidence, plan }, phase => {
    states.enterPhase();
    if (phase === 'PLAN') startBaseline();
    run.hooks.onPhase?.(phase);
  });
  const { model: name, contextWindow } = environment.settings;
  state.window = contextWindow ?? windowOf(name);
  // with an approved plan
  if (evidence.phase !== 'INPUT') startBaseline();
  const { model, builtin } = await openRunModel(equipped, options);
  const book = await openBook(equipped);
  const parts = { memory, skills, coreTools, tools, state, states, store, images, map, book };
  const shared = await loopOptions(equipped, parts, limit);
  const loop = {
    ...shared,
    model: withWarmUp(model, {
      services,
      constitution: policy.constitution,
      plan: () => state.evidence.plan,
    }),
  };
  return reach<PreparedRun>(tracker, { ...equipped, memory, state, builtin, book, loop });
}

/** The findings of a review; null in other runs, which load nothing of it. */
async function openBook(run: EquippedRun): Promise<ReviewBook | null> {
  const { task, services, policy, reviewBase } = run;
  if (task.review === undefined) return null;
  const { openReviewBook } = await import('./review-book.ts');
  return openReviewBook({
    review: task.review,
    session: services.session,
    verifier: services.verifier,
    base: reviewBase ?? (async () => null),
    maxFindings: policy.settings.reviewFindings,
    showsOpinions: policy.settings.reviewOpinions,
    schema: policy.reviewSchema,
  });
}

/**
 * The policy with the skills that the task names, when it names some.
 * @throws PhotonError `SKILL_INVALID` for a named skill that was left out.
 */
function policyOfTask(policy: Policy, { skills }: Task): Policy {
  const isLoaded = (name: string) => policy.skills.some(s => s.name === name);
  const reasons = (skills ?? []).flatMap(name =>
    isLoaded(name) ? [] : (policy.leftOutSkills.get(name) ?? []),
  );
  if (reasons.length > 0) throw new PhotonError('SKILL_INVALID', reasons.join('\n'));
  return skills === undefined
    ? policy
    : { ...policy, skills: policy.skills.filter(s => skills.includes(s.name)) };
}

/** The paths of the repository, and its map for the first request. */
async function readRepository({ policy, task, services }: EquippedRun): Promise<{
  readonly paths: readonly string[];
  readonly map: string;
}> {
  const paths = (await services.session.files()).map(f => f.path);
  // a small repository is searched in memory, which starts one git process less; what fails here fails below
  if (paths.length <= maxReadFirst) await services.session.warmUp().catch(() => {});
  const map = await drawMap(services.navigation.source, {
    task: task.prompt,
    paths,
    maxBytes: policy.settings.mapBytes,
  });
  return { paths, map: showHiddenCharacters(map).text };
}

interface InitialParts extends Pick<LoopParts, 'skills' | 'coreTools' | 'memory'> {
  readonly paths: readonly string[];
}

/** Records the initial evidence in the ledger, and returns it. */
function recordInitialEvidence(
  { task, ledger, services }: EquippedRun,
  { paths, skills, coreTools, memory }: InitialParts,
): Evidence {
  const start: StartOfEvidence = {
    taskPaths: namedPaths(task, paths),
    coreTools,
    allowedSkills: skills.names(),
    unreadySkills: Object.fromEntries(skills.unready()),
    verificationWaived: services.verifier === null,
    ...boundsOfTask(task),
  };
  const evidence = initialEvidence(start);
  ledger.append({ ...mark('run.evidence', {}), initial: start });
  if (memory !== null) {
    const facts = { ...memory.counts, offered: memory.advice.ids.length };
    // a run with an approved plan begins in PLAN
    ledger.append({ ...mark('memory.read', facts), phase: evidence.phase });
  }
  return evidence;
}

/** The images of the task, when a model of the run may see them; a replay and the embedded engine see none. */
async function readImages({ task, environment, input }: LoadedRun): Promise<readonly CleanImage[]> {
  const { engine, model, fallbacks, images } = environment.settings;
  if (engine === 'builtin' || input.replay !== undefined || (task.images ?? []).length === 0)
    return [];
  const sees = [model, ...fallbacks].some(name => takesImages(name, images));
  return sees ? environment.images(task) : [];
}

/** The records, read while the services open. */
async function readMemory(run: LoadedRun, limit: TimeLimit): Promise<RunMemory | null> {
  const { policy, task, environment, input, id, note } = run;
  const nowMs = input.now();
  const at = new Date(nowMs).toISOString();
  const by = { run: id, commit: environment.git.commit, who: task.askedBy || 'the workflow', at };
  // a timer that is left behind would hold the process
  const read = new AbortController();
  const until = AbortSignal.any([limit.signal, read.signal]);
  const giveUp = limit.clock.sleep(memoryTimeoutMs, until);
  const { memory } = environment;
  const { settings } = policy;
  // a replay has no records
  const expected = settings.recordTools === true && input.replay === undefined;
  try {
    return await openMemory({ memory, settings, expected, task, by, nowMs, giveUp, note });
  } finally {
    read.abort();
  }
}

/** The tools of a run: of its profile, for its kind of task, with records where it may write in them. */
function toolsOfRun(
  { profile, settings, reviewSchema }: Policy,
  task: Task,
  { memory, more }: { readonly memory: RunMemory | null; readonly more: readonly Tool[] },
): readonly Tool[] {
  const records = settings.recordTools === true && memory?.writable === true;
  const pull = task.headBranch !== undefined && settings.conversation !== 'off';
  const findings = task.review !== undefined;
  const report = findings && reviewSchema !== null;
  const own = toolsOf(profile, { records, pull, findings, report });
  return toolsOfMode(task, [...own, ...more]);
}

/** The tools of MCP servers, which a skill must grant. */
async function mcpToolsOf({ mcp }: RunServices): Promise<readonly Tool[]> {
  return mcp === null ? [] : (await import('../../tools/mcp-tool.ts')).toolsOfServers(mcp);
}

/** What a run has beside its profile. */
interface Useful {
  readonly records: boolean;
  readonly pull: boolean;
  readonly findings: boolean;
  readonly report: boolean;
}

/** The tools that the profile allows and the run has a use for. */
function toolsOf(profile: Profile, more: Useful): readonly Tool[] {
  const { allowedTags, memory, segments } = profile;
  const ram = memory === 'ram';
  const states = ram || segments.some(s => isOwnState(s.condition));
  const useful = { ram, states, ...more };
  return allTools.filter(t => {
    // a review is nothing without its tool
    if (t.needs === 'findings' || t.needs === 'report') return more[t.needs];
    // a profile that names its tools decides, but for those that have nothing to work on
    return allowedTags === null || t.needs === 'records' || t.needs === 'pull'
      ? (t.needs === null || useful[t.needs]) && (allowedTags?.includes(t.name) ?? true)
      : allowedTags.includes(t.name);
  });
}

/** On a pull request the checkout must be the very commit that the task is about. */
function requireHead(task: Task, git: Git): void {
  const head = task.headBranch;
  if (head === undefined || head.sha === git.commit) return;
  const hint = `Give actions/checkout: ref: refs/pull/${head.number}/head (docs/triggers.md shows it).`;
  throw new PhotonError(
    'CHECKOUT_MISMATCH',
    `The checkout is at ${git.commit.slice(0, 12)}, and the task is about ${head.sha.slice(0, 12)}.`,
    { hint },
  );
}
