/** Renders how a run ended, for the terminal. */
import { basename, isAbsolute, relative, sep } from 'node:path';
import { askedText, editTitle, runTitle } from '../../base/edit-title.ts';
import { describeIdleHunks, formatLines } from '../../base/findings.ts';
import {
  hasPatch,
  isFailure,
  type Outcome,
  type Repair,
  showOutput,
  type VerificationRun,
} from '../../base/outcome.ts';
import { joinDefined, listFirst, plural, seconds, sum } from '../../base/plural.ts';
import { readTimeline, type TimelineEntry } from '../../ledger/timeline.ts';
import type { UnsavedWork } from '../../workspace/commits/unsaved.ts';
import { agentsWords, failingRun, failsAsBefore, leftText } from '../pull-request/sections.ts';

export interface RunLocation {
  /** Files that exist, all in one folder. */
  readonly files: readonly string[];
  /** Name of the run for `photon apply` and `photon show`; empty if the checkout does not keep it. */
  readonly name: string;
  /** The folder that the user works in, and the top folder of the repository. */
  readonly from: string;
  readonly top: string;
  /** True for the command that the last of the next steps names. */
  readonly isShow?: boolean;
}

/** How it ended, the evidence, what to do next, and the files. */
export function renderRun(outcome: Outcome, place: RunLocation): string {
  const { status, message, statement, choices = [], hint, notes, verification } = outcome;
  const { reason } = verification ?? {};
  return joinDefined([
    `${chooseMark(outcome)} ${status} (${outcome.code}): ${message}`,
    isFailure(status) && reason !== undefined && `  ${reason}`,
    statement !== undefined &&
      agentsWords(outcome, [statement, ...choices.map(c => `  - ${c}`)].join('\n')),
    ...failingOutput(outcome),
    outcome.left !== undefined && `  ${leftText(outcome.left)}`,
    hasPatch(status) ? `  ${provenText(outcome)}` : undefined,
    ...foundBy(outcome),
    ...warningLines(outcome),
    ...untestedNotes(outcome),
    !hasPatch(status) && hint !== '' && `help: ${hint}`,
    ...notes.map(note => `note: ${note}`),
    ...nextSteps(outcome, place),
    ...place.files.flatMap(fileLine),
    '',
  ]);
}

const fileNames: Readonly<Record<string, string>> = {
  'patch.diff': 'patch',
  'outcome.json': 'outcome',
  'ledger.jsonl': 'ledger',
  'session.db': 'session',
  'report.html': 'report',
};

/** The place of a file that people open. */
function fileLine(path: string): readonly string[] {
  const name = fileNames[basename(path)];
  return name === undefined ? [] : [`${`${name}:`.padEnd(9)}${path}`];
}

function chooseMark({ status }: Outcome): string {
  if (isFailure(status)) return '✗';
  return status === 'abstained' || status === 'needs_clarification' ? '?' : '✓';
}

/** What the tests show, and how much was changed. */
function provenText({ verification, patch, durationMs }: Outcome): string {
  const added = patch.files.reduce((sum, f) => sum + f.added, 0);
  const removed = patch.files.reduce((sum, f) => sum + f.removed, 0);
  const size = `${plural(patch.files.length, 'file')} changed, +${added} -${removed}`;
  return [provenTests(verification), size, seconds(durationMs)].filter(Boolean).join(' · ');
}

/** What the tests show; a patch that passes only with its own tests has not passed those that were there. */
function provenTests(verification: Outcome['verification']): string {
  const after = testsText(verification?.after);
  const based = verification?.withBaseTests;
  if (based === undefined || based.passed || (verification && failsAsBefore(verification)))
    return after;
  const count = based.cases?.failed;
  const failed = count === undefined ? 'it fails' : `${count} ${count === 1 ? 'fails' : 'fail'}`;
  return `${after} with the tests of the patch; with those of the base, ${failed}`;
}

function testsText(run: VerificationRun | undefined): string {
  if (run === undefined) return 'not verified';
  if (run.cases === undefined) return `${run.command} ${run.passed ? 'passes' : 'fails'}`;
  const { passed, failed } = run.cases;
  return `${passed} of ${plural(passed + failed, 'test')} ${passed + failed === 1 ? 'passes' : 'pass'}`;
}

const maxTailLines = 15;

/** The failures and the end of the output of the tests that decided against the patch, or of the base. */
function failingOutput(outcome: Outcome): readonly string[] {
  const failing = failingRun(outcome);
  if (failing === undefined) return [];
  const lines = showOutput(failing, maxTailLines).split('\n');
  const what = failing.failedCases === undefined ? 'The output' : 'The failures';
  return [`  ${what} of ${failing.command}:`, ...lines.map(line => `  | ${line}`)];
}

/** What the embedded engine changed, and how many edits it tried. */
function foundBy({ repair, status }: Outcome): readonly string[] {
  if (repair === undefined) return [];
  // an abstention says in its own words what was found
  if (repair.edit === undefined) return status === 'abstained' ? [] : describeProgress(repair);
  const { path, line } = repair.edit;
  return [
    `  repair: ${editTitle(repair.edit)} (${path}:${line})`,
    `  ${plural(repair.tried, 'edit')} tried; no other one passes all tests`,
  ];
}

/** What the embedded engine knew when the run ended in its search. */
function describeProgress({ suspects, failures = [] }: Repair): readonly string[] {
  const lines = suspects.slice(0, 3).map(s => `${s.path}:${s.line}`);
  const near = lines.length === 0 ? [] : [`  the fault is probably near ${lines.join(', ')}`];
  return [...near, ...failures.slice(0, 3).map(({ test, shown }) => `  ${test}: ${shown}`)];
}

