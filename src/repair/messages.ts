/** The texts of the embedded engine: thoughts of its turns, reasons to give up, facts for the report. Pure. */
import { codeSpan, editTitle } from '../base/edit-title.ts';
import type { Repair, RepairEdit } from '../base/outcome.ts';
import { countFailing, listFirst, oneLine, plural } from '../base/plural.ts';
import { findLineEdit } from './candidates/edit.ts';
import type { Choice } from './choose.ts';
import type { Diagnosis, RepairResult } from './investigate.ts';
import { hasCode, type Suspect } from './localise/localise.ts';
import { comparedIn } from './runners/read-cases.ts';
import type { CaseResult } from './runners/test-runner.ts';

/** How to get a model: in a job by inputs, at a terminal by variables. */
const setModel = 'set `model` and `api-key`, or at a terminal `PHOTON_MODEL` and `PHOTON_API_KEY`';

/** The tasks that the engine accepts, for a task that it refuses. */
export const supportedTasks = `The embedded engine only repairs failing tests. For other tasks, ${setModel}.`;

/** The reason for a task that blames the test, or wants the code to stay. */
export const codeStays = `The task wants the code to stay as it is, or says that the test is wrong. The embedded engine edits the code under test and no test, so it changed nothing. Correct the test yourself. For a model that can do it, ${setModel}.`;

/** What a reviewer must know about each patch of the engine; its pull request is a draft. */
export const foundBySearch =
  'This edit was found by search, not by understanding: it is the only small edit tried with which all tests pass. Check that it is what you want.';

/** The suspects whose line has code: coverage counts the comments of a function that ran. A line whose text is unknown stays. */
function suspectsWithCode({ suspects, textOf }: Diagnosis): readonly Suspect[] {
  return suspects.filter(({ path, line }) => {
    const text = textOf.get(path)?.split('\n')[line - 1] ?? '';
    return text === '' || hasCode(text);
  });
}

/** Why a task is refused although tests fail, and what to request instead. At most 1000 characters. */
export function explainOtherTask({ failed, passed }: Diagnosis): string {
  const names = listFirst(failed, c => `"${c.id.slice(0, 150)}"`);
  return `${supportedTasks} In this repository, ${countFailing(failed.length, passed)}: ${names}. Name one of them in the task, or write "repair the failing tests".`;
}

const formatPlace = ({ path, line }: Pick<Suspect, 'path' | 'line'>) => `${path}:${line}`;

/** The first thought: the failing tests, and the most suspicious lines. */
export function describePlan(diagnosis: Diagnosis): string {
  const { failed, passed } = diagnosis;
  const suspects = suspectsWithCode(diagnosis);
  const names = failed.slice(0, 3).map(c => `"${c.id.slice(0, 120)}"`);
  return [
    `${countFailing(failed.length, passed)}${failed.length > names.length ? ', among them' : ':'} ${names.join(', ')}.`,
    `The lines that mostly failing tests run are ${suspects.slice(0, 5).map(formatPlace).join(', ')}.`,
    'I look for one small edit of the code under test that makes them pass. I do not change tests.',
  ].join(' ');
}

/** Why there is no patch, and the likely places of the fault. At most 1000 characters. */
export function explainNothingFound(diagnosis: Diagnosis, found: RepairResult | undefined): string {
  const { failed, passed } = diagnosis;
  const suspects = suspectsWithCode(diagnosis);
  const lines =
    suspects.length === 0
      ? ''
      : ` The fault is probably near ${suspects.slice(0, 8).map(formatPlace).join(', ')}.`;
  const [first] = failed;
  const shown =
    first === undefined
      ? ''
      : ` First failure: ${first.id.slice(0, 150)}: ${(first.message ?? '').replace(/\s+/g, ' ').slice(0, 150)}.`;
  const tried = describeTried(found, diagnosis.textOf);
  return `${countFailing(failed.length, passed)}. ${tried}.${lines}${shown}`.slice(0, 1000);
}

function describeTried(found: RepairResult | undefined, textOf: Diagnosis['textOf']): string {
  if (found === undefined) return 'No line of the code under test is related to the failures';
  const tried = `Photon tried ${plural(found.tried, 'small edit')}${found.cut ? ' until its time was up' : ''}`;
  const { choices } = found;
  if (choices.length === 0) return `${tried}, and none passes all tests`;
  const named = listFirst(choices, choice => showEdit(choice, textOf), { between: '; ' });
  return `${tried}, and ${choices.length} of different meaning pass all tests, so the tests do not say which one is right: ${named}. A test that fails with all but one of them decides`;
}

