/** Sends what finished runs did to an OpenTelemetry collector, if the environment names one. */
import type { RunLog } from './hosts/host.ts';
import type { Environment } from './process/environment.ts';
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
  if (!named || results.length === 0) return;
  try {
    const { readTelemetryTarget, sendTelemetry, telemetrySecrets } = await import(
      './process/otlp.ts'
    );
    const target = readTelemetryTarget(env);
    if (target === undefined) return;
    for (const secret of telemetrySecrets(target)) log.mask(secret);
    for (const note of target.notes) log.line(note);
    const { renderTelemetry } = await import('./report/telemetry/telemetry.ts');
    const runs = results.map(({ outcome, files }) => ({
      outcome,
      ledger: readNamedFile(files.ledgerPath) ?? '',
    }));
    const bodies = renderTelemetry(runs, { ...target, workflow });
    for (const note of await sendTelemetry(target, bodies)) log.line(note);
  } catch (error) {
    log.line(`Telemetry: nothing was sent: ${(error as Error).message}`);
  }
}