/** What a reviewer must know about the patch, a line for each. */
export function warningLines({ repair, verification }: Outcome): readonly string[] {
  const all = [repair?.edit ? repair.warnings : [], verification?.warnings ?? []].flat();
  return [...new Set(all)].map(warning => `warning: ${warning}`);
}

/** What the tests do not show of a verified patch: changed lines that none runs, and changes that none needs. */
function untestedNotes({ status, verification }: Outcome): readonly string[] {
  const proof = verification?.proof;
  if (proof === undefined || !hasPatch(status)) return [];
  const { counts, hunks, lines } = proof;
  const unrun = lines.filter(l => l.shows === 'unexecuted');
  const total = sum(Object.values(counts));
  return [
    counts.unexecuted > 0 &&
      `note: no test runs ${counts.unexecuted} of ${plural(total, 'changed line')} of code (${listFirst(unrun, formatLines)})`,
    describeIdleHunks(hunks)?.replace('The', 'note: the'),
  ].filter(note => note !== false && note !== undefined);
}

/** The commands that go on from here. Each works in the folder that the user works in. */
function nextSteps({ status }: Outcome, { name, files, from, top, isShow = false }: RunLocation) {
  const repo = repoArgument(from, top);
  const look = name === '' || isShow ? [] : [`Look at it: photon show ${name}${repo}`];
  const patch = files.find(f => basename(f) === 'patch.diff');
  if (isFailure(status) && patch !== undefined && name !== '')
    return [`Go on from its patch: photon run --continue ${name}${repo}`, ...look];
  if (!hasPatch(status) || patch === undefined) return look;
  if (status === 'applied') return [`Take it back: photon undo${repo}`, ...look];
  // below the top, git apply leaves out in silence what lies elsewhere
  const git =
    from === top
      ? `git apply ${shellWord(relative(from, patch).startsWith('..') ? patch : relative(from, patch))}`
      : `git -C ${shellWord(top)} apply ${shellWord(patch)}`;
  return [`Apply it:   ${name === '' ? git : `photon apply ${name}${repo}, or ${git}`}`, ...look];
}

/** The option that names a repository, with a space before it; empty in the repository itself. */
export function repoArgument(from: string, top: string): string {
  const inside = relative(top, from);
  const isOutside = inside.split(sep)[0] === '..' || isAbsolute(inside);
  return isOutside ? ` --repo ${shellWord(top)}` : '';
}

/** A path as a word of a shell. */
function shellWord(path: string): string {
  return /^[\w./:-]+$/.test(path) ? path : JSON.stringify(path).replace(/[$`]/g, '\\$&');
}

/** A checkout, and what in it the run does not see. */
interface StartState extends Omit<UnsavedWork, 'top' | 'untracked'> {
  readonly folder: string;
}

/** One line on the start, and a note on unsaved changes. The run itself names the untracked paths that it hides. */
export function renderStart({ folder, branch, commit, changed }: StartState): string {
  const at = branch === '' ? commit.slice(0, 7) : `${branch} at ${commit.slice(0, 7)}`;
  const differ = changed.length === 1 ? 'differs' : 'differ';
  return joinDefined([
    `photon run · ${folder} · ${at}`,
    changed.length > 0 &&
      `note: ${plural(changed.length, 'file')} ${differ} from the commit: ${listFirst(changed, String, { most: maxNamed })}. The run does not see these changes.`,
    '',
  ]);
}

const maxNamed = 5;

/** Calls that the account names. */
const maxCalls = 200;

/** What was asked, how it ended, what the tests showed, and each call with the decision about it. */
export function runAccount(outcome: Outcome, ledger: string): string {
  const { status, code, message, verification, repair, patch, delivered } = outcome;
  const { rounds, marks } = readTimeline(ledger, Date.parse(outcome.startedAt));
  const refused = marks.filter(mark => mark.decision !== 'pass');
  const calls = [...refused, ...rounds.flatMap(round => [round, ...round.calls])];
  calls.sort((a, b) => a.seq - b.seq);
  const left = calls.length - maxCalls;
  const title = runTitle(outcome);
  return joinDefined([
    `asked: ${askedText(outcome, 500) || outcome.task.id}`,
    `ended: ${status} (${code}) after ${seconds(outcome.durationMs)}. ${message}`,
    title === message ? undefined : `changed: ${title}`,
    patch.files.length > 0 && `files: ${patch.files.map(f => f.path).join(', ')}`,
    verification === null ? undefined : `tests: ${provenTests(verification)}`,
    ...(repair?.warnings ?? []).map(warning => `warning: ${warning}`),
    ...untestedNotes(outcome),
    delivered.pullRequestUrl !== undefined && `delivered: ${delivered.pullRequestUrl}`,
    'decisions, by entry of the ledger:',
    ...calls.slice(0, maxCalls).map(describeCall),
    left > 0 ? `  The ledger has ${plural(left, 'more call')}.` : undefined,
    '',
  ]);
}

function describeCall({ seq, tool, decision, code, section, paths, evidence }: TimelineEntry) {
  const why = [code ?? '', section === '' ? '' : `section ${section}`, evidence.slice(0, 300)];
  const about = paths.slice(0, 3).join(', ');
  const end =
    decision === 'pass' ? (code ?? decision) : `${decision} ${why.filter(Boolean).join(': ')}`;
  return `  ${seq} ${tool}${about === '' ? '' : ` ${about}`}: ${end}`;
}
