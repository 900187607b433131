/** The corridor: trigger ► settings ► constitution ► skills ► session ► pipeline ► delivery ► report. */
import { randomBytes } from 'node:crypto';
import { type Execution, executeTask } from './agent/execute.ts';
import { checkFinalPatch } from './agent/final-check.ts';
import { type Law, loadLaw } from './agent/law.ts';
import { endingOfError, outcomeOf, type RunFacts } from './agent/outcome-of.ts';
import { type Code, codes, PhotonError } from './codes.ts';
import { deliverOnGitHub, reportOnGitHub } from './github/deliver.ts';
import { parseEvent } from './github/event.ts';
import { type Opened, openRun, type RunInput } from './github/open-run.ts';
import { type Planned, resolveTasks } from './github/trigger.ts';
import { findSecret } from './guard/secrets.ts';
import { openModel } from './model/client.ts';
import type { Delivered, Ending, Outcome } from './outcome.ts';
import { renderComment } from './report/comment.ts';
import { renderPullRequest } from './report/pull-request.ts';
import { applyToCheckout } from './session/apply-to-checkout.ts';
import { renderDiff } from './session/diff.ts';
import { type Ledger, openLedger } from './session/ledger.ts';
import { openRunFolder, type RunFolder } from './session/run-folder.ts';
import { openTimeLimit } from './session/time-limit.ts';

export interface RunResult {
  readonly outcome: Outcome;
  readonly diff: string;
  readonly files: Pick<RunFolder, 'path' | 'outcomePath' | 'ledgerPath' | 'patchPath'>;
}

/** One run on its way down the corridor. */
interface Walk extends Execution {
  readonly input: RunInput;
  readonly opened: Opened | null;
  readonly plan: Planned;
  readonly folder: RunFolder;
  readonly id: string;
  readonly startedAt: number;
  law: Law | null;
  tree: string;
  notes: readonly string[];
}

/** Carries out what started this process. Only a run folder that cannot be made throws (`DISK`). */
export async function runPhoton(input: RunInput): Promise<readonly RunResult[]> {
  const request = parseEvent(input.event);
  const first = openWalk(input, null, { task: null });
  const results: RunResult[] = [];
  let opened: Opened | null = null;
  try {
    if (request.kind === 'declined')
      return [await endWalk(first, async () => quiet('EVENT_NOT_SERVED', request.reason))];
    opened = await openRun(input, first.folder, request);
    const plans = await resolveTasks({ ...opened, request });
    for (const plan of plans) results.push(await runTask(openWalk(input, opened, plan), opened));
  } catch (error) {
    results.push(await endWalk(first, () => Promise.reject(error)));
  } finally {
    await opened?.close();
    first.folder.close();
    if (results.every(r => r.files.path !== first.folder.path) && results.length > 0)
      first.folder.discard();
  }
  return results;
}

function openWalk(input: RunInput, opened: Opened | null, plan: Planned): Walk {
  const id = `${new Date(input.now()).toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`;
  const about = {
    input,
    opened,
    plan,
    id,
    startedAt: input.now(),
    folder: openRunFolder(input.tempRoot, id),
  };
  return { ...about, law: null, workshop: null, progress: null, tree: '', notes: [] };
}

function quiet(code: Code, message: string): Ending {
  return { status: 'no_change', code, phase: 'INPUT', message };
}

function runTask(walk: Walk, opened: Opened): Promise<RunResult> {
  const { input, settings, secrets, git } = {
    ...opened,
    ...opened.input,
    input: opened.input,
    settings: opened.settings,
  };
  return endWalk(walk, async ledger => {
    const { task, refused } = walk.plan;
    if (refused !== undefined || task === null)
      return { phase: 'INPUT', ...(refused ?? quiet('NOTHING_TO_DO', '')) };
    const limit = openTimeLimit(input.signal, { ms: settings.timeoutMs, now: input.now });
    try {
      const { deadline, signal, clock } = limit;
      const model = openModel({ ...settings, clock, deadline, log: opened.log });
      model.warmUp();
      walk.law = await loadLaw(
        settings,
        await opened.trusted(task.headBranch?.base),
        opened.shipped,
      );
      const random = randomBytes(8).toString('hex');
      const place = {
        git,
        scratch: walk.folder.scratch,
        env: input.env,
        hosted: input.hosted,
        hidePaths: input.hidePaths,
      };
      const mind = {
        task,
        law: walk.law,
        model,
        secrets,
        ledger,
        deadline,
        signal,
        now: input.now,
      };
      const agentLog = {
        round: (n: number) => input.log.group(`Round ${n}`),
        think: (text: string) => input.log.line(`[Think] ${text}`),
        call: (line: string) => input.log.line(line),
      };
      const own = { shipped: opened.shipped, scrub: opened.scrub, log: opened.log, agentLog };
      const ending = await executeTask(
        { ...place, ...mind, ...own, token: `photon${random}`, mark: `data-${random}` },
        walk,
      );
      return ending.status === 'committed'
        ? await deliver(walk, { opened, ledger, ending })
        : settle(walk, ending);
    } finally {
      limit.close();
      await walk.workshop?.close();
    }
  });
}

