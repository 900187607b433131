/** From a loaded run to a run that is ready for its loop. */
import type { Policy } from '../agent/context/policy.ts';
import type { Profile } from '../agent/context/profile.ts';
import { namedPaths } from '../agent/context/prompt.ts';
import { openSkills } from '../agent/context/skills.ts';
import { type DayShare, openDayShare } from '../agent/limits/day-budget.ts';
import { startLoop } from '../agent/loop/loop-state.ts';
import { recordedModel, renderHeader } from '../audit/record.ts';
import { PhotonError } from '../base/codes.ts';
import { once } from '../base/once.ts';
import type { Ending } from '../base/outcome.ts';
import type { Task } from '../base/task.ts';
import type { CheckedImage } from '../guard/content/image.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { type Evidence, initialEvidence, type StartOfEvidence } from '../guard/evidence.ts';
import { pathsIn } from '../guard/paths.ts';
import { mark } from '../ledger/ledger.ts';
import type { RunMemory } from '../memory/open-memory.ts';
import { isOwnState, States } from '../memory/states.ts';
import type { Model } from '../model/turn.ts';
import { drawMap } from '../navigation/map.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import { findWindow } from '../settings/models.ts';
import { tools as allTools } from '../tools/index.ts';
import { toolsOfServers } from '../tools/mcp-tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { Git } from '../workspace/git/git.ts';
import { openSessionStore, type SessionStore } from '../workspace/session/session-store.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { withFailingTests } from './failing-tests.ts';
import { refuseMerge } from './final-check.ts';
import { readMemory } from './keep-memory.ts';
import { answer, isQuestion } from './kinds/answer.ts';
import { change } from './kinds/change.ts';
import { withExperiments } from './kinds/looking.ts';
import { openReportKeeper } from './kinds/report-keeper.ts';
import { openSecondLook } from './kinds/second-look.ts';
import { loadRun } from './load-run.ts';
import { type LoopParts, loopOptions } from './loop-options.ts';
import { openRunServices, type ServiceOptions } from './services/open-services.ts';
import type { RunServices } from './services/run-services.ts';
import type { LoadedRun, OpenedEngine, PreparedRun, RunProgress, RunRequest } from './stages.ts';

interface PrepareOptions {
  readonly progress: RunProgress;
  readonly limit: TimeLimit;
  /** What must hold before the model gets its first request; it rejects when it does not. */
  readonly ready: Promise<unknown>;
  readonly readTrusted: () => Promise<TrustedFiles>;
  /** Closed when the run ends, the last one opened first. */
  readonly resources: AsyncDisposableStack;
}

/**
 * Opens all that the loop needs; an ending if the run must not begin.
 * @throws PhotonError for endings that are errors, such as `SANDBOX_UNAVAILABLE`.
 */
export async function prepareRun(
  request: RunRequest,
  options: PrepareOptions,
): Promise<{ readonly run: PreparedRun } | { readonly run: undefined; readonly ending: Ending }> {
  const { progress, limit, resources, readTrusted } = options;
  const { git } = request.environment;
  if (git.holdsCredential) request.note(credentialNote);
  const loaded = await loadRun(request, readTrusted);
  progress.policy = loaded.policy;
  const ending =
    refuseMerge(loaded.environment.start?.merge, loaded.policy) ??
    (await openShare(loaded, options));
  if (ending !== undefined) return { run: undefined, ending };
  requireHead(loaded.task, git);
  const reading = readMemory(loaded, limit);
  const store = openStore(loaded);
  resources.defer(() => store.close());
  const { run, services } = await openServices(loaded, { ...limit, store });
  resources.defer(() => services.close());
  progress.services = services;
  const unmade = await services.locks?.begin();
  if (unmade !== undefined) return { run: undefined, ending: unmade };
  const read = Promise.all([reading, readImages(run), readRepository(run, services)]);
  read.catch(() => {}); // the sandbox opens meanwhile, and what it lacks is reported first
  await services.ready;
  const [memory, images, repository] = await read;
  resources.defer(() => memory?.close());
  const tools = toolsOfRun(run, services, memory);
  const skills = await openSkills(policyOfTask(run.policy, run.task), {
    task: run.task.prompt,
    tools: tools.map(t => t.name),
  });
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const reviewCollector = run.kind.openBook?.(run, services);
  const report = openReportKeeper(run);
  const informed = await withFailingTests(run, services, limit);
  const tellsTests = informed !== run; // and what they print decides what the map shows first
  const { paths, map } = tellsTests ? await readRepository(informed, services) : repository;
  const seen = [map, ...informed.task.context.map(c => c.text)].join('\n');
  const evidence = recordInitialEvidence(run, { services, paths, seen, skills, coreTools, memory });
  const states = new States();
  const state = beginLoop(run, { services, evidence, states, limit, tellsTests });
  const parts = {
    services,
    memory,
    skills,
    coreTools,
    tools,
    state,
    states,
    store,
    images,
    map,
    reviewCollector,
    report,
  };
  const about = { services, limit, phase: () => state.evidence.phase };
  const { repair, ...opened } = await run.engine.open(run, about);
  const model = modelOfRun(run, opened, options.ready);
  const look = openSecondLook(run, parts, limit);
  const loop = { ...(await loopOptions(informed, { ...parts, look }, limit)), model };
  progress.run = {
    ...run,
    services,
    drift: run.environment.start?.drift ?? [],
    memory,
    state,
    repair,
    reviewCollector,
    report,
    loop,
  };
  return { run: progress.run };
}

