/** What the engine says of its work: thoughts of its turns, the reason it gives up, facts for the report. Pure. */
import type { Repair } from '../outcome.ts';
import type { Choice } from './choose.ts';
import type { Diagnosis, RepairResult } from './investigate.ts';
import { lineEditOf } from './line-edits.ts';
import type { Suspect } from './localise.ts';

/** What the engine does, for a task that it does not take. */
export const whatItDoes =
  'The embedded engine repairs failing tests; other tasks need a model (`model`, `api-key`).';

/** Why a task is not taken though tests fail, and what could be asked instead. At most 1000 characters. */
export function sayOtherTask({ failed, passed }: Diagnosis): string {
  const names = failed.slice(0, 3).map(c => `"${c.id.slice(0, 150)}"`);
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : '';
  return `${whatItDoes} Here ${failed.length} of ${failed.length + passed} tests fail: ${names.join(', ')}${more}. Name one of them, or ask it to "repair the failing tests".`;
}

const where = ({ path, line, score }: Suspect) => `${path}:${line} (${score.toFixed(2)})`;

/** The first thought: what fails, and where the fault may be. */
export function sayPlan({ failed, passed, suspects }: Diagnosis): string {
  const names = failed.slice(0, 3).map(c => `"${c.id.slice(0, 120)}"`);
  return [
    `${failed.length} of ${failed.length + passed} tests fail, such as ${names.join(', ')}.`,
    `The most suspicious lines by Ochiai are ${suspects.slice(0, 5).map(where).join(', ')}.`,
    'One small edit of the code under test is to make them pass; tests stay as they are.',
  ].join(' ');
}

/** Why nothing is delivered, and where the fault likely is. At most 1000 characters. */
export function sayNothingFound(diagnosis: Diagnosis, found: RepairResult | null): string {
  return sayLearned(diagnosis, triedOf(found));
}

/** The same where no edit was tried, as the engine makes none in the language of the suspicious lines. */
export function sayNoEdits(diagnosis: Diagnosis): string {
  return sayLearned(diagnosis, 'the embedded engine makes no edits in this language');
}

function triedOf(found: RepairResult | null): string {
  return found === null
    ? 'no line of the code under test could be tied to it'
    : `${found.tried} small edits were tried and none passes all tests${found.cut ? ' before the time was up' : ''}`;
}

function sayLearned({ failed, passed, suspects }: Diagnosis, tried: string): string {
  const lines =
    suspects.length === 0
      ? ''
      : ` The fault is most likely near: ${suspects.slice(0, 8).map(where).join(', ')}.`;
  const [first] = failed;
  const shown =
    first === undefined
      ? ''
      : ` First failure: ${first.id.slice(0, 150)}: ${(first.message ?? '').replace(/\s+/g, ' ').slice(0, 150)}.`;
  return `${failed.length} of ${failed.length + passed} tests fail; ${tried}.${lines}${shown}`.slice(
    0,
    1000,
  );
}

/** What was wrong and what changed, for the reviewer; empty where no single edit says it. */
export function sumUp(diagnosis: Diagnosis, found: RepairResult, at: number): string {
  const { edit } = describeRepair(diagnosis, found, at);
  const { failed, passed } = diagnosis;
  if (edit === undefined) return '';
  const first = failed[0]?.id.slice(0, 120) ?? '';
  const named =
    failed.length === 1
      ? `The test "${first}" failed`
      : `${failed.length} tests failed, "${first}" first`;
  const place = edit.symbol
    ? `${edit.symbol} (${edit.path}:${edit.line})`
    : `${edit.path}:${edit.line}`;
  return `${named}. One edit of ${place}, ${edit.kind}, makes all ${failed.length + passed} pass.`.slice(
    0,
    600,
  );
}

/** How the repair at this place of the ranking was found. */
export function sayFound(diagnosis: Diagnosis, found: RepairResult, at: number): string {
  const repair = describeRepair(diagnosis, found, at);
  if (repair.edit === undefined) return sayNothingFound(diagnosis, found);
  const { kind, path, line } = repair.edit;
  const others =
    repair.others === 0
      ? 'No other edit passes all tests.'
      : `${repair.others} other edits pass all tests, too.`;
  const warned = repair.warnings.length === 0 ? '' : ` ${repair.warnings.join(' ')}`;
  return `Of ${repair.tried} candidates, ${kind} at ${path}:${line} passes every test. ${others}${warned}`.slice(
    0,
    1900,
  );
}

const maxShown = 5;

/** What a diagnosis without a search came to. */
export const noSearch: RepairResult = {
  survivors: [],
  choices: [],
  tried: 0,
  candidates: 0,
  milliseconds: 0,
  cut: false,
  rivals: { tried: 0, passed: [] },
};

/** Facts of the search for outcome and report; `at` is the place in the ranking that was taken. */
export function describeRepair(diagnosis: Diagnosis, found: RepairResult, at: number): Repair {
  const { failed, suspects, textOf } = diagnosis;
  const chosen = found.choices[at];
  const others = found.choices.filter((_, i) => i !== at);
  return {
    failing: failed.length,
    suspects: suspects
      .slice(0, 8)
      .map(({ path, line, score }) => ({ path, line, score: Math.round(score * 1000) / 1000 })),
    candidates: found.candidates,
    tried: found.tried,
    perSecond: Math.round(found.tried / Math.max(0.001, found.milliseconds / 1000)),
    ...(chosen === undefined ? {} : { edit: editOf(chosen, textOf) }),
    others: others.length,
    alternatives: others.slice(0, maxShown).map(c => editOf(c, textOf)),
    warnings: chosen === undefined ? [] : warningsFor({ chosen, others, found, at }),
  };
}

function editOf(
  { candidate, symbol = '' }: Choice,
  textOf: ReadonlyMap<string, string>,
): NonNullable<Repair['edit']> {
  const text = textOf.get(candidate.path) ?? '';
  const edit = lineEditOf(text, candidate.edits);
  const { template, path } = candidate;
  const before =
    edit === null
      ? ''
      : text
          .split('\n')
          .slice(edit.startLine - 1, edit.endLine)
          .join('\n');
  return {
    template: template.id,
    kind: template.title,
    source: template.source,
    path,
    symbol,
    line: edit?.startLine ?? candidate.line,
    before: before.slice(0, 400),
    after: (edit?.content ?? '').slice(0, 400),
  };
}

interface Delivered {
  readonly chosen: Choice;
  readonly others: readonly Choice[];
  readonly found: RepairResult;
  /** Place in the ranking. */
  readonly at: number;
}

/** What a reviewer has to know before believing the patch. */
function warningsFor({ chosen, others, found, at }: Delivered): readonly string[] {
  const { risk } = chosen.candidate;
  const { tried, passed } = found.rivals;
  return [
    ...(risk === '' ? [] : [`The patch may only hide the failure: ${risk}.`]),
    ...(others.length === 0
      ? []
      : [
          `The tests do not decide between this edit and ${others.length} others that pass them, too.`,
        ]),
    ...(at > 0 || passed.length === 0
      ? []
      : [
          `The tests leave open what is right in the changed lines: of ${tried} small changes of them ${passed.length} pass, too: ${[...new Set(passed)].slice(0, 3).join('; ')}.`,
        ]),
    ...(at === 0
      ? []
      : ['An edit that ranked higher passed in the search, and not on a clean copy.']),
    ...(found.cut ? ['The search was ended by its time; a longer one may find another edit.'] : []),
  ];
}
