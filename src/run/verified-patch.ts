/** The verified patch of a run: made smaller if the settings say so, and as the host that delivers it sees it. */
import { auditLedger } from '../audit/audit.ts';
import { type Code, codes, PhotonError } from '../base/codes.ts';
import { type Ending, mayDeliver, type Verification } from '../base/outcome.ts';
import { sum } from '../base/plural.ts';
import type { NewBase, ProvenPatch, VerifiedPatch } from '../hosts/host.ts';
import { mark, statePart } from '../ledger/ledger.ts';
import { findRemovable } from '../repair/proof.ts';
import { joinChanges, reapplyChanges } from '../workspace/commits/reapply.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { countLines, renderDiff } from '../workspace/text/diff.ts';
import { buildOutcome } from './build-outcome.ts';
import {
  checkConversions,
  checkFinalPatch,
  checkResolution,
  describeFiles,
} from './final-check.ts';
import { checkPackages } from './services/check-packages.ts';
import type { Run, RunProgress } from './stages.ts';

/** Maximum characters of the diff that an outcome repeats. */
const maxDiff = 20_000;

/**
 * `verify.minimise: take`: leaves out of a repair what no test needs, after it passed a whole verification, if the smaller patch passes
 * everything again. Otherwise the patch stays as it is, with a note if that was tried.
 * @throws PhotonError `BUDGET_TIME`, `CANCELLED`, `DISK`.
 */
export async function takeMinimal(run: Run): Promise<void> {
  const { request, policy, services, state } = run;
  const { ledger } = request;
  const { verification } = state;
  if (policy.settings.minimise !== 'take' || verification === undefined) return;
  if (run.request.environment.start?.merge !== undefined) return; // a part of a conflict is not left out
  if (!isRepair(verification)) return;
  const { session } = services;
  const full = session.changes();
  const found = await findRemovable(services.symbols, full, verification);
  if (found === undefined) return;
  if (!hasTime(run, verification)) {
    run.request.note(
      'The patch keeps the parts that no test needs: no time was left to verify it without.',
    );
    return;
  }
  await session.apply(found.states);
  const judged = await judgeSmaller(run, full).catch(error => {
    session.undo();
    throw error;
  });
  const { places } = found;
  const passed = typeof judged !== 'string';
  const facts = { passed, patch: session.patchDigest(), leftOut: places.length };
  const diff = run.request
    .scrub(renderDiff(findDifference(full, session.changes())))
    .slice(0, maxDiff);
  const leftOut = { places, diff, patchDigest: verification.patchDigest };
  const smaller = typeof judged === 'string' ? undefined : { ...judged, leftOut };
  const states = statePart('verification', smaller, run.request.scrub);
  ledger.append({ ...mark('minimise', facts), phase: 'COMMIT', states });
  if (typeof judged === 'string') {
    session.undo();
    run.request.note(`The patch keeps the parts that no test needs. Without them: ${judged}`);
    return;
  }
  run.loop.store?.keep(session.drain(), run.request.input.now());
  run.request.note('Parts that no test needs were left out, and the smaller patch was verified.');
  state.verification = smaller;
}

/** True if the run has three times as long as the verification with its proof took. */
function hasTime({ request: { input, limit } }: Run, { after, proof }: Verification): boolean {
  const tookMs = (after?.durationMs ?? 0) + (proof?.durationMs ?? 0);
  return input.now() + 3 * tookMs < limit.deadline;
}

/** True if the tests fail before the patch and pass with it, and every case always ends in the same way. */
function isRepair({ passed, baseline, after, proof }: Verification): boolean {
  const repairs = passed && baseline?.passed === false && after?.passed === true;
  return repairs && proof !== undefined && proof.flaky.length === 0;
}