/** What a question needs not: a project without tests, or whose tests cannot run, is asked about all the same. */
const ofTests: ReadonlySet<string> = new Set(['VERIFY_COMMAND_MISSING', 'TEST_COMMAND_UNRUNNABLE']);

/** The services of a run. A question is answered where nothing could prove a patch. */
async function openServices(
  run: LoadedRun,
  options: ServiceOptions,
): Promise<{ readonly run: LoadedRun; readonly services: RunServices }> {
  try {
    return { run, services: await openRunServices(run, options) };
  } catch (error) {
    const isUntested = error instanceof PhotonError && ofTests.has(error.code);
    if (!isUntested || run.kind !== change || !isQuestion(run.task.prompt)) throw error;
    const answering = { ...run, kind: answer };
    return { run: answering, services: await openRunServices(answering, options) };
  }
}

const credentialNote =
  'The checkout holds a git credential, which commands do not see. Give actions/checkout persist-credentials: false.';

/** Sets the run's share of the limits of the day aside; the ending when there is no room for it. */
async function openShare(
  { id, task, environment, input, note }: LoadedRun,
  { progress, limit, resources }: PrepareOptions,
): Promise<Ending | undefined> {
  const share: DayShare | Ending | undefined = await openDayShare({
    run: id,
    settings: environment.settings,
    startedBy: task.trigger === 'schedule' ? '' : task.askedBy,
    memory: environment.memory,
    nowMs: input.now(),
    retry: { random: limit.clock.random, wait: limit.pause },
    spent: () => progress.run?.state.spent,
    note,
  });
  if (share !== undefined && 'status' in share) return share;
  resources.defer(() => share?.settle());
  return undefined;
}

function openStore({ id, policy, environment: { git }, folder }: LoadedRun): SessionStore {
  const { agentName: agent } = policy.profile;
  const identity = { run: id, agent, commit: git.commit, tree: git.tree };
  return openSessionStore(folder.sessionPath, identity, git.checkout);
}

/** The state before the first round. The run of the tests before the patch uses the time in which the model thinks. */
function beginLoop(
  { task, kind, onPhase, environment: { settings } }: LoadedRun,
  {
    services,
    evidence,
    states,
    limit,
    tellsTests,
  }: Pick<LoopParts, 'services' | 'states'> & {
    readonly evidence: Evidence;
    readonly limit: TimeLimit;
    /** True if the first request says how the tests end before a patch. */
    readonly tellsTests: boolean;
  },
): LoopParts['state'] {
  let unrunnable: PhotonError | undefined;
  // an answer needs no tests: only a patch ends for want of them
  const endPatch = () => {
    if (unrunnable !== undefined && state.evidence.patchDigest !== '') limit.cancel(unrunnable);
  };
  // a run that gives up before its plan needs none
  const startBaseline = once(() => {
    if (kind.changes)
      services.verifier?.startBaseline(error => {
        unrunnable = error;
        if (!tellsTests) state.untold = error.message;
        endPatch();
      });
  });
  const state = startLoop(evidence, phase => {
    states.enterPhase();
    const changesFiles =
      state.evidence.plan?.affectedFiles.length !== 0 && !isQuestion(task.prompt);
    // a question needs no tests, unless it comes to a patch
    if (phase === 'PATCH' || (phase === 'PLAN' && changesFiles)) startBaseline();
    endPatch();
    onPhase?.(phase);
  });
  state.plan = task.approved?.plan;
  state.window = settings.contextWindow ?? findWindow(settings.model);
  // with an approved plan
  if (evidence.phase !== 'INPUT') startBaseline();
  return state;
}

