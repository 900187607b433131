/** `verify.minimise: take`: leaves out of a repair what no test needs, if the smaller patch passes everything again. */
import { PhotonError } from '../base/codes.ts';
import type { Verification } from '../base/outcome.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import { mark, statePart } from '../ledger/ledger.ts';
import { findRemovable } from '../repair/proof.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { countLines, renderDiff } from '../workspace/text/diff.ts';
import { checkFinalPatch } from './final-check.ts';
import type { PreparedRun } from './stages.ts';

/** Maximum characters of the diff that an outcome repeats. */
const maxDiff = 20_000;

/**
 * Makes the patch of a run smaller, after it passed a whole verification. Otherwise the patch stays as it is, with a note
 * if that was tried.
 * @throws PhotonError `BUDGET_TIME`, `CANCELLED`, `DISK`.
 */
export async function takeMinimal(run: PreparedRun): Promise<void> {
  const { policy, services, state, ledger } = run;
  const { verification } = state;
  if (policy.settings.minimise !== 'take' || verification === undefined) return;
  if (run.environment.start?.merge !== undefined) return; // a part of a conflict is not left out
  if (!isRepair(verification)) return;
  const { session } = services;
  const full = session.changes();
  const found = await findRemovable(services.symbols, full, verification);
  if (found === undefined) return;
  if (!hasTime(run, verification)) {
    run.note(
      'The patch keeps the parts that no test needs: no time was left to verify it without.',
    );
    return;
  }
  await session.apply(found.states, new Map());
  const judged = await judgeSmaller(run, full).catch(error => {
    session.undo();
    throw error;
  });
  const passed = typeof judged !== 'string';
  const facts = { passed, patch: session.patchDigest(), leftOut: found.places.length };
  const { places } = found;
  const diff = run.scrub(renderDiff(findDifference(full, session.changes()))).slice(0, maxDiff);
  const leftOut = { places, diff, patchDigest: verification.patchDigest };
  const smaller = typeof judged === 'string' ? undefined : { ...judged, leftOut };
  const states = statePart('verification', smaller, run.scrub);
  ledger.append({ ...mark('minimise', facts), phase: 'COMMIT', states });
  if (typeof judged === 'string') {
    session.undo();
    run.note(`The patch keeps the parts that no test needs. Without them: ${judged}`);
    return;
  }
  run.loop.store?.keep(session.drain(), run.input.now());
  run.note('Parts that no test needs were left out, and the smaller patch was verified.');
  state.verification = smaller;
}

/** True if the run has three times as long as the verification with its proof took. */
function hasTime({ input, loop }: PreparedRun, { after, proof }: Verification): boolean {
  const tookMs = (after?.durationMs ?? 0) + (proof?.durationMs ?? 0);
  return input.now() + 3 * tookMs < loop.budget.deadline;
}

/** True if the tests fail before the patch and pass with it, and every case always ends in the same way. */
function isRepair({ passed, baseline, after, proof }: Verification): boolean {
  const repairs = passed && baseline?.passed === false && after?.passed === true;
  return repairs && proof !== undefined && proof.flaky.length === 0;
}

/** The verification of the smaller patch, which the session holds; or why it must not be taken. */
async function judgeSmaller(
  { services, policy, environment, state, loop }: PreparedRun,
  full: readonly FileChange[],
): Promise<Verification | string> {
  const { session, verifier } = services;
  const changes = session.changes();
  try {
    checkFinalPatch(changes, policy.constitution, text => findSecret(text, environment.secrets));
    const [lines, allowed] = [countChangedLines(changes), state.evidence.plan?.maxChangedLines];
    if (lines > countChangedLines(full) || (allowed !== undefined && lines > allowed))
      return `the patch would change ${lines} lines.`;
    const answer = await verifier?.verify(changes, session.patchDigest());
    if (answer === undefined) return 'nothing was verified.';
    const { verification, code } = answer;
    return verification.passed ? verification : `${code}.`;
  } catch (error) {
    if (loop.signal.aborted || !(error instanceof PhotonError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

function countChangedLines(changes: readonly FileChange[]): number {
  return changes
    .map(countLines)
    .reduce((sum, { added, removed }) => sum + Math.max(added, removed), 0);
}

/** What turns the smaller patch into the full one. */
function findDifference(
  full: readonly FileChange[],
  smaller: readonly FileChange[],
): readonly FileChange[] {
  const kept = new Map(smaller.map(c => [c.path, c.after]));
  return full.map(({ path, before, after }) => {
    return { path, before: kept.has(path) ? kept.get(path) : before, after };
  });
}
