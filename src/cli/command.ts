/** What a command of the terminal is: its help, its options and its code in one value. Help, parsing and docs/terminal.md come from it. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Code, PhotonError } from '../base/codes.ts';
import { nearestNames } from '../guard/nearest-names.ts';
import { readTerminalKeys } from '../settings/find-endpoint.ts';
import { findConfigKey } from '../settings/missing-input.ts';
import { inputs as allInputs, type InputRecord } from '../settings/settings.ts';
import type { InputFacts } from '../settings/table.ts';
import { isFolder } from '../workspace/files/run-folder.ts';
import type { Terminal } from './terminal.ts';

interface ValueOption {
  readonly type: 'string';
  /** How the help names the value, such as `<dir>`. */
  readonly form: string;
  readonly about: string;
}

interface FlagOption {
  readonly type: 'boolean';
  readonly form: '';
  readonly about: string;
  /** The letter that stands for it, as in `-q`. */
  readonly short?: string;
}

/** Options by their name, in the order of the help. */
export type Options = Readonly<Record<string, ValueOption | FlagOption>>;

export const value = (form: string, about: string): ValueOption => ({
  type: 'string',
  form,
  about,
});

/** An option that takes no value. `--no-NAME` turns it off. */
export const flag = (about: string): FlagOption => ({ type: 'boolean', form: '', about });

/** Options that several commands have. */
export const shared = {
  repo: value('<dir>', 'Folder of the repository (default: .)'),
  out: value(
    '<dir>',
    'Folder for patch, outcome, ledger and session (default: a temporary folder)',
  ),
  quiet: {
    ...flag('Print no progress, and of a success only the result and its warnings'),
    short: 'q',
  },
  verbose: {
    ...flag('Print also what the model thinks, and how the embedded engine searches'),
    short: 'v',
  },
  on: value('<owner/name>', 'Repository on GitHub. It needs GITHUB_TOKEN.'),
  config: value('<file>', 'Configuration file (default: .photon/config.json)'),
  configFrom: value(
    '<commit|work-tree>',
    'Where configuration, constitution, skills and profile come from (default: commit). Not in a job',
  ),
};

/** What the user gave for each option; an option that was not given is absent. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]?: O[Name] extends FlagOption ? boolean : string;
};

export interface Arguments<O extends Options = Options> {
  readonly values: Values<O>;
  /** What follows the command and its verb. */
  readonly names: readonly string[];
  /** Inputs of a run from the options and the environment. An option takes precedence. */
  readonly inputs: InputRecord;
}

/** A term and what it means: one row of two columns. */
export type Row = readonly [term: string, meaning: string];

type Handler<O extends Options> = (
  given: Arguments<O>,
  terminal: Terminal,
) => number | Promise<number>;

/** Chooses the settings of a run that are options of a command, too; those of the Action alone are not among them. */
export type SettingFilter = (input: InputFacts, name: string) => boolean;

interface CommandFacts {
  readonly options: Options;
  readonly settings?: SettingFilter;
  readonly examples: readonly string[];
}

interface CommandSource<O extends Options> extends CommandFacts {
  readonly options: O;
  /**
   * What may follow the name of the command: an optional verb, `<argument>`, `[<argument>]`, `<argument>...` and options;
   * then its meaning, empty if the line about the command says it, and what carries it out.
   */
  readonly usage: readonly (readonly [form: string, meaning: string, run: Handler<O>])[];
  /** The verb without one. */
  readonly defaultVerb?: string;
  /** Code of the error when an argument is missing; `USAGE` without it. */
  readonly codeOfMissing?: Code;
}

