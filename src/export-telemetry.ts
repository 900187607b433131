/** Sends what finished runs did to an OpenTelemetry collector, if the environment names one. */
import type { RunLog } from './hosts/host.ts';
import type { Environment } from './process/environment.ts';
import type { Recorder } from './report/telemetry.ts';
import type { FinishedRun } from './run/stages.ts';
import { readNamedFile } from './workspace/files/read-foreign.ts';

/**
 * Sends traces and metrics of runs. It takes at most two seconds and never throws; without an endpoint in the
 * environment it does nothing. `workflow` names what the runs belong to.
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
    const { readTelemetryTarget, sendTelemetry } = await import('./process/otlp.ts');
    const { signals, notes, secrets } = readTelemetryTarget(env);
    for (const secret of secrets) log.mask(secret);
    for (const note of notes) log.line(note);
    if (signals.length === 0) return;
    const { recordRuns } = await import('./report/telemetry.ts');
    const runs = results.map(({ outcome, files }) => ({
      outcome,
      ledger: readNamedFile(files.ledgerPath) ?? '',
    }));
    const { photon: version, runId } = first.outcome;
    const record = (recorder: Recorder) => recordRuns(recorder, runs, workflow);
    for (const note of await sendTelemetry(env, signals, { version, runId, record }))
      log.line(note);
  } catch (error) {
    log.line(`Telemetry: nothing was sent: ${(error as Error).message}`);
  }
}
