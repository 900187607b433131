/** `photon run` at a terminal: the folders that it works in, the built command line, and what it leaves. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../src/base/outcome.ts';
import { canary, fingerprint, profile } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { makeRepository, type RepositoryContent } from './repository.ts';

/** The environment of a process at a terminal, with a model at an address. */
export const terminalEnv = (home: string, modelUrl: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  PHOTON_API_KEY: canary,
  PHOTON_BASE_URL: modelUrl,
  PHOTON_MODEL: 'double',
});

/** The checkout of a run in a folder. */
export const checkoutIn = (folder: string) => join(folder, 'checkout');

/** Makes a new repository and a home in a folder. */
export function prepareRun(folder: string, content: RepositoryContent): void {
  for (const name of ['home', 'out']) mkdirSync(join(folder, name));
  makeRepository(checkoutIn(folder), content);
}

export interface TerminalEnd {
  readonly outcome: Outcome;
  readonly log: string;
  /** The patch; empty without one. */
  readonly diff: string;
  readonly ledgerText: string;
  /** False if the checkout is not as it was. */
  readonly isUntouched: boolean;
}

/** Runs `photon run` in the prepared folder to its end. @throws Error if it prints no outcome. */
export async function runIn(
  folder: string,
  options: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<TerminalEnd> {
  const [checkout, out] = [checkoutIn(folder), join(folder, 'out')];
  const before = fingerprint(checkout);
  const given = Object.entries({ 'agent-profile': profile, ...options });
  const said = await startPhoton({
    args: [
      ...['run', '--repo', checkout, '--out', out, '--json', '--verbose'],
      ...given.map(([name, value]) => `--${name}=${value}`),
    ],
    cwd: checkout,
    env,
  });
  if (said.out === '') throw new Error(`no outcome: ${said.err}`);
  const isKept = (name: string) => existsSync(join(out, name, 'outcome.json'));
  const read = (file: string) =>
    readFileSync(join(out, readdirSync(out).find(isKept) ?? '', file), 'utf8');
  return {
    outcome: JSON.parse(said.out) as Outcome,
    log: said.err,
    diff: read('patch.diff'),
    ledgerText: read('ledger.jsonl'),
    isUntouched: fingerprint(checkout) === before,
  };
}