/** The model of the loop: it waits until the run may ask, is recorded if the settings say so, and shown as it works. */
function modelOfRun(
  { environment, folder, input, id, task, scrub }: LoadedRun,
  { model, waiting }: Pick<OpenedEngine, 'model' | 'waiting'>,
  ready: Promise<unknown>,
): Model {
  const { watch } = input.log;
  const shown: Model = {
    name: model.name,
    complete: async (request, signal) => {
      await ready;
      const activity = watch?.begin(waiting);
      return model.complete(request, signal).finally(() => activity?.end());
    },
  };
  if (!environment.settings.record) return shown;
  const keep = (line: string) => folder.append(folder.recordPath, scrub(line));
  keep(renderHeader(id, task, input.inputs));
  return recordedModel(shown, keep);
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
async function readRepository({ policy, task }: LoadedRun, services: RunServices) {
  const paths = (await services.session.files()).map(f => f.path);
  const map = await drawMap(services.navigation.source, {
    task: task.prompt,
    output: task.context.map(c => c.text).join('\n'),
    paths,
    maxBytes: policy.settings.mapBytes,
  });
  return { paths, map: readOutside('tool result', map).text };
}

interface InitialParts extends Pick<LoopParts, 'services' | 'skills' | 'coreTools' | 'memory'> {
  readonly paths: readonly string[];
  /** The texts of the first request that name paths: the map, an issue, what tests print. */
  readonly seen: string;
}

/** Records the initial evidence in the ledger, and returns it. */
function recordInitialEvidence(
  { task, ledger }: LoadedRun,
  { services, paths, seen, skills, coreTools, memory }: InitialParts,
): Evidence {
  const start: StartOfEvidence = {
    taskPaths: namedPaths(task, paths),
    mapPaths: pathsIn(seen, paths),
    coreTools,
    allowedSkills: skills.callable(),
    unreadySkills: Object.fromEntries(skills.unready()),
    verificationWaived: services.verifier === undefined,
    skillsOfTask: task.skills?.length,
    ...boundsOfTask(task),
  };
  const evidence = initialEvidence(start);
  ledger.append({ ...mark('run.evidence', {}), initial: start });
  if (memory !== undefined) {
    const facts = { ...memory.counts, offered: memory.advice.ids.length };
    // a run with an approved plan begins in PLAN
    ledger.append({ ...mark('memory.read', facts), phase: evidence.phase });
  }
  return evidence;
}

/** The limits that a task and an approved plan set, for the guard. */
export function boundsOfTask({
  approved,
  paths: within,
}: Task): Pick<StartOfEvidence, 'approved' | 'within'> {
  if (approved === undefined) return { within };
  const { affectedFiles, maxChangedLines } = approved.plan;
  return { within, approved: { affectedFiles, maxChangedLines } };
}

/** The images of the task, when a model of the run may see them. */
async function readImages({
  task,
  engine,
  environment,
}: LoadedRun): Promise<readonly CheckedImage[]> {
  const sees = (task.images ?? []).length > 0 && engine.seesImages(environment.settings);
  return sees ? environment.images(task) : [];
}

/** The tools of a run: of its profile and its MCP servers, for its kind, with records where it may write in them. */
function toolsOfRun(
  { policy, task, kind }: LoadedRun,
  { mcp }: RunServices,
  memory: RunMemory | undefined,
): readonly Tool[] {
  const { profile, settings } = policy;
  const findings = kind.openBook !== undefined;
  const own = selectTools(profile, {
    records: settings.recordTools === true && memory?.writable === true,
    pull: task.headBranch !== undefined && settings.conversation !== 'off',
    findings,
    report: kind.schema?.(policy) !== undefined,
  });
  const offered = kind.tools(mcp === undefined ? own : [...own, ...toolsOfServers(mcp)]);
  return isQuestion(task.prompt) ? withExperiments(offered) : offered;
}

/** What a run has beside its profile. */
interface Useful {
  readonly records: boolean;
  readonly pull: boolean;
  readonly findings: boolean;
  readonly report: boolean;
}

/** The tools that the profile allows and the run has a use for. */
function selectTools(profile: Profile, more: Useful): readonly Tool[] {
  const { allowedTags, memory, segments } = profile;
  const ram = memory === 'ram';
  const states = ram || segments.some(s => isOwnState(s.condition));
  const useful = { ram, states, ...more };
  return allTools.filter(t => {
    // a review is nothing without its tool
    if (t.needs === 'findings' || t.needs === 'report') return more[t.needs];
    // a profile that names its tools decides, but for those that have nothing to work on
    return allowedTags === undefined || t.needs === 'records' || t.needs === 'pull'
      ? (t.needs === undefined || useful[t.needs]) && (allowedTags?.includes(t.name) ?? true)
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
