/** Renders what the tests show of a patch: at most three lines, and a table. */
import {
  describeIdleHunks,
  type LineProof,
  type LineSpan,
  type PatchProof,
} from '../../base/findings.ts';
import type { Outcome, Verification } from '../../base/outcome.ts';
import { joinDefined, listFirst, plural } from '../../base/plural.ts';
import { cellText, inlineText, tableLines } from '../escape.ts';

const words = {
  decided: 'a test fails without the line, or with a variant of it',
  executed: 'a test runs the line, and none is known to notice a change of it',
  unexecuted: 'no test runs the line',
  unknown: 'Photon cannot judge it',
} as const;

/** The proof in at most three lines; may be empty. */
export function proofLines({ verification }: Outcome): string {
  const { proof, repaired } = verification ?? {};
  const sum = [proof && sumLine(proof), repairedLine(repaired)].filter(Boolean).join(' ');
  if (proof === undefined) return sum;
  return [sum, weakLine(proof), cutLine(proof)].filter(Boolean).join('\n\n');
}

/** How many of the repaired cases hang on what they expect, and how many are not known to. */
function repairedLine(repaired: Verification['repaired']): string {
  if (repaired === undefined) return '';
  const { cases, dependent } = repaired;
  const all = cases === 1 ? 'The repaired test case' : `Each of the ${cases} repaired test cases`;
  if (dependent === cases) return `${all} fails where it expects other values.`;
  if (dependent === 0)
    return `It is not shown that ${cases === 1 ? 'the repaired test case' : `any of the ${cases} repaired test cases`} depends on the values that it expects.`;
  return `Of ${cases} repaired test cases, ${dependent} ${dependent === 1 ? 'fails' : 'fail'} where other values are expected, and ${cases - dependent} ${cases - dependent === 1 ? 'is' : 'are'} not shown to depend on the values.`;
}

function sumLine({ counts, lines, mutants, hunks }: PatchProof): string {
  const { decided, executed, unexecuted, unknown } = counts;
  const total = decided + executed + unexecuted + unknown;
  if (total === 0) return '';
  const showPlaces = (kind: LineProof) =>
    listFirst(
      lines.filter(l => l.shows === kind),
      formatLocation,
    );
  if (decided === total)
    return total === 1
      ? 'A test depends on the changed line of code.'
      : `A test depends on each of the ${total} changed lines of code.`;
  const judged = total - unknown;
  if (judged === 0)
    return `Photon cannot judge ${total === 1 ? 'the changed line' : `any of the ${total} changed lines`} of code (${showPlaces('unknown')}). Review ${total === 1 ? 'it' : 'them'}.`;
  const isUntried = decided === 0 && executed > 0 && mutants.tried + hunks.tried === 0;
  const sentences = [
    isUntried
      ? `No variant of ${total === 1 ? 'the changed line' : `the ${total} changed lines`} of code was tried.`
      : decided > 0
        ? `Tests decide ${decided} of ${total} changed lines of code.`
        : unknown > 0
          ? `Photon can judge ${judged} of ${total} changed lines of code, and no test decides ${judged === 1 ? 'it' : 'any of them'}.`
          : `No test decides ${total === 1 ? 'the changed line' : `any of the ${total} changed lines`} of code.`,
    executed > 0 &&
      `Tests run ${executed}${isUntried ? '' : ` without deciding ${executed === 1 ? 'it' : 'them'}`} (${showPlaces('executed')}).`,
    unexecuted > 0 && `**No test runs ${unexecuted}** (${showPlaces('unexecuted')}).`,
    unknown > 0 && `Photon cannot judge ${unknown} (${showPlaces('unknown')}).`,
    'Review the lines that no test decides.',
  ];
  return joinDefined(sentences, ' ');
}

/** The weakest spots: a change that nothing notices, hunks that no test needs, tests that prove little. */
function weakLine({ mutants, hunks, newTests }: PatchProof): string {
  const [first] = mutants.survived;
  const count = mutants.survived.length;
  const idleHunks = describeIdleHunks(hunks, formatLocation);
  const idle = newTests.filter(t => !t.failsOnBase).length;
  return joinDefined(
    [
      first !== undefined &&
        `Of ${plural(mutants.tried, 'variant')} of the changed lines, ${count} would pass the tests, too${count > 1 ? ', such as' : ':'} ${formatLocation({ ...first, start: first.line, end: first.line })} as ${inlineText(first.after, 120)}.`,
      idleHunks !== undefined && `${idleHunks}. Check that the task needs what no test does.`,
      idle > 0 &&
        `${idle} of ${newTests.length} new ${newTests.length === 1 ? 'test passes' : 'tests pass'} without the change, too.`,
    ],
    ' ',
  );
}

function cutLine({ flaky, cut, earlierBase }: PatchProof): string {
  return joinDefined(
    [
      earlierBase !== undefined &&
        `This was measured on the earlier base ${inlineText(earlierBase.slice(0, 12), 20)}, and lines are counted there. On the newer base, only the tests ran again.`,
      flaky.length > 0 &&
        `Flaky, and so decides nothing: ${listFirst(flaky, id => inlineText(id, 120))}.`,
      cut !== '' && `Not everything was looked at: ${cut}.`,
    ],
    ' ',
  );
}

function formatLocation(lines: LineSpan): string {
  return inlineText(`${lines.path}:${formatRange(lines)}`, 200);
}

const formatRange = ({ start, end }: LineSpan) => (end <= start ? `${start}` : `${start}–${end}`);

/** The lines and the changes that no test notices, as tables; empty if there is nothing to show. */
export function proofTable({ verification }: Outcome): string {
  const proof = verification?.proof;
  if (proof === undefined || proof.lines.length === 0) return '';
  const rows = proof.lines
    .slice(0, 60)
    .map(l => [cellText(l.path), formatRange(l), words[l.shows]]);
  const survived = proof.mutants.survived
    .slice(0, 20)
    .map(m => [cellText(`${m.path}:${m.line}`), cellText(m.after)]);
  const { tried } = proof.mutants;
  return joinDefined([
    ...tableLines(['file', 'lines', 'what the tests show'], rows),
    survived.length > 0 && [
      '',
      `Of ${plural(tried, 'variant')} of the changed lines, these pass every test:`,
      '',
      ...tableLines(['line', 'would pass, too'], survived),
    ],
  ]);
}
