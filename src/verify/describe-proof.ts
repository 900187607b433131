/** Says in words what the tests show of a patch, and which lines a stricter requirement does not accept. Pure. */
import type { Verification } from '../base/outcome.ts';
import type { LineProof, PatchProof } from '../base/patch-proof.ts';

/** The lines of which the tests show less than `require` wants. */
export function weakLines(
  { lines }: PatchProof,
  require: Verification['require'],
): PatchProof['lines'] {
  const accepted: Partial<Record<Verification['require'], readonly LineProof[]>> = {
    executed: ['decided', 'executed'],
    decided: ['decided'],
  };
  const wanted = accepted[require];
  return wanted === undefined ? [] : lines.filter(l => !wanted.includes(l.shows));
}

/** At most four short lines. */
export function describeProof(proof: PatchProof): string {
  const { counts, hunks, mutants, lines, flaky } = proof;
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const kinds = Object.entries(counts).flatMap(([kind, n]) => (n === 0 ? [] : [`${n} ${kind}`]));
  const unexecuted = lines.filter(l => l.shows === 'unexecuted').slice(0, 3);
  const [survivor] = mutants.survived;
  return [
    total === 0 ? undefined : `Changed lines: ${kinds.join(', ')}.`,
    unexecuted.length === 0
      ? undefined
      : `No test runs ${unexecuted.map(l => `${l.path}:${l.start}-${l.end}`).join(', ')}.`,
    survivor === undefined
      ? undefined
      : `No test notices if ${survivor.path}:${survivor.line} becomes: ${survivor.after}`,
    hunks.notNeeded.length === 0
      ? undefined
      : `Every test passes without ${hunks.notNeeded.length} of ${hunks.total} hunks.`,
    flaky.length === 0 ? undefined : `Flaky: ${flaky.slice(0, 3).join('; ')}.`,
  ]
    .filter(item => item !== undefined)
    .slice(0, 4)
    .join('\n');
}
