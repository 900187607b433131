/** Sends what finished runs did to an OpenTelemetry collector, if the environment names one. */
import type { RunLog } from './hosts/host.ts';
import type { Environment } from './process/environment.ts';
import type { FinishedRun } from './run/stages.ts';
import { readNamedFile } from './workspace/files/read-foreign.ts';

/**
 * Sends a trace of runs. It takes at most two seconds and never throws; without an endpoint in the environment it does
 * nothing. `workflow` names what the runs belong to.
 */
export async function exportTelemetry(
  results: readonly FinishedRun[],
  {
    env,
    log,
    workflow = '',
  }: { env: Environment; log: Pick<RunLog, 'line' | 'mask'>; workflow?: string },
): Promise<void> {
  const named = Object.keys(env).some(name => /^OTEL_EXPORTER_OTLP_(?:\w+_)?ENDPOINT$/.test(name));
  const [first] = results;
  if (!named || first === undefined) return;
  try {
    const { readTraceTarget, sendTrace } = await import('./process/otlp.ts');
    const target = readTraceTarget(env);
    if (target === undefined) return;
    for (const secret of target.secrets) log.mask(secret);
    const { recordRuns } = await import('./report/telemetry.ts');
    const runs = results.map(({ outcome, files }) => ({
      outcome,
      ledger: readNamedFile(files.ledgerPath) ?? '',
    }));
    const { photon: version, runId } = first.outcome;
    const problem =
      target.problem ??
      (await sendTrace(env, { version, runId, record: to => recordRuns(to, runs, workflow) }));
    if (problem !== undefined) log.line(problem);
  } catch (error) {
    log.line(`Telemetry: nothing was sent: ${(error as Error).message}`);
  }
}
