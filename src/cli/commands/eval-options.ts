/** The options of `photon eval`, checked. */
import { resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { parsePart, promptKinds } from '../../evaluation/index.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { type Arguments, flag, type SettingFilter, shared, value } from '../command.ts';

export const evalOptions = {
  repo: shared.repo,
  commits: value('<n>', 'Look at so many commits (default: 200)'),
  since: value('<date>', 'Look at no older commits, such as 2026-01-31 or "6 months ago"'),
  tasks: value('<file>', 'Play the tasks of a file of JSON lines instead (docs/eval.md)'),
  limit: value('<n>', 'Play at most so many tasks (default: 20)'),
  seed: value('<text>', 'Choose the tasks by this text (default: 1)'),
  part: value('<n/m>', 'Take only this part of the commits or tasks, such as 2/5'),
  prompt: value('<kind>', 'What a run is told: subject, tests or both (default: both)'),
  'hide-tests': flag('Keep the tests of the commit from the run (default with --tasks)'),
  oracle: flag('Play the known fix in place of a model: what do the rules refuse?'),
  config: value('<file>', "Configuration in place of the repository's"),
  'config-from': shared.configFrom,
  against: value('<file>', 'Compare with an eval.json, or with another configuration'),
  parallel: value('<n>', 'Play so many tasks at a time (default: 1)'),
  'max-cost': value('<amount>', 'Start no run that could cost more than what is left of this'),
  timeout: value('<minutes>', 'Most minutes of one run'),
  fresh: flag('Play tasks again that were played earlier'),
  out: value('<dir>', 'Folder for eval.json and predictions.jsonl'),
  html: value('<file>', 'Write the report as one HTML file, too'),
  json: flag('Print the evaluation as JSON'),
  quiet: flag('Print no progress'),
};

/** Settings that an evaluation has options of its own for. */
const replaced: ReadonlySet<string> = new Set(['max-cost', 'timeout-minutes', 'config']);

/** The settings of a run that are options of `photon eval`, too. */
export const isEvalSetting: SettingFilter = (input, name) => !input.perTask && !replaced.has(name);

export type EvalArguments = Arguments<typeof evalOptions>;

export type EvalOptions = ReturnType<typeof readEvalOptions>;

/** A file that the user names, and its text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** @throws PhotonError `USAGE`. */
export function readEvalOptions({ values, inputs, givenInputs }: EvalArguments) {
  const prompt = promptKinds.find(kind => kind === (values.prompt ?? 'both'));
  if (prompt === undefined)
    throw new PhotonError('USAGE', `--prompt: give one of ${promptKinds.join(', ')}.`);
  const { since = '' } = values;
  if (!/^[\w .:,+/-]{0,60}$/.test(since))
    throw new PhotonError('USAGE', '--since: give a date such as 2026-01-31 or "6 months ago".');
  return {
    inputs,
    /** True if the model is named on the command line, and not by the environment alone. */
    isModelNamed: givenInputs.model !== undefined,
    commits: wholeNumber('commits', values.commits ?? '200', 100_000),
    since,
    tasks: readNamed('tasks', values.tasks),
    limit: wholeNumber('limit', values.limit ?? '20', 20_000),
    seed: (values.seed ?? '1').slice(0, 100),
    part: parsePart(values.part ?? '1/1'),
    prompt,
    hidesTests: values['hide-tests'] ?? values.tasks !== undefined,
    oracle: values.oracle ?? false,
    config: readNamed('config', values.config),
    against: readNamed('against', values.against),
    parallel: wholeNumber('parallel', values.parallel ?? '1', 64),
    maxCost: parseAmount(values['max-cost']),
    timeoutMinutes:
      values.timeout === undefined ? undefined : wholeNumber('timeout', values.timeout, 10_000),
    fresh: values.fresh ?? false,
    out: resolved(values.out),
    html: resolved(values.html),
    json: values.json ?? false,
    quiet: values.quiet ?? false,
  };
}

const resolved = (path: string | undefined) => (path === undefined ? undefined : resolve(path));

/** @throws PhotonError `USAGE`. */
function wholeNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new PhotonError('USAGE', `--${option}: give a whole number from 1 to ${most}.`);
}

/** @throws PhotonError `USAGE` if there is no such file. */
function readNamed(option: string, named: string | undefined): NamedText | undefined {
  if (named === undefined) return undefined;
  const name = resolve(named);
  const text = readNamedFile(name);
  if (text === undefined) throw new PhotonError('USAGE', `--${option}: there is no file ${name}.`);
  return { name, text };
}

/** @throws PhotonError `USAGE`. */
function parseAmount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount > 0) return amount;
  throw new PhotonError('USAGE', '--max-cost: give an amount of money, such as 5 or 0.50.');
}