/** The new line of an edit: two edits of one line can have one title. */
const showEdit = (choice: Choice, textOf: Diagnosis['textOf']) => {
  const edit = buildEdit(choice, textOf);
  const line = oneLine(edit.after, 120);
  return `${line === '' ? editTitle(edit) : codeSpan(line)} (${formatPlace(edit)})`;
};

const nameEdit = (choice: Choice, textOf: Diagnosis['textOf']) => {
  const edit = buildEdit(choice, textOf);
  return `${editTitle(edit)} (${formatPlace(edit)})`;
};

/** The failure and the change, for the reviewer. */
export function summarise({ failed, passed, textOf }: Diagnosis, choice: Choice): string {
  const edit = buildEdit(choice, textOf);
  const first = failed[0]?.id.slice(0, 120) ?? '';
  const named =
    failed.length === 1
      ? `The test "${first}" failed`
      : `${failed.length} tests failed, the first was "${first}"`;
  const count = failed.length + passed;
  const effect = count === 1 ? 'it passes' : `all ${count} tests pass`;
  return `${named}. With this edit at ${formatPlace(edit)}, ${effect}: ${editTitle(edit).replaceAll('`', '')}.`.slice(
    0,
    600,
  );
}

/** How the search found the repair. */
export function describeFound({ textOf }: Diagnosis, found: RepairResult, choice: Choice): string {
  return `Out of ${plural(found.tried, 'edit')} that I tried, only this one passes every test: ${nameEdit(choice, textOf)}. ${describeWarnings(found).join(' ')}`;
}

/** What a reviewer must know before trusting the patch. */
function describeWarnings({ cut }: RepairResult): readonly string[] {
  return cut
    ? [foundBySearch, 'The search reached its time limit. A longer one may find another edit.']
    : [foundBySearch];
}

/** A search that has not begun. */
export const nothingTried: RepairResult = {
  survivors: [],
  tried: 0,
  candidates: 0,
  milliseconds: 0,
  cut: false,
  choices: [],
};

const maxShown = 5;
/** Suspicious lines that the outcome names. */
const maxSuspects = 40;

/** Facts about the search for the outcome and the report. */
export function describeRepair(diagnosis: Diagnosis, found: RepairResult): Repair {
  const { failed, textOf } = diagnosis;
  const passing = found.choices.slice(0, maxShown).map(choice => buildEdit(choice, textOf));
  const [first, ...others] = passing;
  const isAlone = others.length === 0;
  return {
    failing: failed.length,
    suspects: suspectsWithCode(diagnosis)
      .slice(0, maxSuspects)
      .map(({ path, line, score }) => ({ path, line, score: Math.round(score * 1000) / 1000 })),
    candidates: found.candidates,
    tried: found.tried,
    perSecond: Math.round(found.tried / Math.max(0.001, found.milliseconds / 1000)),
    edit: isAlone ? first : undefined,
    failures: failed.slice(0, maxShown).map(describeFailure),
    alternatives: isAlone ? [] : passing,
    warnings: isAlone && first !== undefined ? describeWarnings(found) : [],
  };
}

/** The values that a failing test compared, or its message. */
function describeFailure({ id, message = '' }: CaseResult) {
  const compared = comparedIn(message);
  const shown =
    compared === undefined
      ? message.replace(/\s+/g, ' ')
      : `got ${compared.actual.slice(0, 90)}, expected ${compared.expected.slice(0, 90)}`;
  return { test: id.slice(0, 200), shown: shown.slice(0, 200) };
}

/** The edit of a choice as the outcome holds it, cut to its limits. */
function buildEdit({ candidate, symbol }: Choice, textOf: Diagnosis['textOf']): RepairEdit {
  const { template, path } = candidate;
  const text = textOf.get(path) ?? '';
  const edit = findLineEdit(text, candidate.edits);
  const before = edit === undefined ? [] : text.split('\n').slice(edit.startLine - 1, edit.endLine);
  return {
    template: template.id,
    kind: template.title,
    source: template.source,
    path,
    symbol,
    line: edit?.startLine ?? candidate.line,
    before: before.join('\n').slice(0, 400),
    after: (edit?.content ?? '').slice(0, 400),
  };
}
