/** A second look: a review of the run's own verified patch, in a fresh conversation, before people are asked to review it. */
import { join } from 'node:path';
import { openSkills } from '../../agent/context/skills.ts';
import { addDiscarded, type Budget, computeCost, type Spent } from '../../agent/limits/budget.ts';
import { lastPhase } from '../../agent/limits/phases.ts';
import { runAgent } from '../../agent/loop/loop.ts';
import { startLoop } from '../../agent/loop/loop-state.ts';
import { PhotonError } from '../../base/codes.ts';
import { type DiffLines, formatLines, type ReviewFinding } from '../../base/findings.ts';
import { isSuccess } from '../../base/outcome.ts';
import { readOutside } from '../../guard/content/outside-text.ts';
import { initialEvidence, type StartOfEvidence } from '../../guard/evidence.ts';
import { mark, openLedger } from '../../ledger/ledger.ts';
import { States } from '../../memory/states.ts';
import { openTimeLimit, type TimeLimit } from '../../process/time-limit.ts';
import type { Settings } from '../../settings/settings.ts';
import { tools as allTools } from '../../tools/index.ts';
import { joinChanges } from '../../workspace/commits/reapply.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { type LoopParts, loopOptions } from '../loop-options.ts';
import type { LoadedRun } from '../stages.ts';
import { review } from './review.ts';
import { openReviewCollector, type ReviewCollector } from './review-collector.ts';

/** Looks of a run, findings of a look, and the most of the run's budget that it has. */
const bounds = { looks: 2, findings: 3, maxRounds: 12, maxTokens: 150_000, ms: 600_000 } as const;

/** Most characters of the diff that it is shown; it can read the files. */
const maxDiff = 40_000;

/**
 * Looks at the patch of the session, which has passed with this result. A patch is looked at once.
 * @returns what the author must hear; undefined if nothing was shown. @throws the reason of the run's signal, `DISK`.
 */
export type SecondLook = (result: string) => Promise<string | undefined>;

/** Undefined where the settings ask for none, and for a run that no model drives or no test judges. */
export function openSecondLook(
  run: LoadedRun,
  parts: LoopParts,
  limit: TimeLimit,
): SecondLook | undefined {
  const { settings, start } = run.environment;
  const canLook = run.engine.name === 'endpoint' && run.kind.changes && start?.merge === undefined;
  if (!settings.reviewOwn || !canLook || parts.services.verifier === undefined) return undefined;
  return result => look(run, parts, { limit, result });
}

async function look(
  run: LoadedRun,
  parts: LoopParts,
  { limit, result }: { readonly limit: TimeLimit; readonly result: string },
): Promise<string | undefined> {
  const { state, services } = parts;
  const patchDigest = services.session.patchDigest();
  const { looks = 0, shown = [] } = state.look ?? {};
  if (looks >= bounds.looks || state.look?.patchDigest === patchDigest) return undefined;
  run.environment.log(`Second look ${looks + 1}: a fresh conversation attacks the patch.`);
  const { now } = run.input;
  const ms = Math.min(bounds.ms, (limit.deadline - now()) / 2);
  const own = openTimeLimit(limit.signal, { ms, now });
  const changes = services.session.changes();
  const collector = openCollector(parts, changes, () => Math.max(1, own.deadline - now()));
  // what was shown of an earlier patch counts if it still fails
  for (const finding of shown) await recordAgain(collector, finding);
  const repaired = collector.result({ head: patchDigest, checksRan: false }).leftOut.opinions;
  const budget = shareBudget(run.policy.settings, state.spent);
  const looker = describeLook(run, { changes, result, number: looks + 1, budget });
  const attacking = converse(looker, { ...parts, reviewCollector: collector }, own);
  const { spent, cut } = await attacking.finally(own.close);
  limit.signal.throwIfAborted();
  for (const used of spent.models) {
    state.spent = addDiscarded(state.spent, { usage: used, model: used.model });
    run.ledger.append({ ...mark('look.turn', { ...used }), phase: state.evidence.phase });
  }
  const { findings, leftOut } = collector.result({ head: patchDigest, checksRan: false });
  const about = { patchDigest, looks: looks + 1, unshown: leftOut.opinions - repaired, cut };
  state.look = { ...about, shown: findings };
  const facts = { ...about, shown: findings.length, ledger: looker.ledger.head().head };
  run.ledger.append({ ...mark('look', facts), phase: state.evidence.phase });
  looker.ledger.close();
  return findings.length === 0 ? undefined : describeFindings(findings);
}

/** The patch is the head of this review, and the commit of the run its base. */
function openCollector(parts: LoopParts, changes: readonly FileChange[], leftMs: () => number) {
  const { session, verifier } = parts.services;
  const base = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return openReviewCollector({
    review: { number: 0, lines: changes.flatMap(listLines) },
    session,
    verifier: verifier && { run: more => verifier.run(joinChanges(changes, more), leftMs()) },
    base: async () => base,
    maxFindings: bounds.findings,
    showsOpinions: false,
    countsOtherFailures: true,
  });
}

