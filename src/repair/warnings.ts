/** Says what a reviewer must know before trusting the patch of the embedded engine. Pure. */
import { editTitle, writtenCode } from '../base/edit-title.ts';
import type { Repair } from '../base/outcome.ts';
import { listFirst, plural } from '../base/plural.ts';
import type { Candidate } from './candidates/candidates.ts';
import { findLineEdit } from './candidates/edit.ts';
import { type Choice, undecided } from './choose/choose.ts';
import type { Difference } from './choose/differential.ts';
import type { Diagnosis, RepairResult } from './investigate.ts';
import { countPassingRuns } from './localise/localise.ts';

/** The edit of a choice as the outcome holds it, cut to its limits. */
export function buildEdit(
  { candidate, symbol = '' }: Pick<Choice, 'candidate' | 'symbol'>,
  textOf: ReadonlyMap<string, string>,
): NonNullable<Repair['edit']> {
  const text = textOf.get(candidate.path) ?? '';
  const edit = findLineEdit(text, candidate.edits);
  const { template, path } = candidate;
  const before =
    edit === undefined
      ? ''
      : text
          .split('\n')
          .slice(edit.startLine - 1, edit.endLine)
          .join('\n');
  return {
    template: template.id,
    kind: candidate.kind ?? template.title,
    source: template.source,
    path,
    symbol,
    line: edit?.startLine ?? candidate.line,
    before: before.slice(0, 400),
    after: (edit?.content ?? '').slice(0, 400),
  };
}

/** Number of edits tried before the chosen one that needs no failing case as evidence; each case doubles it. */
const fewTried = 40;
/** Passing cases that change nothing of that; with twice as many, an edit may be found twice as late. */
const usualPassing = 15;

/** The rank up to which an edit hardly passes by chance. */
function latestSure(failing: number, passing: number): number {
  return fewTried * 2 ** failing * Math.max(1, passing / usualPassing);
}

/** Other edits that pass, in number and as a share of those tried, from which a single failing case decides too little. */
const manyOthers = 10;
const manyShare = 0.05;

/** Number of small changes that must behave differently and pass until that is worth a warning. */
const leastUnchecked = 3;

/** Longest example of a call that a sentence holds, in characters. */
const maxExample = 60;

/** A call and the two results, if it is short and whole. */
function describeExample(against: Difference | undefined, symbol = ''): string {
  if (against?.kind !== 'differ' || against.call.length > maxExample) return '';
  return ` For example, ${symbol || 'a call of '}${against.call}.`;
}

/** Says which cases a partial repair leaves failing; undefined for none. */
function stillFailing(left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const names = listFirst(left, id => `"${id.slice(0, 150)}"`);
  return `The patch is a partial repair: ${plural(left.length, 'test that failed before still fails', 'tests that failed before still fail')}: ${names}.`;
}

/** What a reviewer must know before trusting the patch; nothing if no edit was both chosen and checked. */
export function findWarnings(
  diagnosis: Diagnosis,
  found: RepairResult,
  at: number,
): readonly string[] {
  const chosen = found.choices[at];
  if (chosen === undefined || !found.isChecked) return [];
  const { textOf } = diagnosis;
  const others = found.choices.filter((_, i) => i !== at);
  const failing = diagnosis.failed.length;
  const passing = countDeciding(diagnosis, chosen.candidate);
  const { risk } = chosen.candidate;
  const { refused } = chosen;
  const { tried, passed, cut } = found.alternativeFixes;
  // what was not compared counts as different
  const unchecked = passed.filter(r => r.inPlace && r.against?.kind !== 'same');
  const example = unchecked.find(r => r.against?.kind === 'differ')?.against;
  const left = chosen.unread?.left ?? '';
  const written = writtenCode(buildEdit(chosen, textOf));
  const what = written ?? 'the edit';
  const tests = found.left.length === 0 ? 'all tests' : 'the tests that it repairs';
  return [
    stillFailing(found.left),
    risk === '' ? undefined : `The patch may only hide the failure: ${risk}.`,
    refused === undefined
      ? undefined
      : `The edit adds an error of the project's checks: ${refused}`,
    chosen.dropped
      ? `The edit removes the only use of "${chosen.dropped.name}" in the ${chosen.dropped.from}, so something that the code did may be missing.`
      : undefined,
    chosen.unrun === undefined
      ? undefined
      : `With the edit, no test runs line ${chosen.unrun} of ${chosen.candidate.path} any more, which the failing test ran; check that ${what} is what you want.`,
    left === ''
      ? undefined
      : `The function assigns "${left}" and does not read it, with this edit either, so something may still be missing.`,
    chosen.rank <= latestSure(failing, passing)
      ? undefined
      : `Photon tried ${plural(chosen.rank, 'other edit')} before this one, and only ${plural(failing + passing, 'test runs', 'tests run')} its lines; check that ${what} is what you want.`,
    ...undecided(chosen, others)
      .slice(0, 1)
      .map(choice => {
        const other = buildEdit(choice, textOf);
        return `Another edit is about as likely and also passes ${tests}: ${editTitle(other)} (${other.path}:${other.line}). Check that ${what} is what you want.${describeExample(choice.against, choice.symbol)}`;
      }),
    failing > 1 || others.length < Math.max(manyOthers, manyShare * found.tried)
      ? undefined
      : `Only one failing test decides, and ${others.length} of ${found.tried} other edits pass it, too; check that ${what} is what you want.`,
    at > 0 || unchecked.length < leastUnchecked
      ? undefined
      : `${plural(unchecked.length, 'other small change')} to this line also pass ${tests}; check that ${what} is what you want.${describeExample(example, chosen.symbol)}`,
    at === 0
      ? undefined
      : 'An edit with a better rank passed in the search, but failed on a clean copy.',
    at === 0 && cut === true && passed.length === tried
      ? `The time was up before Photon could see whether the tests check ${what}; check that it is what you want.`
      : undefined,
    found.cut
      ? 'The search reached its time limit. A longer search may find another edit.'
      : undefined,
  ].filter(item => item !== undefined);
}

/** Number of passing cases that an edit could fail: those that run its lines, or all if that is not known. */
function countDeciding({ adapter, passed, textOf }: Diagnosis, { path, edits }: Candidate): number {
  const text = textOf.get(path) ?? '';
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const start = Math.min(...edits.map(e => lineAt(e.start)));
  const end = Math.max(...edits.map(e => lineAt(e.end)));
  const { coverage, base } = adapter;
  return countPassingRuns({ cases: base, coverage }, { path, start, end }) ?? passed;
}
