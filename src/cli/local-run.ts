/** The input of a run at the terminal: no event and no GitHub. */

import type { RunInput } from '../hosts/host.ts';
import { localHost } from '../hosts/local/local-host.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import { deliveryText } from '../report/delivery-text.ts';
import { type InputRecord, inputs } from '../settings/settings.ts';
import type { InputFacts } from '../settings/table.ts';
import { readOwnConfig } from '../workspace/trusted/own-config.ts';
import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';

/** What all local runs have in common. `workspace` is the folder of the repository. */
export function localInput(
  terminal: Terminal,
  workspace: string,
): Omit<RunInput, 'inputs' | 'tempRoot' | 'delivery' | 'event' | 'log'> {
  return {
    host: localHost(deliveryText),
    repository: '',
    page: '',
    apiUrl: '',
    ref: '',
    sha: '',
    hosted: false,
    ownConfig: readOwnConfig(terminal.env, findTop(workspace)),
    hidePaths: [],
    mutationSpacingMs: 1000,
    actor: terminal.env.USER ?? '',
    workspace,
    root: terminal.root,
    env: terminal.env,
    programs: findPrograms(terminal.env.PATH ?? '', [findTop(workspace)]),
    now: terminal.now,
    signal: terminal.signal,
  };
}

/** The options of the terminal for the inputs of a run. */
export interface InputOptions {
  /** Options that take a value. */
  readonly names: readonly string[];
  /** Options that take none. */
  readonly flags: readonly string[];
}

/** The options for the inputs that a command takes. */
export function inputOptions(
  takes: (input: InputFacts, name: string) => boolean,
  all: Readonly<Record<string, InputFacts>> = inputs,
): InputOptions {
  const taken = Object.entries(all).filter(
    ([name, input]) => !input.githubOnly && takes(input, name),
  );
  const named = (isFlag: boolean) =>
    taken.flatMap(([name, { flag }]) => (flag === isFlag ? [name] : []));
  return { names: named(false), flags: named(true) };
}

/** Inputs from the environment and the options. An option takes precedence. */
export function readInputs(
  { names, flags }: InputOptions,
  values: Arguments['values'],
  { env }: Terminal,
): InputRecord {
  const given = [...names, ...flags].filter(name => values[name] !== undefined);
  return {
    'api-key': env.PHOTON_API_KEY ?? '',
    'base-url': env.PHOTON_BASE_URL ?? '',
    model: env.PHOTON_MODEL ?? '',
    ...Object.fromEntries(given.map(name => [name, String(values[name])])),
  };
}