/** The lines of a file that its diff shows. */
function listLines(change: FileChange): readonly DiffLines[] {
  const heads = renderDiff([change]).matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm);
  const ranges = [...heads].map(([, from, count = '1']): [number, number] => [
    Number(from),
    Number(from) + Number(count) - 1,
  ]);
  return change.after === undefined ? [] : [{ path: change.path, ranges }];
}

async function recordAgain(
  collector: ReviewCollector,
  { proof, fingerprint: _, ...draft }: ReviewFinding,
): Promise<void> {
  if (proof?.kind === 'test')
    await collector.record({ ...draft, test: { path: proof.path, content: proof.text } });
}

interface LookedAt {
  readonly changes: readonly FileChange[];
  readonly result: string;
  readonly number: number;
  readonly budget: Pick<Budget, 'maxTokens' | 'maxCost'>;
}

/** The run of a look: what differs from the author's, with a budget of its own and a ledger beside the run's. */
function describeLook(run: LoadedRun, { changes, result, number, budget }: LookedAt): LoadedRun {
  const { environment, policy, folder, scrub, input, id } = run;
  const { settings, taskTexts } = environment;
  const { maxRounds } = bounds;
  const texts = {
    diff_label: readOutside('diff', scrub(renderDiff(changes)).slice(0, maxDiff)),
    result_label: readOutside('tool result', result),
  };
  const shown = (['diff_label', 'result_label'] as const).map(label => ({
    label: taskTexts(label, {}),
    author: 'photon',
    text: texts[label].text,
  }));
  const { approved: _approved, images: _images, background: _background, ...task } = run.task;
  const ledger = openLedger({
    path: join(folder.path, `look-${number}.jsonl`),
    run: id,
    caller: run.ledger.caller,
    now: input.now,
    scrub,
  });
  const [start] = run.ledger.entries();
  ledger.append({ ...mark('run.start', start?.facts ?? {}), policy: start?.policy });
  return {
    ...run,
    ledger,
    kind: { ...review, instructions: 'look_only' },
    task: { ...task, context: [...task.context, ...shown] },
    environment: {
      ...environment,
      settings: { ...settings, model: settings.reviewModel || settings.model },
    },
    policy: {
      ...policy,
      instructions: undefined,
      skills: [],
      settings: { ...policy.settings, maxRounds, ...budget },
    },
    takeMessages: undefined,
    onPhase: undefined,
    note: () => {},
  };
}

/** Plays the conversation. What ends it early is a code, and ends no run but where the run itself is over. */
async function converse(
  run: LoadedRun,
  author: LoopParts,
  limit: TimeLimit,
): Promise<{ readonly spent: Spent; readonly cut: string | undefined }> {
  const { policy, task, ledger } = run;
  const tools = review.tools(allTools.filter(t => t.needs === undefined || t.needs === 'findings'));
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const skills = await openSkills(policy, { task: task.prompt, tools: coreTools });
  const services = { ...author.services, verifier: undefined, mcp: undefined };
  const start: StartOfEvidence = {
    taskPaths: author.services.session.changes().map(c => c.path),
    coreTools,
    allowedSkills: [],
    unreadySkills: {},
    verificationWaived: true,
  };
  ledger.append({ ...mark('run.evidence', {}), initial: start });
  const state = startLoop(initialEvidence(start));
  state.window = author.state.window;
  const parts: LoopParts = {
    ...author,
    services,
    memory: undefined,
    skills,
    coreTools,
    tools,
    state,
    states: new States(),
    images: [],
    report: undefined,
    look: undefined,
    map: '',
  };
  const phase = () => state.evidence.phase;
  const { model } = run.engine.open(run, { services, limit, phase });
  const loop = await loopOptions(run, parts, limit);
  const { status, code } = await runAgent({ ...loop, store: undefined, model }).catch(
    (error: unknown) => {
      if (!(error instanceof PhotonError) || error.code === 'DISK') throw error;
      return { status: 'failed' as const, code: error.code };
    },
  );
  const at = phase();
  ledger.append({ ...mark('run.end', { status, at }), phase: lastPhase(status, at), code });
  return { spent: state.spent, cut: isSuccess(status) ? undefined : code };
}

/** Half of what the author has left, as of its time: with the rest it corrects the patch, or finishes. */
function shareBudget(
  { maxCost, maxTokens, modelPrices }: Settings,
  spent: Spent,
): LookedAt['budget'] {
  const tokens = maxTokens - spent.inputTokens - spent.outputTokens;
  const cost = maxCost && maxCost - (computeCost(modelPrices, spent) ?? 0);
  return {
    maxTokens: Math.min(bounds.maxTokens, Math.floor(tokens / 2)),
    maxCost: cost && Math.max(0, cost / 2),
  };
}

function describeFindings(findings: readonly ReviewFinding[]): string {
  const shown = findings.map(({ problem, proof, ...lines }) => {
    const test = proof?.kind === 'test' ? `\n${proof.path}:\n${proof.text}` : '';
    return `- ${formatLines(lines)}: ${problem}${test}`;
  });
  return [
    'A second look found faults. Each has a test that fails with the patch:',
    ...shown,
    'Correct the patch, and verify it again. If a test expects something wrong, call finish: people get a draft that shows the fault and its test.',
  ].join('\n');
}
