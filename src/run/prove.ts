/** What a patch must be before it leaves: allowed as a whole, sealed in the ledger, with a valid trace. */
import { auditLedger } from '../audit/audit.ts';
import { PhotonError } from '../base/codes.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import { mark } from '../ledger/mark.ts';
import { describeFiles } from './build-outcome.ts';
import { checkConversions, checkFinalPatch, checkResolution } from './final-check.ts';
import type { PreparedRun, ProvenPatch } from './stages.ts';

/**
 * Judges the patch of a run as it stands now, and the trace of the run (constitution §2).
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`, `PATH_FILTERED`, `BASE_CONFLICT`,
 * `EXECUTION_INVALID`.
 */
export async function provePatch(run: PreparedRun): Promise<ProvenPatch> {
  const { policy, environment, services, ledger } = run;
  const { session } = services;
  const changes = session.changes();
  checkFinalPatch(changes, policy.constitution, text => findSecret(text, environment.secrets));
  const merge = environment.start?.merge;
  if (merge !== undefined) checkResolution(changes, merge);
  await checkConversions(session);
  const tree = await session.fullTree();
  const files = describeFiles(run);
  const flagged = files.filter(f => f.flag !== undefined).length;
  ledger.append({
    ...mark('deliver', { tree, files: files.length, flagged, patch: session.patchDigest() }),
    phase: 'COMMIT',
    paths: files.slice(0, 100).map(f => f.path.slice(0, 300)),
  });
  requireValidTrace(run);
  return { changes, tree };
}

/** @throws PhotonError `EXECUTION_INVALID` with the first entry of the ledger that is wrong. */
function requireValidTrace({ ledger, policy }: PreparedRun): void {
  const { finding } = auditLedger(ledger.text(), { shipped: policy.shipped, complete: false });
  if (finding === undefined) return;
  const { seq, code, message } = finding;
  throw new PhotonError('EXECUTION_INVALID', `Entry ${seq} of the ledger: ${code}: ${message}.`);
}
