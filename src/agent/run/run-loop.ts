/** One task through the pipeline: workshop, prompts, budget, loop (SPEC §1). */
import { PhotonError } from '../../codes.ts';
import { initialEvidence, type StartOfEvidence } from '../../guard/evidence.ts';
import { showHiddenCharacters } from '../../guard/hidden-characters.ts';
import { policyInForce } from '../../guard/policy-in-force.ts';
import { findSecret, type SecretForms } from '../../guard/secrets.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { mark } from '../../ledger/mark.ts';
import { Ram } from '../../memory/ram.ts';
import { isOwnState, States } from '../../memory/states.ts';
import { openProtocol } from '../../model/open-protocol.ts';
import type { Model } from '../../model/turn.ts';
import { drawMap } from '../../navigation/map.ts';
import type { Ending, Phase } from '../../outcome.ts';
import type { SkillManager } from '../../skills/skill-manager.ts';
import type { Task } from '../../task.ts';
import { tools as allTools } from '../../tools/index.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { Git } from '../../workspace/git/git.ts';
import { openSessionStore, type SessionStore } from '../../workspace/session/session-store.ts';
import { openConversation } from '../context/conversation.ts';
import type { MemoryPlace } from '../context/open-memory.ts';
import { openMemory, type RunMemory } from '../context/open-memory.ts';
import type { Policy } from '../context/policy.ts';
import { fill, type Profile } from '../context/profile.ts';
import { composeSegments, namedPaths, renderTask, statesOn } from '../context/prompt.ts';
import { openSkills, watchSkills } from '../context/skills.ts';
import { type Progress, startProgress } from '../limits/progress.ts';
import { boundsOfTask, toolsOfMode } from '../limits/run-mode.ts';
import { runAgent } from '../loop/loop.ts';
import type { AgentLog, Rejected } from '../loop/take-turn.ts';
import { openRunServices, type RunServices, type RunServicesOptions } from './run-services.ts';

export interface ExecuteOptions extends Omit<RunServicesOptions, 'settings'> {
  readonly task: Task;
  readonly policy: Policy;
  readonly git: Git;
  readonly model: Model;
  readonly secrets: SecretForms;
  readonly ledger: Ledger;
  /** File that the session is kept in. */
  readonly sessionPath: string;
  readonly agentLog: AgentLog;
  readonly keepRejected: (rejected: Rejected) => void;
  readonly now: () => number;
  readonly deadline: number;
  /** Random word that marks foreign text in the prompt. */
  readonly mark: string;
  /** True: skills are read again as they change. */
  readonly watch: boolean;
  /** Where the records are; null where memory is off or has no place. */
  readonly memory: () => Promise<MemoryPlace | null>;
  /** Resolves when a store that does not answer is given up. */
  readonly memoryTimeout: (until: AbortSignal) => Promise<void>;
  readonly note: (text: string) => void;
}

/** Filled as the run goes, so that an outcome can be made whatever ends it. */
export interface Execution {
  services: RunServices | null;
  /** The session on disk, while it is open. */
  store: SessionStore | null;
  progress: Progress | null;
  /** Told each phase that the run enters. */
  onPhase?: (phase: Phase) => void;
  memory: RunMemory | null;
}

/**
 * Runs a task to its ending; nothing is delivered here.
 * @throws PhotonError for endings that are errors.
 */
