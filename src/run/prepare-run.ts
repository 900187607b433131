/** From a loaded run to a run that is ready for its loop. */
import type { Policy } from '../agent/context/policy.ts';
import type { Profile } from '../agent/context/profile.ts';
import { namedPaths } from '../agent/context/prompt.ts';
import { openSkills } from '../agent/context/skills.ts';
import { type DayShare, openDayShare } from '../agent/limits/day-budget.ts';
import { type LoopState, startLoop } from '../agent/loop/loop-state.ts';
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
import { openLoop } from './open-loop.ts';
import { openRunServices } from './services/open-services.ts';
import type {
  LoadedRun,
  LoopSources,
  OpenedEngine,
  Run,
  RunProgress,
  RunRequest,
  ServedRun,
} from './stages.ts';

interface PrepareOptions {
  readonly progress: RunProgress;
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
): Promise<{ readonly run: Run } | { readonly run: undefined; readonly ending: Ending }> {
  const { progress, resources, readTrusted } = options;
  const { git } = request.environment;
  if (git.holdsCredential) request.note(credentialNote);
  const loaded = await loadRun(request, readTrusted);
  progress.policy = loaded.policy;
  const ending =
    refuseMerge(request.environment.start?.merge, loaded.policy) ??
    (await openShare(request, options));
  if (ending !== undefined) return { run: undefined, ending };
  requireHead(request.task, git);
  const reading = readMemory(loaded);
  const store = openStore(loaded);
  resources.defer(() => store.close());
  const served = await openServices(loaded, store);
  const { services } = served;
  resources.defer(() => services.close());
  progress.services = services;
  const unmade = await services.locks?.begin();
  if (unmade !== undefined) return { run: undefined, ending: unmade };
  const read = Promise.all([reading, readImages(request), readRepository(served)]);
  read.catch(() => {}); // the sandbox opens meanwhile, and what it lacks is reported first
  await services.ready;
  const [memory, images, repository] = await read;
  resources.defer(() => memory?.close());
  const tools = toolsOfRun(served, memory);
  const skills = await openSkills(policyOfTask(loaded.policy, request.task), {
    task: request.task.prompt,
    tools: tools.map(t => t.name),
  });
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const reviewCollector = served.request.kind.openBook?.(served);
  const report = openReportKeeper(served);
  const informed = await withFailingTests(served);
  const tellsTests = informed !== served; // and what they print decides what the map shows first
  const { paths, map } = tellsTests ? await readRepository(informed) : repository;
  const seen = [map, ...informed.request.task.context.map(c => c.text)].join('\n');
  const evidence = recordInitialEvidence(served, { paths, seen, skills, coreTools, memory });
  const states = new States();
  const state = beginLoop(served, evidence, { states, tellsTests });
  const run = { ...served, state };
  const { repair, ...opened } = request.engine.open(run);
  const model = modelOfRun(request, opened, options.ready);
  const look = openSecondLook(run);
  const loop = openLoop(
    { ...informed, state },
    {
      model,
      tools,
      store,
      memory,
      skills,
      coreTools,
      states,
      images,
      map,
      reviewCollector,
      report,
      look,
      repair,
    },
  );
  progress.run = { ...run, loop };
  return { run: progress.run };
}

/** What a question needs not: a project without tests, or whose tests cannot run, is asked about all the same. */
const ofTests: ReadonlySet<string> = new Set(['VERIFY_COMMAND_MISSING', 'TEST_COMMAND_UNRUNNABLE']);

/** The run with its services. A question is answered where nothing could prove a patch. */
async function openServices(run: LoadedRun, store: SessionStore): Promise<ServedRun> {
  const { request } = run;
  try {
    return { ...run, services: await openRunServices(run, store) };
  } catch (error) {
    const isUntested = error instanceof PhotonError && ofTests.has(error.code);
    if (!isUntested || request.kind !== change || !isQuestion(request.task.prompt)) throw error;
    const answering = { ...run, request: { ...request, kind: answer } };
    return { ...answering, services: await openRunServices(answering, store) };
  }
}

const credentialNote =
  'The checkout holds a git credential, which commands do not see. Give actions/checkout persist-credentials: false.';

/** Sets the run's share of the limits of the day aside; the ending when there is no room for it. */
async function openShare(
  { id, task, environment, input, note, limit }: RunRequest,
  { progress, resources }: PrepareOptions,
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

function openStore({ request: { id, environment, folder }, policy }: LoadedRun): SessionStore {
  const { git } = environment;
  const { agentName: agent } = policy.profile;
  const identity = { run: id, agent, commit: git.commit, tree: git.tree };
  return openSessionStore(folder.sessionPath, identity);
}

interface BeginOptions {
  readonly states: States;
  /** True if the first request says how the tests end before a patch. */
  readonly tellsTests: boolean;
}

/** The state before the first round. The run of the tests before the patch uses the time in which the model thinks. */
function beginLoop(
  { request, services }: ServedRun,
  evidence: Evidence,
  { states, tellsTests }: BeginOptions,
): LoopState {
  const { task, kind, onPhase, limit, environment } = request;
  const { settings } = environment;
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
  { environment, folder, input, id, task, scrub }: RunRequest,
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
async function readRepository({ request: { task }, policy, services }: ServedRun) {
  const paths = (await services.session.files()).map(f => f.path);
  const map = await drawMap(services.navigation.source, {
    task: task.prompt,
    output: task.context.map(c => c.text).join('\n'),
    paths,
    maxBytes: policy.settings.mapBytes,
  });
  return { paths, map: readOutside('tool result', map).text };
}

interface InitialParts extends Pick<LoopSources, 'skills' | 'coreTools' | 'memory'> {
  readonly paths: readonly string[];
  /** The texts of the first request that name paths: the map, an issue, what tests print. */
  readonly seen: string;
}

/** Records the initial evidence in the ledger, and returns it. */
function recordInitialEvidence(
  { request: { task, ledger }, services }: ServedRun,
  { paths, seen, skills, coreTools, memory }: InitialParts,
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
}: RunRequest): Promise<readonly CheckedImage[]> {
  const sees = (task.images ?? []).length > 0 && engine.seesImages(environment.settings);
  return sees ? environment.images(task) : [];
}

/** The tools of a run: of its profile and its MCP servers, for its kind, with records where it may write in them. */
function toolsOfRun(
  { request: { task, kind }, policy, services: { mcp } }: ServedRun,
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