export interface Command extends CommandFacts {
  readonly usage: readonly Row[];
  /**
   * Carries out a command line and returns the exit status. `name` is the command.
   * @throws PhotonError `USAGE` for arguments that it does not take, and what the command throws.
   */
  run(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
}

export function command<O extends Options>(source: CommandSource<O>): Command {
  const { options, examples } = source;
  const settings: SettingFilter | undefined =
    source.settings &&
    ((input, name) => !input.githubOnly && source.settings?.(input, name) === true);
  const usage = source.usage.map(([form, meaning]): Row => [form, meaning]);
  return {
    options,
    settings,
    examples,
    usage,
    run: async (name, args, terminal) => {
      const taken = settings === undefined ? {} : inputOptions(settings);
      const { values, positionals } = parseArguments(args, { ...taken, ...options });
      const { run, names } = chooseForm(name, source, positionals);
      const given = Object.keys(taken).filter(input => values[input] !== undefined);
      const givenInputs = Object.fromEntries(given.map(input => [input, String(values[input])]));
      const inputs = { ...environmentInputs(terminal.env), ...givenInputs };
      return run({ values: values as Values<O>, names, inputs }, terminal);
    },
  };
}

/** The options for the inputs of a run that a command takes. */
export function inputOptions(
  takes: SettingFilter,
  all: Readonly<Record<string, InputFacts>> = allInputs,
): Options {
  const taken = Object.entries(all).filter(([name, input]) => takes(input, name));
  return Object.fromEntries(
    taken.map(([name, { flag: isFlag, form, description }]) => [
      name,
      isFlag ? flag(description) : value(form, description),
    ]),
  );
}

function environmentInputs(env: Terminal['env']): InputRecord {
  return {
    'api-key': readTerminalKeys(env),
    'base-url': env.PHOTON_BASE_URL ?? '',
    model: env.PHOTON_MODEL ?? '',
  };
}

/** @throws PhotonError `USAGE`. */
export function parseArguments(args: readonly string[], options: Options) {
  const end = args.indexOf('--');
  const checked = end < 0 ? args : args.slice(0, end);
  for (const arg of checked.filter(a => /^--[^=]/.test(a))) requireKnown(arg, options);
  try {
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // Node adds advice on arguments that begin with a dash, in the same line or in others
    const [message = ''] = (error as Error).message.split(/\. To specify|\n/);
    const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
    if (option !== undefined)
      throw new PhotonError(
        'USAGE',
        `A value of ${option} that begins with a dash is written ${option}=VALUE.`,
      );
    throw new PhotonError('USAGE', `${message.replace(/\.$/, '')}.`);
  }
}

const isFlagName = (name: string, options: Options) =>
  Object.hasOwn(options, name) && options[name]?.type === 'boolean';

function requireKnown(arg: string, options: Options): void {
  const name = arg.slice(2).split('=')[0] ?? '';
  if (Object.hasOwn(options, name) || isFlagName(name.replace(/^no-/, ''), options)) return;
  const key = findConfigKey(name);
  const advice =
    key === undefined
      ? didYouMean(name, Object.keys(options), '--')
      : ` Set ${key} in the configuration.`;
  throw new PhotonError('USAGE', `There is no option --${name}.${advice}`);
}

/** The form of the command that fits. @throws PhotonError `USAGE`, or the code of a missing argument. */
function chooseForm<O extends Options>(
  name: string,
  { usage, options, defaultVerb = '', codeOfMissing = 'USAGE' }: CommandSource<O>,
  positionals: readonly string[],
) {
  const verbs = usage.map(([form]) => /^[a-z]*/.exec(form)?.[0] ?? '');
  const isVerb = verbs.some(known => known !== '');
  const verb = isVerb ? (positionals[0] ?? defaultVerb) : '';
  const names = isVerb ? positionals.slice(1) : positionals;
  const fitting = usage.filter((_, i) => verbs[i] === verb);
  const [first] = fitting;
  const shown = (first === undefined ? usage : fitting).map(([form]) => form);
  const hint = `Use ${shown.map(form => `photon ${name} ${form}`.trim()).join(', or ')}.`;
  if (first === undefined)
    throw new PhotonError(
      'USAGE',
      verb === ''
        ? 'The command is not complete.'
        : `There is no command ${JSON.stringify(verb)} here.${didYouMean(verb, verbs)}`,
      { hint },
    );
  const counts = shown.map(form => countArguments(form, options));
  const present = names.filter(given => given.trim() !== '').length;
  if (present < Math.min(...counts.map(count => count.min)))
    throw new PhotonError(codeOfMissing, `${counts[0]?.required[present]} is missing.`, { hint });
  const unexpected = names[Math.max(...counts.map(count => count.max))];
  if (unexpected !== undefined)
    throw new PhotonError('USAGE', `Unexpected argument ${JSON.stringify(unexpected)}.`, { hint });
  return { run: first[2], names };
}

/** Which arguments a form needs, and how many it takes, besides options and their values. */
function countArguments(form: string, options: Options) {
  const plain = form.replace(/--([\w-]+)( <[^>]*>)?/g, (_, name: string, behind = '') =>
    isFlagName(name, options) ? behind : '',
  );
  const found = [...plain.matchAll(/(\[?)<[^>]+>(\.{3})?/g)];
  const required = found
    .filter(([, optional]) => optional === '')
    .map(([argument]) => argument.replace('...', ''));
  return {
    required,
    min: required.length,
    max: found.some(([, , repeated]) => repeated !== undefined)
      ? Number.POSITIVE_INFINITY
      : found.length,
  };
}

/**
 * The folder that `--repo` names; the current one without it.
 * @throws PhotonError `USAGE` if there is no such folder.
 */
export function resolveRepo({ repo = '.' }: { readonly repo?: string }): string {
  const path = resolve(repo);
  if (isFolder(path)) return path;
  throw new PhotonError('USAGE', `--repo: there is no folder ${path}.`, {
    hint: 'Name the folder of a git repository.',
  });
}

/** The folder that `--out` names; undefined without it. */
export const resolveOut = ({ out }: { readonly out?: string }) =>
  out === undefined ? undefined : resolve(out);

/** Prints data as JSON for another program. */
export function printJson(terminal: Terminal, data: unknown): void {
  terminal.printData(`${JSON.stringify(data, null, 2)}\n`);
}

/** `Did you mean X?` behind a space; empty if no name is near. */
export function didYouMean(given: string, names: readonly string[], lead = ''): string {
  const [near] = nearestNames(given, names, 1);
  return near === undefined ? '' : ` Did you mean ${lead}${near}?`;
}
