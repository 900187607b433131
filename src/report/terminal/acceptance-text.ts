/** Renders what `photon accept` found. */

interface Check {
  readonly name: string;
  /** Null if it could not be tried. */
  readonly holds: boolean | null;
  readonly detail: string;
}

/** One line for each check. */
export function renderChecks(checks: readonly Check[]): string {
  const mark = (holds: boolean | null) =>
    holds === null ? 'SKIPPED ' : holds ? 'holds   ' : 'BROKEN  ';
  return checks
    .map(
      ({ name, holds, detail }) => `${mark(holds)}${name}${detail === '' ? '' : ` (${detail})`}\n`,
    )
    .join('');
}
