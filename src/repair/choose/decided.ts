/** Judges whether the tests decide for an edit. Pure. */
import { plural } from '../../base/plural.ts';
import type { Candidate } from '../candidates/candidates.ts';
import type { AlternativeFixes } from './alternative-fixes.ts';
import type { Choice } from './choose.ts';

/** Number of edits as likely as a passing one up to which one failing case may decide for it. */
const manyAlike = 1_550;
/** How many times more there may be if no other edit passes. */
const aloneFactor = 4;
/** Number of times that the rivals together may be likelier. */
const likelierRivals = 3;

/** Why a single failing case does not decide for the best edit; undefined if it does. */
export type FindUndecided = (best: Choice, rivals: readonly Choice[]) => string | undefined;

/**
 * Opens the judgement for the candidates of a search. Edits of one kind in one place share its likelihood: a check for
 * `null` has it alone, and one of forty names a fortieth (minimum description length: Rissanen 1978). The best edit needs a
 * quarter of the likelihood of all that pass, and is not one of more
 * than 1,550; of four times as many if no other edit passes. Several edits together are no candidates, and not judged.
 */
export function openUndecided(candidates: readonly Candidate[]): FindUndecided {
  const shares = new Map(
    [...Map.groupBy(candidates, describePlace).values()].flatMap(group =>
      group.map(candidate => [candidate, candidate.score / group.length] as const),
    ),
  );
  const sum = (some: Iterable<Candidate>) =>
    Iterator.from(some).reduce((all, candidate) => all + (shares.get(candidate) ?? 0), 0);
  const all = sum(candidates);
  return ({ candidate }, rivals) => {
    const own = shares.get(candidate);
    if (own === undefined) return undefined;
    if (sum(rivals.map(r => r.candidate)) > likelierRivals * own)
      return `a single failing test decides, and ${plural(rivals.length, 'other edit passes', 'other edits pass')} as well`;
    return all > manyAlike * (rivals.length === 0 ? aloneFactor : 1) * own
      ? `a single failing test decides among about ${Math.round(all / own)} edits that are as likely`
      : undefined;
  };
}

/** The kind of an edit, and the text that it replaces. */
function describePlace({ template, path, edits }: Candidate): string {
  return `${template.id} ${edits[0]?.start} ${edits.at(-1)?.end} ${path}`;
}

/** Why no test decides an edit: it can be changed at will, or one failing test is all there is. */
export function findNoControl(
  { tried, passed, cut }: AlternativeFixes,
  isOne: boolean,
): string | undefined {
  if (cut || passed.length < tried) return undefined;
  if (tried > 0) return 'no small change of its lines fails a test, so the tests do not check it';
  return isOne
    ? 'a single failing test decides, and no small change of it could be tried'
    : undefined;
}