export async function executeTask(options: ExecuteOptions, execution: Execution): Promise<Ending> {
  const { policy, task, git } = options;
  const { settings, constitution } = policy;
  requireHead(task, git);
  const remembering = remember(options);
  const services = await openRunServices({ ...options, settings });
  execution.services = services;
  const store = openSessionStore(
    options.sessionPath,
    { run: options.ledger.run, commit: git.commit, tree: git.tree },
    git.checkout,
  );
  execution.store = store;
  const { profile } = policy;
  const memory = await remembering;
  execution.memory = memory;
  const tools = toolsOfRun(policy, task, memory);
  const toolNames = tools.map(t => t.name);
  const skills = await openSkills(skillsOf(policy, task), { task: task.prompt, tools: toolNames });
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const { start, map } = await layGround(options, { services, skills, coreTools, memory });
  const evidence = initialEvidence(start);
  const progress = startProgress(
    { ...evidence, plan: task.approved?.plan ?? evidence.plan },
    execution.onPhase,
  );
  execution.progress = progress;
  // the run before the patch uses the time in which the model thinks
  if (task.until === undefined) services.verifier?.startBaseline();
  const protocol = await openProtocol(
    profile.protocol,
    tools.filter(t => t.offered(skills)).map(t => t.definition),
  );
  const engine = openEngine(profile);
  const states = () =>
    statesOn(progress.evidence.phase, engine.states.on(), engine.ram.nearlyFull());
  const { templates } = profile;
  const about = { mark: options.mark, map, advice: memory?.advice.text ?? '', templates };
  const taskPrompt = renderTask(task, about);
  const { ledger, log } = options;
  const watch = { policy, skills, progress, ledger, log, tools: toolNames, coreTools };
  return runAgent({
    ...(options.watch ? { beforeRound: watchSkills(watch) } : {}),
    ...{ model: options.model, profile, protocol, tools, store, progress },
    ...{ ledger, log: options.agentLog, now: options.now, signal: options.signal },
    keepRejected: options.keepRejected,
    context: contextOf(options, { services, skills, coreTools, memory, ...engine }),
    policy: constitution,
    budget: { ...budgetOf(policy), deadline: options.deadline },
    maxViolations: maxViolations(settings, constitution),
    systemPrompt: () =>
      joinTexts([
        composeSegments(profile, states()),
        // a folder's own constitution joins when the plan names a file in it
        policyInForce(constitution, progress.evidence).prose,
        protocol.grammar === '' ? '' : fill(templates, 'tools', { tools: protocol.grammar }),
        skills.getSkillDiscoveryPrompt(),
        skills.getActiveSkillsPrompt(),
      ]),
    conversation: openConversation({
      ...{ profile, taskPrompt, ram: engine.ram, mark: options.mark },
      states: () => [...states()],
      isActive: name => skills.isActive(name),
    }),
    holdsSecret: text => findSecret(text, options.secrets),
  });
}

/** The law with the skills that the task names, when it names some. */
function skillsOf(policy: Policy, { skills }: Task): Policy {
  return skills === undefined
    ? policy
    : { ...policy, skills: policy.skills.filter(s => skills.includes(s.name)) };
}

/** Texts with an empty line between them; what is empty is left out. */
function joinTexts(texts: readonly string[]): string {
  return texts.filter(t => t !== '').join('\n\n');
}

interface Laid {
  readonly services: RunServices;
  readonly skills: SkillManager;
  readonly coreTools: readonly string[];
  readonly memory: RunMemory | null;
}

/** What is evidence before the first round, on the ledger; and the map of the repository. */
async function layGround(
  { policy, task, ledger }: ExecuteOptions,
  { services, skills, coreTools, memory }: Laid,
): Promise<{ readonly start: StartOfEvidence; readonly map: string }> {
  const paths = (await services.session.files()).map(f => f.path);
  const map = await drawMap(services.navigation.source, {
    ...{ task: task.prompt, paths, maxBytes: policy.settings.mapBytes },
  });
  const start: StartOfEvidence = {
    taskPaths: [...new Set([...namedPaths(task, paths), ...map.paths])],
    coreTools,
    allowedSkills: skills.names(),
    unreadySkills: Object.fromEntries(skills.unready()),
    verificationWaived: services.verifier === null,
    ...boundsOfTask(task),
  };
  ledger.append({ ...mark('run.ground', {}), ground: start });
  if (memory !== null) {
    const facts = { ...memory.counts, offered: memory.advice.ids.length };
    // a run with an approved plan stands in PLAN already
    ledger.append({ ...mark('memory.read', facts), phase: initialEvidence(start).phase });
  }
  return { start, map: showHiddenCharacters(map.text).text };
}

