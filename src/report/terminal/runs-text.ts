/** Renders the runs that a checkout keeps. */
import type { Outcome } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';

/** A run as the list shows it. */
export interface ListedRun {
  readonly id: string;
  /** The short name for commands. */
  readonly name: string;
  readonly folder: string;
  /** Null if it cannot be read. */
  readonly outcome: Outcome | null;
}

/** One line for each run. */
export function renderRuns(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'There are no runs here yet. Start one with photon run.\n';
  const lines = runs.map(({ name, id, outcome }) => {
    const at = (outcome?.startedAt ?? timeOf(id)).slice(0, 16).replace('T', ' ');
    if (outcome === null) return `${name}  ${at}  ended without an outcome`;
    const files = outcome.patch?.files?.length ?? 0;
    const patch = files === 0 ? 'no patch' : `${plural(files, 'file')} changed`;
    return `${name}  ${at}  ${outcome.status.padEnd(19)}  ${outcome.code.padEnd(20)}  ${patch}`;
  });
  return `${lines.join('\n')}\n`;
}

/** The time in the id of a run: `2026-11-23T07:28:55`. */
function timeOf(id: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(id) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}`;
}
