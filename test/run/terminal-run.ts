/** One run of the built command line on a fresh repository, as a person starts it at a terminal. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { InputName } from '../../src/settings/settings.ts';
import type { GitFile } from '../doubles/git-store.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { sampleFiles, sampleTask } from '../doubles/sample.ts';
import {
  checkoutIn,
  prepareRun,
  runIn,
  type TerminalEnd,
  terminalEnv,
} from '../doubles/terminal.ts';
import { canary, discard, makeFolder } from '../harness.ts';

export interface TerminalScenario {
  readonly script: Script;
  readonly task?: string;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  readonly inputs?: Readonly<Partial<Record<InputName, string>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the checkout before the run. */
  readonly cloned?: (checkout: string) => void;
}

export interface TerminalRun extends TerminalEnd {
  readonly model: ModelDouble;
  readonly checkout: string;
}

/** Plays a scenario and hands the result to `check`. The checkout is as it was, and no key is in what the run says. */
export async function playAtTerminal(
  { script, task = sampleTask, files, inputs, env, cloned }: TerminalScenario,
  check: (run: TerminalRun) => void | Promise<void>,
): Promise<void> {
  const folder = makeFolder();
  const model = await startModel(script);
  try {
    const checkout = checkoutIn(folder);
    prepareRun(folder, { files: { ...sampleFiles, ...files } });
    cloned?.(checkout);
    const ownEnv = { ...terminalEnv(join(folder, 'home'), model.url), ...env };
    const end = await runIn(folder, { task, ...inputs }, ownEnv);
    expect(`${JSON.stringify(end.outcome)}${end.log}`).not.toContain(canary);
    expect(end.isUntouched, 'the checkout is untouched').toBe(true);
    expect(model.violations).toEqual([]);
    await check({ ...end, model, checkout });
  } finally {
    await model.close();
    discard(folder);
  }
}
