/** A run at the terminal: no event, no GitHub, the log on the standard error. */
import type { RunInput, RunLog } from '../agent/run/run-input.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import type { InputName, InputRecord } from '../settings/settings.ts';
import { readOwnConfig } from '../workspace/trusted/own-config.ts';
import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';

/** What every local run has in common; `workspace` is the repository's folder. */
export function localInput(
  terminal: Terminal,
  workspace: string,
): Omit<RunInput, 'inputs' | 'tempRoot' | 'delivery' | 'event'> {
  return {
    repository: '',
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
    log: openLog(terminal),
  };
}

function openLog(terminal: Terminal): RunLog {
  let redact = (text: string) => text;
  const write = (text: string) => terminal.tell(`${redact(text)}\n`);
  return {
    hide: how => {
      redact = how;
    },
    line: text => write(`  ${text}`),
    group: title => title !== '' && write(title),
  };
}

/** The inputs of these names by the environment, and over that by the options. */
export function readInputs(
  names: readonly InputName[],
  values: Arguments['values'],
  { env }: Terminal,
): InputRecord {
  return {
    'api-key': env.PHOTON_API_KEY ?? '',
    'base-url': env.PHOTON_BASE_URL ?? '',
    model: env.PHOTON_MODEL ?? '',
    ...Object.fromEntries(
      names.flatMap(n => (values[n] === undefined ? [] : [[n, String(values[n])]])),
    ),
  };
}
