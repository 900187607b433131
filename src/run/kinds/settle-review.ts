/** The end of a review: what the project's own checks and small changes of the lines show, and the result. */
import { codes } from '../../base/codes.ts';
import type { ReviewFinding } from '../../base/findings.ts';
import type { Ending } from '../../base/outcome.ts';
import { isTestPath } from '../../ecosystems/tests/test-paths.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import { measureProof } from '../../repair/proof.ts';
import {
  type CheckError,
  checkCommand,
  checkLine,
  checksOf,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../../verify/project-checks.ts';
import { runInView } from '../../verify/set-up/run-in-view.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { makeRepairContext } from '../repair-context.ts';
import type { EquippedRun } from '../stages.ts';
import type { ReviewBook } from './review-book.ts';

export interface ReviewEnd {
  readonly book: ReviewBook;
  readonly base: () => Promise<readonly FileChange[] | null>;
  readonly signal: AbortSignal;
}

/** The ending of a review with its findings. The words of the model's answer are left out. */
export async function settleReview(
  run: EquippedRun,
  ending: Ending,
  { book, base, signal }: ReviewEnd,
): Promise<Ending> {
  const toBase = await base();
  const checksRan = toBase !== null && (await runChecks(run, { book, toBase, signal }));
  if (toBase !== null) await tryChanges(run, { book, toBase, signal });
  const review = book.result({ head: run.environment.git.commit, checksRan });
  if (book.lacksReport())
    return {
      status: 'failed',
      code: 'REVIEW_REPORT_MISSING',
      phase: ending.phase,
      message: codes.REVIEW_REPORT_MISSING.meaning,
      review,
    };
  return {
    status: 'answered',
    code: 'REVIEWED',
    phase: ending.phase,
    message: codes.REVIEWED.meaning,
    review,
  };
}

interface Work {
  readonly book: ReviewBook;
  readonly toBase: readonly FileChange[];
  readonly signal: AbortSignal;
}

/** Runs type checker and linter on copies of head and base. @returns true if at least one check ran on both. */
async function runChecks(run: EquippedRun, { book, toBase, signal }: Work): Promise<boolean> {
  const { session } = run.services;
  const paths = (await session.files()).map(f => f.path);
  const read = (path: string) => session.plainText(path);
  let ran = false;
  for (const check of await checksOf({ paths, read })) {
    const head = await runCheck(run, { check, changes: [], paths, signal });
    if (head === null) continue;
    ran = true;
    if (head.length === 0) continue;
    const base = await runCheck(run, { check, changes: toBase, paths, signal });
    if (base === null) continue;
    for (const { path, line, rule, message } of newErrors(head, base))
      await book.add(
        {
          path,
          start: line,
          end: line,
          severity: 'high',
          problem: run.scrub(`${rule}: ${message}`),
          proof: { kind: 'check', command: checkCommand(check) },
        },
        `check ${rule}`,
      );
  }
  return ran;
}

interface CheckRun extends Pick<Work, 'signal'> {
  readonly check: ProjectCheck;
  readonly changes: readonly FileChange[];
  readonly paths: readonly string[];
}

/** The errors of a check on the head with these changes; null if the check could not run. */
async function runCheck(
  { services, policy, environment }: EquippedRun,
  { check, changes, paths, signal }: CheckRun,
): Promise<readonly CheckError[] | null> {
  const place = await services.openSetUp(changes, signal);
  try {
    environment.log(`Review: ${checkCommand(check)} (${changes.length} changed files)`);
    const end = await runInView(place, {
      caller: 'proof',
      command: checkLine(check),
      network: false,
      timeoutMs: policy.settings.testTimeoutMs,
      maxOutputBytes: 4_000_000,
      signal,
    });
    return errorsIn(check, end, paths);
  } finally {
    await place.view.close();
  }
}

/** Most time for small changes of the lines, unless the settings give another. */
const changesMs = 60_000;

/** Small changes of the changed lines that no test notices. */
async function tryChanges(run: EquippedRun, { book, toBase, signal }: Work): Promise<void> {
  const { policy, services, environment, input, scrub } = run;
  const ms = policy.settings.proofBudgetMs ?? changesMs;
  const source = toBase
    .filter(c => !isTestPath(c.path))
    .map(({ path, before, after }) => ({ path, before: after, after: before }));
  if (ms === 0 || services.testCommand === null || source.length === 0) return;
  const limit = openTimeLimit(signal, { ms, now: input.now });
  try {
    const made = await makeRepairContext({
      caller: 'proof',
      services,
      policy,
      shipped: environment.shipped,
      log: () => {},
      scrub,
      now: input.now,
      deadline: limit.deadline,
      signal: limit.signal,
    });
    const { mutants } = await measureProof({
      context: { ...made, deadline: limit.deadline },
      opened: null,
      source,
      tests: [],
      flaky: [],
      leavesOut: false,
      passesWithoutSource: null,
      passes: async () => null,
      newTests: [],
    });
    for (const mutant of mutants.survived) {
      const found: Omit<ReviewFinding, 'fingerprint'> = {
        path: mutant.path,
        start: mutant.line,
        end: mutant.line,
        severity: 'low',
        problem: 'No test notices when this line is changed.',
        proof: { kind: 'mutant', mutant },
      };
      await book.add(found, 'mutant');
    }
  } finally {
    limit.close();
  }
}
