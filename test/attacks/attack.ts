/** An attack on a run: what the attacker does, what shows that it succeeded, and the code that the run must end with instead. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../../src/base/codes.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import { begin } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { type Played, play, type Scenario } from '../run/scenario.ts';
import { playAtTerminal, type TerminalRun, type TerminalScenario } from '../run/terminal-run.ts';

/** What an attack is played under. */
export interface Setup {
  /** `plain`: the control, without walls; an attack on a wall must work there. */
  readonly launcher: 'bubblewrap' | 'namespaces' | 'plain';
  /** A PATH on which that launcher is the best one. */
  readonly searchPath: string;
  /** An empty folder of this attack's own, removed after it. */
  readonly folder: string;
}

export interface Found {
  /** What the attacker got, as one phrase; undefined when nothing. Seen by its canary, never by a message. */
  readonly got: string | undefined;
  /** How the run, or the command of the command line, ended. */
  readonly code: Code | string;
}

export interface Attack {
  /** `group/name`, unique; it appears in `matrix.md`. */
  readonly id: string;
  /** What the attacker does: the first column of `matrix.md`. */
  readonly attack: string;
  /** What stops it: the second column. */
  readonly wall: string;
  /** The codes that the run can end with. */
  readonly codes: readonly (Code | string)[];
  /** True when the attack must succeed without walls, which shows that its canary can be reached at all. */
  readonly control?: boolean;
  /** Under which launchers it is played; default: under one of them, by the seed. A complete run plays both. */
  readonly launchers?: 'both' | 'any';
  play(setup: Setup): Promise<Found>;
}

/** What must not be refused, since people do it every day. */
export interface Benign {
  /** `group/name`, unique. */
  readonly id: string;
  /** The message of what was refused; undefined when nothing was. */
  play(setup: Setup): Promise<string | undefined>;
}

/** Plays one run of the Action whose model obeys the attacker. */
export async function throughAction(
  setup: Setup,
  scenario: Scenario,
  gotOf: (played: Played) => string | undefined,
): Promise<Found> {
  let found: Found = { got: undefined, code: '' };
  const inputs = {
    sandbox: setup.launcher === 'plain' ? 'none' : 'required',
    ...scenario.inputs,
  } as const;
  // the same object, since `arrange` may add an address to it
  const env = Object.assign(scenario.env ?? {}, {
    PATH: scenario.env?.PATH ?? setup.searchPath,
  });
  await play({ ...scenario, inputs, env }, played => {
    found = { got: gotOf(played), code: played.outcome.code };
  });
  return found;
}

/** Plays one run at a terminal, where a run can be told of many violations. */
export async function throughTerminal(
  { launcher, searchPath }: Setup,
  scenario: TerminalScenario,
  gotOf: (played: TerminalRun) => string | undefined,
): Promise<Found> {
  let found: Found = { got: undefined, code: '' };
  const sandbox = launcher === 'plain' ? 'none' : 'required';
  const inputs = { sandbox, 'max-violations': '20', ...scenario.inputs };
  await playAtTerminal({ ...scenario, inputs, env: { PATH: searchPath } }, played => {
    found = { got: gotOf(played), code: played.outcome.code };
  });
  return found;
}

/** The code of a run whose patch holds `text`: XML carries no control characters and no half of a surrogate pair. */
export const codeWith = (text: string, delivered: Code = 'COMMITTED'): Code =>
  isXml && /\p{Cs}|[^\P{Cc}\t\n\r]/u.test(text) ? 'PATCH_EMPTY' : delivered;

/** Everything that the model received in a run. */
export function modelInputOf({ model }: Pick<Played, 'model'>): string {
  return JSON.stringify(model.requests.map(r => r.body));
}

/** The text of a file, or undefined when it is not there. */
export function textOf(...path: string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8');
  } catch {
    return undefined;
  }
}

const stop: ScriptedTurn = {
  text: 'This is enough.',
  calls: [{ name: 'abstain', arguments: { reason: 'the commands were run' } }],
};

/** A model that runs these commands, one after the other, and stops. */
export const running = (...lines: readonly string[]): readonly ScriptedTurn[] => [
  begin,
  ...lines.map(command => ({
    text: 'A command is run to see what it does.',
    calls: [{ name: 'run_command', arguments: { command } }],
  })),
  stop,
];
