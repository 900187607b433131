/** Says in words what the tests show of a patch, and which lines a stricter requirement does not accept. Pure. */
import type { Verification } from '../base/outcome.ts';
import type { LineProof, PatchProof, ProvenLines } from '../base/patch-proof.ts';
import { listFirst } from '../base/plural.ts';

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

/** At most five short lines: what the tests show, which lines they show little of, and what to do about it. */
export function describeProof({ counts, hunks, mutants, lines, flaky, cut }: PatchProof): string {
  const kinds = Object.entries(counts).flatMap(([kind, n]) => (n === 0 ? [] : [`${n} ${kind}`]));
  const unexecuted = lines.filter(l => l.shows === 'unexecuted');
  const unknown = lines.filter(l => l.shows === 'unknown');
  const [survivor] = mutants.survived;
  return [
    kinds.length === 0 ? undefined : `Changed lines: ${kinds.join(', ')}.`,
    unexecuted.length === 0
      ? undefined
      : `No test runs ${listFirst(unexecuted, formatLines)}: test them, or leave out what the task does not need.`,
    unknown.length === 0
      ? undefined
      : `Unknown is ${listFirst(unknown, formatLines)}${cut === '' ? '' : `, since ${cut}`}. There is nothing to do about it.`,
    survivor === undefined
      ? undefined
      : `No test notices if ${survivor.path}:${survivor.line} becomes: ${survivor.after}`,
    hunks.notNeeded.length === 0
      ? undefined
      : `Every test passes without ${hunks.notNeeded.length} of ${hunks.total} hunks, ${listFirst(hunks.notNeeded, formatLines)}: test them, or leave out what the task does not need.`,
    flaky.length === 0 ? undefined : `Flaky: ${flaky.slice(0, 3).join('; ')}.`,
  ]
    .filter(item => item !== undefined)
    .slice(0, 5)
    .join('\n');
}

function formatLines({ path, start, end }: ProvenLines): string {
  return `${path}:${end <= start ? start : `${start}-${end}`}`;
}