/** A finish without a patch: nothing to do when the tests pass or none prove otherwise, else a failure. */
async function settle(walk: Walk, ending: Ending): Promise<Ending> {
  if (ending.status !== 'no_change') return ending;
  const baseline = await walk.workshop?.verifier?.baseline();
  if (baseline && !baseline.passed)
    return {
      ...ending,
      status: 'failed',
      message: 'The run changed nothing, though the tests fail.',
    };
  return walk.plan.task?.trigger === 'schedule'
    ? { ...ending, code: 'NOTHING_TO_DO', message: codes.NOTHING_TO_DO.meaning }
    : ending;
}

type Delivery = Ending & { readonly delivered?: Delivered };

async function deliver(
  walk: Walk,
  { opened, ledger, ending }: { opened: Opened; ledger: Ledger; ending: Ending },
): Promise<Delivery> {
  const { settings, input, secrets, git } = opened;
  const { task } = walk.plan;
  const session = walk.workshop?.session;
  if (task === null || session === undefined || walk.law === null)
    throw new PhotonError('INTERNAL');
  const changes = session.changes();
  checkFinalPatch(changes, walk.law.constitution, text => findSecret(text, secrets));
  walk.tree = await session.tree();
  const as = (code: Code, delivered?: Delivered): Delivery => ({
    ...ending,
    code,
    message: codes[code].meaning,
    ...(delivered ? { delivered } : {}),
  });
  if (settings.dryRun) return as('DRY_RUN');
  if (input.delivery === 'patch')
    return as('PATCH_WRITTEN', { kind: 'patch', operation: 'created' });
  if (input.delivery === 'apply') {
    applyToCheckout(git.checkout, changes);
    return as('APPLIED', { kind: 'applied', operation: 'created' });
  }
  const outcome = outcomeOf(ending, factsOf(walk, ledger));
  const published = await deliverOnGitHub(opened, {
    task,
    outcome,
    changes,
    text: renderPullRequest(task, outcome),
  });
  walk.notes = [...walk.notes, ...published.notes];
  return as('COMMITTED', published.delivered);
}

/** Whatever happens in `work`, there is one outcome, written down and reported. */
async function endWalk(
  walk: Walk,
  work: (ledger: Ledger) => Promise<Delivery>,
): Promise<RunResult> {
  const { folder, opened, input } = walk;
  const ledger = openLedger({
    path: folder.ledgerPath,
    run: walk.id,
    caller: input.actor || 'local',
    now: input.now,
  });
  const made = await work(ledger).then(
    ({ delivered, ...ending }) => ({ ending, more: delivered === undefined ? {} : { delivered } }),
    (error: unknown) => {
      const { ending, hint } = endingOfError(error, walk.progress?.evidence.phase ?? 'INPUT');
      return { ending, more: { hint } };
    },
  );
  const safe = opened === null ? (text: string) => text : opened.scrub;
  const facts = factsOf(walk, ledger);
  let outcome = outcomeOf({ ...made.ending, message: safe(made.ending.message) }, facts, made.more);
  const { task } = walk.plan;
  const note = opened && task ? await reportOnGitHub(opened, task, renderComment(outcome)) : null;
  if (note !== null) outcome = { ...outcome, notes: [...outcome.notes, note] };
  const diff = safe(renderDiff(facts.changes));
  ledger.close();
  folder.write(folder.patchPath, diff);
  folder.write(folder.outcomePath, safe(`${JSON.stringify(outcome, null, 2)}\n`));
  if (walk.opened !== null) folder.close();
  return { outcome, diff, files: folder };
}

function factsOf(walk: Walk, ledger: Ledger): RunFacts {
  const { input, opened, plan, workshop, progress, law } = walk;
  const session = workshop?.session;
  return {
    ...{
      runId: walk.id,
      task: plan.task,
      law,
      progress,
      startedAt: walk.startedAt,
      endedAt: input.now(),
      notes: walk.notes,
      tree: walk.tree,
    },
    photon: opened?.shipped.version ?? '',
    repository: input.repository,
    baseCommit: opened?.git.commit ?? '',
    model: opened?.settings.model ?? '',
    changes: session?.changes() ?? [],
    patchDigest: session?.patchDigest() ?? '',
    sandbox: workshop?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    ledger: ledger.head(),
  };
}