/** The records, read while the workshop opens. */
async function remember(options: ExecuteOptions): Promise<RunMemory | null> {
  const { memory, policy, task, git, ledger, note, now } = options;
  const nowMs = now();
  const at = new Date(nowMs).toISOString();
  const by = { run: ledger.run, commit: git.commit, who: task.askedBy || 'the workflow', at };
  // a timer that is left behind would hold the process
  const read = new AbortController();
  const giveUp = options.memoryTimeout(AbortSignal.any([options.signal, read.signal]));
  try {
    return await openMemory({ memory, settings: policy.settings, task, by, nowMs, giveUp, note });
  } finally {
    read.abort();
  }
}

/** Memory and states of one run. */
function openEngine({ limits }: Profile): Pick<ToolContext, 'ram' | 'states'> {
  const { ramEntries: entries, ramBytes: bytes } = limits;
  return { ram: new Ram({ entries, bytes }), states: new States() };
}

function budgetOf({ settings, profile }: Policy) {
  return { ...settings, maxRounds: Math.min(settings.maxRounds, profile.limits.rounds) };
}

/** The tools of a run: of its profile, for its kind of task, with records where it may write in them. */
function toolsOfRun(
  { profile, settings }: Policy,
  task: Task,
  memory: RunMemory | null,
): readonly Tool[] {
  const records = settings.recordTools && memory?.writable === true;
  return toolsOfMode(task, toolsOf(profile, { records }));
}

/** The tools that a profile allows, or else a run has a use for; what is left out does not exist in it. */
function toolsOf(profile: Profile, more: { readonly records: boolean }): readonly Tool[] {
  const { allowedTags, memory, segments } = profile;
  const ram = memory === 'ram';
  const states = ram || segments.some(s => isOwnState(s.condition));
  const useful = { ram, states, ...more };
  return allTools.filter(t =>
    // a profile that names its tools has the say, but for those that have nothing to work on
    allowedTags === null || t.needs === 'records'
      ? (t.needs === null || useful[t.needs]) && (allowedTags?.includes(t.name) ?? true)
      : allowedTags.includes(t.name),
  );
}

/** A team may have its agent told of violations instead of ended by them (SPEC §3). */
export function maxViolations(
  settings: Policy['settings'],
  policy: Policy['constitution'],
): number {
  return Math.max(policy.limits.violations, settings.violations);
}

/** On a pull request the checkout must be the very commit that was asked about. */
function requireHead(task: Task, git: Git): void {
  const head = task.headBranch;
  if (head === undefined || head.sha === git.commit) return;
  const hint = `Give actions/checkout: ref: refs/pull/${head.number}/head (docs/triggers.md shows it).`;
  throw new PhotonError(
    'CHECKOUT_MISMATCH',
    `Checked out is ${git.commit.slice(0, 12)}, the task is about ${head.sha.slice(0, 12)}.`,
    { hint },
  );
}

function contextOf(
  options: ExecuteOptions,
  {
    services,
    memory,
    ...parts
  }: { readonly services: RunServices; readonly memory: RunMemory | null } & Pick<
    ToolContext,
    'skills' | 'coreTools' | 'ram' | 'states'
  >,
): Omit<ToolContext, 'evidence'> {
  const { session, verifier } = services;
  return {
    session,
    symbols: services.symbols,
    navigator: services.navigation.navigator,
    policy: options.policy.constitution,
    ...parts,
    commands: services.commands,
    commandNetwork: options.policy.settings.network === 'allow',
    verify:
      verifier === null ? null : () => verifier.verify(session.changes(), session.patchDigest()),
    records: memory?.notebook ?? null,
    holdsSecret: text => findSecret(text, options.secrets),
    scrub: options.scrub,
    signal: options.signal,
  };
}
