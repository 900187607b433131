/** One run of the built command line on a fresh repository, as a person starts it at a terminal. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import type { InputName } from '../../src/settings/settings.ts';
import type { GitFile } from '../doubles/git-store.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { makeRepository } from '../doubles/repository.ts';
import { sampleFiles, sampleTask } from '../doubles/sample.ts';
import { canary, discard, fingerprint, makeFolder, profile } from '../harness.ts';
import { startPhoton } from '../process.ts';

export interface TerminalScenario {
  readonly script: Script;
  readonly task?: string;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  readonly inputs?: Readonly<Partial<Record<InputName, string>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the checkout before the run. */
  readonly cloned?: (checkout: string) => void;
}

export interface TerminalRun {
  readonly outcome: Outcome;
  readonly log: string;
  /** The patch; empty without one. */
  readonly diff: string;
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
    const checkout = join(folder, 'checkout');
    const out = join(folder, 'out');
    for (const name of ['home', 'out']) mkdirSync(join(folder, name));
    makeRepository(checkout, { files: { ...sampleFiles, ...files } });
    cloned?.(checkout);
    const before = fingerprint(checkout);
    const given = Object.entries({ 'agent-profile': profile, task, ...inputs });
    const said = await startPhoton({
      args: [
        ...['run', '--repo', checkout, '--out', out, '--json'],
        ...given.map(([name, value]) => `--${name}=${value}`),
      ],
      cwd: checkout,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: join(folder, 'home'),
        PHOTON_API_KEY: canary,
        PHOTON_BASE_URL: model.url,
        PHOTON_MODEL: 'double',
        ...env,
      },
    });
    expect(said.out, said.err).not.toBe('');
    expect(`${said.out}${said.err}`).not.toContain(canary);
    expect(fingerprint(checkout), 'the checkout is untouched').toBe(before);
    expect(model.violations).toEqual([]);
    const [name = ''] = readdirSync(out).filter(n => existsSync(join(out, n, 'outcome.json')));
    const diff = readFileSync(join(out, name, 'patch.diff'), 'utf8');
    const outcome = JSON.parse(said.out) as Outcome;
    await check({ outcome, log: said.err, diff, model, checkout });
  } finally {
    await model.close();
    discard(folder);
  }
}
