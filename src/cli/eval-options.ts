/** The options of `photon eval`, checked. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { type PromptKind, parsePart, promptKinds, type TaskPart } from '../evaluation/index.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { isEvalSetting } from './command-help.ts';
import { inputOptions } from './local-run.ts';
import { settingsOption } from './settings-source.ts';

/** The settings that are options of the command, too. */
export const evalInputs = inputOptions(isEvalSetting);

const own = [
  'repo',
  'commits',
  'since',
  'tasks',
  'limit',
  'seed',
  'part',
  'prompt',
  'config',
  'against',
  'parallel',
  'max-cost',
  'timeout',
  'out',
  'html',
  settingsOption,
] as const;
const flags = ['hide-tests', 'oracle', 'fresh', 'json', 'quiet'] as const;

/** A file that the user names, and its text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** What the user wants. */
export interface EvalOptions {
  readonly values: Arguments['values'];
  readonly positionals: readonly string[];
  readonly commits: number;
  readonly since: string;
  readonly tasks: NamedText | null;
  readonly limit: number;
  readonly seed: string;
  readonly part: TaskPart;
  readonly prompt: PromptKind;
  readonly hidesTests: boolean;
  readonly oracle: boolean;
  readonly config: NamedText | null;
  readonly against: NamedText | null;
  readonly parallel: number;
  readonly maxCost: number | null;
  readonly timeoutMinutes: number | null;
  readonly fresh: boolean;
  readonly out: string | null;
  readonly html: string | null;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** @throws PhotonError `USAGE`. */
export function parseEvalOptions(args: readonly string[]): EvalOptions {
  const { values, positionals } = parseArguments(
    args,
    [...own, ...evalInputs.names],
    [...flags, ...evalInputs.flags],
  );
  const text = (name: string) => (values[name] === undefined ? null : String(values[name]));
  const path = (name: string) => {
    const given = text(name);
    return given === null ? null : resolve(given);
  };
  const whole = (name: string, otherwise: number, most: number) => {
    const given = text(name) ?? String(otherwise);
    const value = /^\d{1,6}$/.test(given) ? Number(given) : 0;
    if (value >= 1 && value <= most) return value;
    throw new PhotonError('USAGE', `--${name}: give a whole number from 1 to ${most}.`);
  };
  const prompt = promptKinds.find(kind => kind === (text('prompt') ?? 'both'));
  if (prompt === undefined)
    throw new PhotonError('USAGE', `--prompt: give one of ${promptKinds.join(', ')}.`);
  const since = text('since') ?? '';
  if (!/^[\w .:,+/-]{0,60}$/.test(since))
    throw new PhotonError('USAGE', '--since: give a date such as 2026-01-31 or "6 months ago".');
  return {
    values,
    positionals,
    commits: whole('commits', 200, 100_000),
    since,
    tasks: fileOf('tasks', path('tasks')),
    limit: whole('limit', 20, 20_000),
    seed: (text('seed') ?? '1').slice(0, 100),
    part: parsePart(text('part') ?? '1/1'),
    prompt,
    hidesTests: values['hide-tests'] === true || (values['hide-tests'] !== false && isSet('tasks')),
    oracle: values.oracle === true,
    config: fileOf('config', path('config')),
    against: fileOf('against', path('against')),
    parallel: whole('parallel', 1, 64),
    maxCost: amountOf(text('max-cost')),
    timeoutMinutes: text('timeout') === null ? null : whole('timeout', 1, 10_000),
    fresh: values.fresh === true,
    out: path('out'),
    html: path('html'),
    json: values.json === true,
    quiet: values.quiet === true,
  };

  function isSet(name: string): boolean {
    return values[name] !== undefined;
  }
}

/** @throws PhotonError `USAGE` if there is no such file. */
function fileOf(option: string, path: string | null): NamedText | null {
  if (path === null) return null;
  const text = readNamedFile(path);
  if (text === null) throw new PhotonError('USAGE', `--${option}: there is no file ${path}.`);
  return { name: path, text };
}

function amountOf(text: string | null): number | null {
  if (text === null) return null;
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount > 0) return amount;
  throw new PhotonError('USAGE', '--max-cost: give an amount of money, such as 5 or 0.50.');
}
