/** The texts of the embedded engine: thoughts of its turns, reasons to give up, facts for the report. Pure. */
import { editTitle } from '../base/edit-title.ts';
import { maxRepairLeft, type Repair } from '../base/outcome.ts';
import { countFailing, listFirst, plural } from '../base/plural.ts';
import { type Diagnosis, type RepairResult, unjudged } from './investigate.ts';
import { hasCode, type Suspect } from './localise/localise.ts';
import type { CaseResult } from './runners/test-runner.ts';
import type { Breaking } from './search/search.ts';
import { buildEdit, findWarnings } from './warnings.ts';

/** How to get a model: in a job by inputs, at a terminal by variables. */
const setModel = 'set `model` and `api-key`, or at a terminal `PHOTON_MODEL` and `PHOTON_API_KEY`';

/** The tasks that the engine accepts, for a task that it refuses. */
export const supportedTasks = `The embedded engine only repairs failing tests. For other tasks, ${setModel}.`;

/** The reason for a task that blames the test, or wants the code to stay. */
export const codeStays = `The task wants the code to stay as it is, or says that the test is wrong. The embedded engine edits the code under test and no test, so it changed nothing. Correct the test yourself. For a model that can do it, ${setModel}.`;

/** The suspects whose line has code: coverage counts the comments of a function that ran. A line whose text is unknown stays. */
function suspectsWithCode({
  suspects,
  textOf,
}: Diagnosis): readonly (Suspect & { text: string })[] {
  return suspects
    .map(each => ({ ...each, text: textOf.get(each.path)?.split('\n')[each.line - 1] ?? '' }))
    .filter(({ text }) => text === '' || hasCode(text));
}

/** Why a task is refused although tests fail, and what to request instead. At most 1000 characters. */
export function explainOtherTask({ failed, passed }: Diagnosis): string {
  const names = listFirst(failed, c => `"${c.id.slice(0, 150)}"`);
  return `${supportedTasks} In this repository, ${countFailing(failed.length, passed)}: ${names}. Name one of them in the task, or write "repair the failing tests".`;
}

const formatSuspect = ({ path, line, score }: Suspect) => `${path}:${line} (${score.toFixed(2)})`;

/** The first thought: the failing tests, and the most suspicious lines. */
export function describePlan(diagnosis: Diagnosis): string {
  const { failed, passed } = diagnosis;
  const suspects = suspectsWithCode(diagnosis);
  const names = failed.slice(0, 3).map(c => `"${c.id.slice(0, 120)}"`);
  return [
    `${countFailing(failed.length, passed)}${failed.length > names.length ? ', among them' : ':'} ${names.join(', ')}.`,
    `The most suspicious lines by their Ochiai score are ${suspects.slice(0, 5).map(formatSuspect).join(', ')}.`,
    'I look for one small edit of the code under test that makes them pass. I do not change tests.',
  ].join(' ');
}

/** Why there is no patch, and the likely places of the fault. At most 1000 characters. */
export function explainNothingFound(diagnosis: Diagnosis, found: RepairResult | undefined): string {
  return describeFindings(diagnosis, describeTried(found, diagnosis.textOf));
}

function describeTried(found: RepairResult | undefined, textOf: Diagnosis['textOf']): string {
  if (found === undefined) return 'No line of the code under test is related to the failures';
  const tried = `Photon tried ${plural(found.tried, 'small edit')}${found.cut ? ' until its time was up' : ''}`;
  if (found.senseless.length > 0) return `${tried}. ${describeSenseless(found, textOf)}`;
  const partly =
    found.partly === 0
      ? ''
      : `. ${plural(found.partly, 'edit repairs', 'edits repair')} some of them; with \`verify: no-regression\`, Photon delivers such a repair if it breaks nothing`;
  return `${tried}, and none passes all tests${describeBreaking(found.breaking)}${partly}`;
}

/** Edits that repair what fails and break what passes speak for tests that cannot all be right; empty for none. */
function describeBreaking({ edits, id }: Breaking): string {
  if (edits === 0) return '';
  return `. With ${edits} of them, what fails passes and a test that passes fails, such as "${id.slice(0, 150)}": perhaps the two contradict each other, or the failing test is wrong`;
}

/** The edits that pass and make no sense; empty for none. */
function describeSenseless(
  { senseless, left }: Pick<RepairResult, 'senseless' | 'left'>,
  textOf: Diagnosis['textOf'],
): string {
  const [first] = senseless;
  if (first === undefined) return '';
  const names = listFirst(
    senseless,
    ({ candidate }) =>
      `${editTitle(buildEdit({ candidate }, textOf))} (${candidate.path}:${candidate.line})`,
  );
  const passes = left.length === 0 ? 'Passes all tests' : 'Repairs a part of what fails';
  const pass = left.length === 0 ? 'Pass all tests' : 'Repair a part of what fails';
  const verb = senseless.length === 1 ? `${passes} and is` : `${pass} and are`;
  const whose = new Set(senseless.map(s => s.why)).size === 1 ? ',' : '; the first,';
  return `${verb} refused: ${names}${whose} because ${first.why}`;
}

