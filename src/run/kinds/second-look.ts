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
import { plural } from '../../base/plural.ts';
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
import { openLoop } from '../open-loop.ts';
import type { RunServices } from '../services/run-services.ts';
import type { ReadyRun } from '../stages.ts';
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
export function openSecondLook(run: ReadyRun): SecondLook | undefined {
  const { request, services } = run;
  const { settings, start } = request.environment;
  const canLook =
    request.engine.name === 'endpoint' && request.kind.changes && start?.merge === undefined;
  if (!settings.reviewOwn || !canLook || services.verifier === undefined) return undefined;
  return result => look(run, result);
}

async function look(run: ReadyRun, result: string): Promise<string | undefined> {
  const { request, state, services } = run;
  const { ledger, limit, environment, input } = request;
  const patchDigest = services.session.patchDigest();
  const { looks = 0, shown = [] } = state.look ?? {};
  if (looks >= bounds.looks || state.look?.patchDigest === patchDigest) return undefined;
  const name = `Second look ${looks + 1}`;
  environment.log(`${name}: a fresh conversation attacks the patch.`);
  const { now } = input;
  const ms = Math.min(bounds.ms, (limit.deadline - now()) / 2);
  const own = openTimeLimit(limit.signal, { ms, now });
  const changes = services.session.changes();
  const collector = openCollector(services, changes, () => Math.max(1, own.deadline - now()));
  // what was shown of an earlier patch counts if it still fails
  for (const finding of shown) await recordAgain(collector, finding);
  const repaired = collector.result({ head: patchDigest, checksRan: false }).leftOut.opinions;
  const budget = shareBudget(run.policy.settings, state.spent);
  const looker = beginLook(run, { changes, result, number: looks + 1, budget, limit: own });
  const { spent, cut } = await converse(looker, collector).finally(own.close);
  limit.signal.throwIfAborted();
  for (const used of spent.models) {
    state.spent = addDiscarded(state.spent, { usage: used, model: used.model });
    ledger.append({ ...mark('look.turn', { ...used }), phase: state.evidence.phase });
  }
  const { findings, leftOut } = collector.result({ head: patchDigest, checksRan: false });
  environment.log(`${name}: a test shows ${plural(findings.length, 'fault')}.`);
  const about = { patchDigest, looks: looks + 1, unshown: leftOut.opinions - repaired, cut };
  state.look = { ...about, shown: findings };
  const facts = { ...about, shown: findings.length, ledger: looker.request.ledger.head().head };
  ledger.append({ ...mark('look', facts), phase: state.evidence.phase });
  looker.request.ledger.close();
  return findings.length === 0 ? undefined : describeFindings(findings);
}

/** The patch is the head of this review, and the commit of the run its base. */
function openCollector(
  { session, verifier }: RunServices,
  changes: readonly FileChange[],
  leftMs: () => number,
) {
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
  readonly limit: TimeLimit;
}

/** The run of a look: what differs from the author's, with a budget of its own and a ledger beside the run's. */
function beginLook(
  { request, policy, services, state: authorState }: ReadyRun,
  { changes, result, number, budget, limit }: LookedAt,
): ReadyRun {
  const { environment, folder, scrub, input, id } = request;
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
  const { approved: _approved, images: _images, background: _background, ...task } = request.task;
  const ledger = openLedger({
    path: join(folder.path, `look-${number}.jsonl`),
    run: id,
    caller: request.ledger.caller,
    now: input.now,
    scrub,
  });
  const [start] = request.ledger.entries();
  ledger.append({ ...mark('run.start', start?.facts ?? {}), policy: start?.policy });
  const initial: StartOfEvidence = {
    taskPaths: changes.map(c => c.path),
    coreTools,
    allowedSkills: [],
    unreadySkills: {},
    verificationWaived: true,
    // what changes nothing needs no plan, and has no tool for one
    approved: { affectedFiles: [], maxChangedLines: 1 },
  };
  ledger.append({ ...mark('run.evidence', {}), initial });
  const state = startLoop(initialEvidence(initial));
  const group = (title: string) => input.log.group(`Second look ${number}, ${title.toLowerCase()}`);
  state.window = authorState.window;
  return {
    request: {
      ...request,
      ledger,
      limit,
      kind: { ...review, instructions: 'look_only' },
      input: { ...input, log: { ...input.log, group } },
      task: { ...task, context: [...task.context, ...shown] },
      environment: {
        ...environment,
        settings: { ...settings, model: settings.reviewModel || settings.model },
      },
      takeMessages: undefined,
      onPhase: undefined,
      note: () => {},
    },
    policy: {
      ...policy,
      instructions: undefined,
      skills: [],
      settings: { ...policy.settings, maxRounds, ...budget },
    },
    services: { ...services, verifier: undefined, mcp: undefined },
    state,
  };
}

const left: ReadonlySet<string> = new Set(['plan', 'skill_activate', 'skill_deactivate']);

const tools = review
  .tools(allTools.filter(t => t.needs === undefined || t.needs === 'findings'))
  .filter(t => !left.has(t.name));
const coreTools = tools.filter(t => t.core).map(t => t.name);

/** Plays the conversation. What ends it early is a code, and ends no run but where the run itself is over. */
async function converse(
  run: ReadyRun,
  reviewCollector: ReviewCollector,
): Promise<{ readonly spent: Spent; readonly cut: string | undefined }> {
  const { request, policy, state } = run;
  const loop = openLoop(run, {
    model: request.engine.open(run).model,
    tools,
    coreTools,
    skills: await openSkills(policy, { task: request.task.prompt, tools: coreTools }),
    reviewCollector,
    store: undefined,
    memory: undefined,
    states: new States(),
    images: [],
    map: '',
    report: undefined,
    look: undefined,
    repair: () => undefined,
  });
  const { status, code } = await runAgent({ ...run, loop }).catch((error: unknown) => {
    if (!(error instanceof PhotonError) || error.code === 'DISK') throw error;
    return { status: 'failed' as const, code: error.code };
  });
  const at = state.evidence.phase;
  request.ledger.append({ ...mark('run.end', { status, at }), phase: lastPhase(status, at), code });
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