/** The verification of the smaller patch, which the session holds; or why it must not be taken. */
async function judgeSmaller(run: Run, full: readonly FileChange[]): Promise<Verification | string> {
  const { request, services, state } = run;
  const { session, verifier } = services;
  const changes = session.changes();
  try {
    checkFinalPatch(changes, run);
    const lines = countChangedLines(changes);
    const allowed = state.evidence.plan?.maxChangedLines;
    if (lines > countChangedLines(full) || (allowed !== undefined && lines > allowed))
      return `the patch would change ${lines} lines.`;
    const answer = await verifier?.verify(changes, session.patchDigest());
    if (answer === undefined) return 'nothing was verified.';
    const { verification, code } = answer;
    return verification.passed ? verification : `${code}.`;
  } catch (error) {
    if (request.limit.signal.aborted || !(error instanceof PhotonError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

function countChangedLines(changes: readonly FileChange[]): number {
  return sum(changes.map(countLines).map(({ added, removed }) => Math.max(added, removed)));
}

/** What turns the smaller patch into the full one. */
function findDifference(
  full: readonly FileChange[],
  smaller: readonly FileChange[],
): readonly FileChange[] {
  const kept = new Map(smaller.map(c => [c.path, c.after]));
  return full.map(({ path, before, after }) => ({
    path,
    before: kept.has(path) ? kept.get(path) : before,
    after,
  }));
}

/** Opens the patch of a run that ended with one. */
export function openVerifiedPatch(run: Run, ending: Ending, progress: RunProgress): VerifiedPatch {
  const { id, task, mode, note, environment, limit } = run.request;
  return {
    run: id,
    task,
    mode,
    ending,
    note,
    merge: environment.start?.merge,
    hasVerifier: run.services.verifier !== undefined,
    git: () => run.services.session.git,
    verification: () => run.state.verification,
    changes: () => run.services.session.changes(),
    moveTo: base => moveToBase(run, base),
    prove: async () => {
      const proven = await provePatch(run);
      progress.proven = proven;
      const outcome = buildOutcome(ending, progress);
      await limit.check();
      return { ...proven, outcome };
    },
    delivered: delivery => {
      progress.delivered = delivery;
      return delivery;
    },
  };
}

/**
 * Judges the patch of a run as it stands now, and the trace of the run (constitution §2).
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`, `PATH_FILTERED`, `BASE_CONFLICT`,
 * `EXECUTION_INVALID`.
 */
export async function provePatch(run: Run): Promise<Omit<ProvenPatch, 'outcome'>> {
  const { request, services } = run;
  const { environment, ledger } = request;
  const { session } = services;
  const changes = session.changes();
  checkFinalPatch(changes, run);
  const merge = environment.start?.merge;
  if (merge !== undefined) checkResolution(changes, merge);
  await checkConversions(session);
  const packages = await checkPackages(run);
  const tree = await session.fullTree();
  const files = describeFiles(run);
  const flagged = files.filter(f => f.flag !== undefined).length;
  ledger.append({
    ...mark('deliver', {
      tree,
      files: files.length,
      flagged,
      patch: session.patchDigest(),
      packages: packages?.added,
      advisories: packages?.advisories.length,
    }),
    phase: 'COMMIT',
    paths: files.slice(0, 100).map(f => f.path.slice(0, 300)),
  });
  requireValidTrace(run);
  return { changes, tree };
}

/** @throws PhotonError `EXECUTION_INVALID` with the first entry of the ledger that is wrong. */
function requireValidTrace({ request: { ledger }, policy }: Run): void {
  const { finding } = auditLedger(ledger.text(), { shipped: policy.shipped, complete: false });
  if (finding === undefined) return;
  const { seq, code, message } = finding;
  throw new PhotonError('EXECUTION_INVALID', `Entry ${seq} of the ledger: ${code}: ${message}.`);
}

/**
 * Moves the patch of a run to a newer base, and verifies it there.
 * @returns how the run ends there; undefined when it goes on to its delivery.
 * @throws PhotonError `BASE_CONFLICT`, `BASE_MOVED`, `SETUP_FAILED`, `GIT`.
 */
async function moveToBase(run: Run, base: NewBase): Promise<Ending | undefined> {
  const { request, services, state } = run;
  const { ledger } = request;
  const { session } = services;
  const { git } = session;
  if ((await git.writeFullTree(base.drift)) !== base.tree)
    throw new PhotonError('BASE_MOVED', 'The new base could not be put together from its changes.');
  const applied = await reapplyChanges(session.changes(), base.drift, git.mergeText);
  if (!applied.ok) {
    const named = applied.conflicts.slice(0, 5).join(', ');
    throw new PhotonError('BASE_CONFLICT', `The base moved, and both sides changed ${named}.`);
  }
  if (applied.changes.length === 0) return alreadyThere;
  const drift = joinChanges(services.drift, base.drift);
  const reopened = await services.reopen(
    await git.rebased(base),
    drift.filter(change => !git.withholds(change.path)),
  );
  try {
    await reopened.session.apply(new Map(applied.changes.map(c => [c.path, c.after])));
    const digest = reopened.session.patchDigest();
    const answer = await reopened.verifier?.verify(reopened.session.changes(), digest);
    const passed = answer !== undefined && mayDeliver(answer.verification);
    const facts = { base: base.commit, tree: await reopened.session.fullTree(), patch: digest };
    const proof = { passed, waived: reopened.verifier === undefined };
    const verification = withEarlierProof(answer?.verification, state.verification, git.commit);
    const states = statePart('verification', verification, run.request.scrub);
    ledger.append({ ...mark('reapply', { ...facts, ...proof }), phase: 'COMMIT', states });
    run.services = { ...services, session: reopened.session, drift };
    state.verification = verification;
    state.look = state.look && { ...state.look, patchDigest: '' };
    return passed || proof.waived ? undefined : unproven(answer?.code ?? 'VERIFY_FAILED');
  } finally {
    await reopened.verifier?.close();
  }
}

/**
 * The verification on the new base. What the tests show of each line was measured on the old one, which the proof names,
 * unless the requirement had it measured again. What was left out of the patch stays left out.
 */
function withEarlierProof(
  now: Verification | undefined,
  earlier: Verification | undefined,
  base: string,
): Verification | undefined {
  if (now === undefined || earlier === undefined) return now ?? earlier;
  const { proof, leftOut } = earlier;
  return {
    ...now,
    proof:
      proof === undefined || now.proof !== undefined ? now.proof : { earlierBase: base, ...proof },
    leftOut: leftOut ?? now.leftOut,
  };
}

const alreadyThere: Ending = {
  status: 'no_change',
  code: 'PATCH_EMPTY',
  phase: 'COMMIT',
  message: 'The base moved while the run worked, and already holds this patch.',
};

function unproven(code: Code): Ending {
  return {
    status: 'rolled_back',
    code,
    phase: 'ROLLBACK',
    message: `The base moved while the run worked. ${codes[code].meaning} It had passed on the base before.`,
  };
}