function describeFindings(diagnosis: Diagnosis, tried: string): string {
  const { failed, passed } = diagnosis;
  const suspects = suspectsWithCode(diagnosis);
  const lines =
    suspects.length === 0
      ? ''
      : ` The fault is probably near ${suspects.slice(0, 8).map(formatSuspect).join(', ')}.`;
  const [first] = failed;
  const shown =
    first === undefined
      ? ''
      : ` First failure: ${first.id.slice(0, 150)}: ${(first.message ?? '').replace(/\s+/g, ' ').slice(0, 150)}.`;
  return `${countFailing(failed.length, passed)}. ${tried}.${lines}${shown}`.slice(0, 1000);
}

/** The failure and the change, for the reviewer; empty without an edit. */
export function summarise(diagnosis: Diagnosis, found: RepairResult, at: number): string {
  const { edit } = describeRepair(diagnosis, found, at);
  const { failed, passed } = diagnosis;
  if (edit === undefined) return '';
  const first = failed[0]?.id.slice(0, 120) ?? '';
  const named =
    failed.length === 1
      ? `The test "${first}" failed`
      : `${failed.length} tests failed, the first was "${first}"`;
  const effect =
    found.left.length === 0
      ? allPass(failed.length + passed)
      : `${failed.length - found.left.length} of them pass and none that passed fails`;
  return `${named}. With this edit at ${edit.path}:${edit.line}, ${effect}: ${editTitle(edit).replaceAll('`', '')}.`.slice(
    0,
    600,
  );
}

const allPass = (count: number) => (count === 1 ? 'it passes' : `all ${count} tests pass`);

/** How the search found the repair with this rank. */
export function describeFound(diagnosis: Diagnosis, found: RepairResult, at: number): string {
  const repair = describeRepair(diagnosis, found, at);
  if (repair.edit === undefined) return explainNothingFound(diagnosis, found);
  const { path, line } = repair.edit;
  const isPartial = found.left.length > 0;
  const isAlone = repair.others === 0 && found.senseless.length === 0;
  const count = plural(repair.others, 'other edit also passes', 'other edits also pass');
  const others =
    isPartial || (repair.others === 0 && !isAlone)
      ? ''
      : ` ${isAlone ? 'No other edit passes' : count} all tests.`;
  const passes = isPartial ? 'repairs a part of what fails' : 'passes every test';
  const warned = repair.warnings.length === 0 ? '' : ` ${repair.warnings.join(' ')}`;
  const refused =
    found.senseless.length === 0 ? '' : ` ${describeSenseless(found, diagnosis.textOf)}.`;
  return `Out of ${repair.tried} candidates, this edit ${passes}: ${editTitle(repair.edit)} (${path}:${line}).${others}${warned}${refused}`.slice(
    0,
    1900,
  );
}

/** A search that has not begun. */
export const nothingTried: RepairResult = {
  ...unjudged,
  survivors: [],
  tried: 0,
  candidates: 0,
  milliseconds: 0,
  course: [],
  cut: false,
  breaking: { edits: 0, id: '' },
  choices: [],
};

const maxShown = 5;
/** Suspicious lines that the outcome names. */
const maxSuspects = 40;

/** Facts about the search for the outcome and the report; `at` is the rank of the chosen edit. */
export function describeRepair(diagnosis: Diagnosis, found: RepairResult, at: number): Repair {
  const { failed, textOf } = diagnosis;
  const chosen = found.choices[at];
  const others = found.choices.filter((_, i) => i !== at);
  const refused = found.senseless
    .slice(0, maxShown)
    .map(({ candidate, why }) => ({ ...buildEdit({ candidate }, textOf), why }));
  return {
    failing: failed.length,
    left: found.left.length === 0 ? undefined : found.left.slice(0, maxRepairLeft),
    suspects: suspectsWithCode(diagnosis)
      .slice(0, maxSuspects)
      .map(({ path, line, score, text }) => ({
        path,
        line,
        score: Math.round(score * 1000) / 1000,
        text: text.slice(0, 200),
      })),
    course: found.course,
    candidates: found.candidates,
    tried: found.tried,
    perSecond: Math.round(found.tried / Math.max(0.001, found.milliseconds / 1000)),
    edit: chosen === undefined || !found.isChecked ? undefined : buildEdit(chosen, textOf),
    unproven: chosen === undefined || found.isChecked ? undefined : buildEdit(chosen, textOf),
    failures: failed.slice(0, maxShown).map(describeFailure),
    others: others.length,
    alternatives: others.slice(0, maxShown).map(c => buildEdit(c, textOf)),
    refused: found.senseless.length === 0 ? undefined : refused,
    warnings: findWarnings(diagnosis, found, at),
  };
}

/** The values that a failing test compared, or its message. */
function describeFailure({ id, compared, message = '' }: CaseResult) {
  const shown =
    compared === undefined
      ? message.replace(/\s+/g, ' ')
      : `got ${compared.actual.slice(0, 90)}, expected ${compared.expected.slice(0, 90)}`;
  return { test: id.slice(0, 200), shown: shown.slice(0, 200) };
}
