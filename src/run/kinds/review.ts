/** A run that ends with findings about a pull request. */
import { codes } from '../../base/codes.ts';
import { type Ending, isSuccess } from '../../base/outcome.ts';
import { isTestPath } from '../../ecosystems/tests/path-classes.ts';
import {
  type CheckError,
  checkLine,
  detectChecks,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../../verify/project-checks.ts';
import { runInView } from '../../verify/set-up/run-in-view.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { inspectPatch } from '../inspect-patch.ts';
import type { Run, RunKind } from '../stages.ts';
import { looking, withoutRecording } from './looking.ts';
import { openReviewCollector, type ReviewCollector } from './review-collector.ts';

export const review: RunKind = {
  ...looking,
  name: 'review',
  // without a test command, less is proven
  tests: 'optional',
  tools: withoutRecording,
  instructions: 'review_only',
  schema: policy => policy.reviewSchema,
  openBook: ({ request: { task, reviewBase }, policy, services }) =>
    openReviewCollector({
      review: task.review ?? { number: 0, lines: [] },
      session: services.session,
      verifier: services.verifier,
      base: reviewBase ?? (async () => undefined),
      maxFindings: policy.settings.reviewFindings,
      showsOpinions: policy.settings.reviewOpinions,
    }),
  settle: async (run, ending) =>
    isSuccess(ending.status) || ending.status === 'abstained' ? settleReview(run, ending) : ending,
};

/** The ending of a review with its findings. The words of the model's answer are left out. */
async function settleReview(run: Run, ending: Ending): Promise<Ending> {
  const { reviewCollector, report } = run.loop;
  if (reviewCollector === undefined) return ending;
  const toBase = await run.request.reviewBase?.();
  const checksRan = toBase !== undefined && (await runChecks(run, reviewCollector, toBase));
  if (toBase !== undefined) await tryChanges(run, reviewCollector, toBase);
  const head = run.request.environment.git.commit;
  const review = reviewCollector.result({ head, checksRan, report: report?.value() });
  const code = 'REVIEWED';
  return { status: 'answered', code, phase: ending.phase, message: codes[code].meaning, review };
}

/** Runs type checker and linter on copies of head and base. @returns true if at least one check ran on both. */
async function runChecks(
  run: Run,
  reviewCollector: ReviewCollector,
  toBase: readonly FileChange[],
): Promise<boolean> {
  const { session } = run.services;
  const paths = (await session.files()).map(f => f.path);
  const read = (path: string) => session.plainText(path);
  let ran = false;
  for (const check of await detectChecks({ paths, read })) {
    const head = await runCheck(run, { check, changes: [], paths });
    if (head === undefined) continue;
    ran = true;
    if (head.length === 0) continue;
    const base = await runCheck(run, { check, changes: toBase, paths });
    if (base === undefined) continue;
    for (const { path, line, rule, message } of newErrors(head, base))
      await reviewCollector.add(
        {
          path,
          start: line,
          end: line,
          severity: 'high',
          problem: run.request.scrub(`${rule}: ${message}`),
          proof: { kind: 'check', command: check.command },
        },
        `check ${rule}`,
      );
  }
  return ran;
}

interface CheckRun {
  readonly check: ProjectCheck;
  readonly changes: readonly FileChange[];
  readonly paths: readonly string[];
}

/** The errors of a check on the head with these changes; undefined if the check could not run. */
async function runCheck(
  { request: { environment, limit }, services, policy }: Run,
  { check, changes, paths }: CheckRun,
): Promise<readonly CheckError[] | undefined> {
  const place = await services.openSetUp(changes, limit.signal);
  try {
    environment.log(`Review: ${check.command} (${changes.length} changed files)`);
    const end = await runInView(place, {
      caller: 'proof',
      command: checkLine(check),
      network: false,
      timeoutMs: policy.settings.testTimeoutMs,
      maxOutputBytes: 4_000_000,
      signal: limit.signal,
    });
    return errorsIn(check, end, paths);
  } finally {
    await place.view.close();
  }
}

/** Most time for small changes of the lines, unless the settings give another. */
const changesMs = 60_000;

/** Small changes of the changed lines that no test notices. */
async function tryChanges(
  run: Run,
  reviewCollector: ReviewCollector,
  toBase: readonly FileChange[],
): Promise<void> {
  const { policy, services } = run;
  const ms = policy.settings.proofBudgetMs ?? changesMs;
  const source = toBase
    .filter(c => !isTestPath(c.path))
    .map(({ path, before, after }) => ({ path, before: after, after: before }));
  if (ms === 0 || services.testCommand === undefined || source.length === 0) return;
  const inspect = async () => ({ source });
  const { mutants } = await inspectPatch(run, { ms, inspect });
  for (const mutant of mutants.survived) {
    const { path, line } = mutant;
    const problem = 'No test notices when this line is changed.';
    const proof = { kind: 'mutant', mutant } as const;
    await reviewCollector.add(
      { path, start: line, end: line, severity: 'low', problem, proof },
      'mutant',
    );
  }
}
