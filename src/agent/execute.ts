/** One task through the pipeline: workshop, prompts, budget, loop (SPEC §1). */
import { PhotonError } from '../codes.ts';
import { initialEvidence, type StartOfEvidence } from '../guard/evidence.ts';
import { lawInForce } from '../guard/law-in-force.ts';
import { findSecret, type SecretForms } from '../guard/secrets.ts';
import type { Model } from '../model/turn.ts';
import { drawMap } from '../navigation/map.ts';
import type { Ending, Phase } from '../outcome.ts';
import type { Git } from '../session/git.ts';
import type { Ledger } from '../session/ledger.ts';
import { openSessionStore, type SessionStore } from '../session/store.ts';
import type { SkillManager } from '../skills/skill-manager.ts';
import type { Task } from '../task.ts';
import { tools } from '../tools/index.ts';
import type { Room } from '../tools/tool.ts';
import { type AgentLog, runAgent } from './agent.ts';
import type { Law } from './law.ts';
import { mark } from './mark.ts';
import { type Progress, startProgress } from './progress.ts';
import { composeSegments, namedPaths, renderTask } from './prompt.ts';
import { approvedScope, toolsOf } from './run-mode.ts';
import { coreTools, openSkills, watchSkills } from './skills.ts';
import { openWorkshop, type Workshop, type WorkshopOptions } from './workshop.ts';

export interface ExecuteOptions extends Omit<WorkshopOptions, 'settings'> {
  readonly task: Task;
  readonly law: Law;
  readonly git: Git;
  readonly model: Model;
  readonly secrets: SecretForms;
  readonly ledger: Ledger;
  /** File that the session is kept in. */
  readonly sessionPath: string;
  readonly agentLog: AgentLog;
  readonly now: () => number;
  readonly deadline: number;
  /** Random word that marks foreign text in the prompt. */
  readonly mark: string;
  /** True: skills are read again as they change. */
  readonly watch: boolean;
}

/** Filled as the run goes, so that an outcome can be made whatever ends it. */
export interface Execution {
  workshop: Workshop | null;
  /** The session on disk, while it is open. */
  store: SessionStore | null;
  progress: Progress | null;
  /** Told each phase that the run enters. */
  onPhase?: (phase: Phase) => void;
}

/**
 * Runs a task to its ending; nothing is delivered here.
 * @throws PhotonError for endings that are errors.
 */
export async function executeTask(options: ExecuteOptions, execution: Execution): Promise<Ending> {
  const { law, task, git } = options;
  const { settings, constitution } = law;
  requireHead(task, git);
  const workshop = await openWorkshop({ ...options, settings });
  execution.workshop = workshop;
  const store = openSessionStore(
    options.sessionPath,
    { run: options.ledger.run, commit: git.commit, tree: git.tree },
    git.checkout,
  );
  execution.store = store;
  const skills = await openSkills(law, task.prompt);
  const paths = (await workshop.session.files()).map(f => f.path);
  const map = await drawMap(workshop.navigation.source, {
    ...{ task: task.prompt, paths, maxBytes: settings.mapBytes },
  });
  const start: StartOfEvidence = {
    taskPaths: [...new Set([...namedPaths(task, paths), ...map.paths])],
    coreTools,
    allowedSkills: skills.names(),
    unreadySkills: Object.fromEntries(skills.unready()),
    verificationWaived: workshop.verifier === null,
    ...approvedScope(task),
  };
  options.ledger.append({ ...mark('run.ground', {}), ground: start });
  const evidence = initialEvidence(start);
  const progress = startProgress(
    { ...evidence, plan: task.approved?.plan ?? evidence.plan },
    execution.onPhase,
  );
  execution.progress = progress;
  // the run before the patch uses the time in which the model thinks
  if (task.until === undefined) workshop.verifier?.startBaseline();
  const profile = composeSegments(law.profile, new Set());
  const { ledger, log } = options;
  // a folder's own constitution joins when the plan names a file in it
  const prose = () => lawInForce(constitution, progress.evidence).prose;
  return runAgent({
    ...{
      model: options.model,
      tools: toolsOf(task, tools),
      ledger,
      store,
      log: options.agentLog,
      now: options.now,
      signal: options.signal,
      progress,
    },
    ...(options.watch ? { beforeRound: watchSkills({ law, skills, progress, ledger, log }) } : {}),
    room: roomOf(options, workshop, skills),
    law: constitution,
    budget: { ...settings, deadline: options.deadline },
    maxViolations: maxViolations(settings, constitution),
    systemPrompt: () =>
      [profile, prose(), skills.getSkillDiscoveryPrompt(), skills.getActiveSkillsPrompt()]
        .filter(p => p !== '')
        .join('\n\n'),
    taskPrompt: renderTask(task, { mark: options.mark, map: map.text }),
    holdsSecret: text => findSecret(text, options.secrets),
  });
}

/** A team may have its agent told of violations instead of ended by them (SPEC §3). */
export function maxViolations(settings: Law['settings'], law: Law['constitution']): number {
  return Math.max(law.limits.violations, settings.violations);
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

function roomOf(
  options: ExecuteOptions,
  workshop: Workshop,
  skills: SkillManager,
): Omit<Room, 'evidence'> {
  const { session, verifier } = workshop;
  return {
    session,
    symbols: workshop.symbols,
    navigator: workshop.navigation.navigator,
    law: options.law.constitution,
    skills,
    commands: workshop.commands,
    commandNetwork: options.law.settings.network === 'allow',
    verify:
      verifier === null ? null : () => verifier.verify(session.changes(), session.patchDigest()),
    coreTools,
    scrub: options.scrub,
    signal: options.signal,
  };
}
