/** The command line at a terminal, in a clone. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneOf } from '../doubles/git-store.ts';
import { type Script, startModel } from '../doubles/model.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  sampleFiles,
  sampleTask,
  withSampleTest,
} from '../doubles/sample.ts';
import { makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';

export let folder: string;

export let repo: string;

export function clone(): void {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
}

export const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]).toString();

export const read = (path: string) => readFileSync(join(repo, path), 'utf8');

export const repairs = [begin, look, repair, prove, done];

export async function photon(args: string[], env: Record<string, string> = {}, cwd = folder) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd, env: { ...base, ...env } });
}

export async function work(script: Script, ...flags: string[]) {
  const tested = flags.includes('--test-command') ? [] : withSampleTest;
  return workIn(folder, script, ['--repo', repo, ...tested, ...flags]);
}

/** A run of the sample task that a person starts in this folder; `sent` is what the model received. */
export async function workIn(cwd: string, script: Script, flags: string[]) {
  const model = await startModel(script);
  const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
  try {
    const args = ['run', '--task', sampleTask, ...flags];
    const run = await photon(args, env, cwd);
    const sent = JSON.stringify(model.requests.map(r => r.body));
    return { ...run, requests: model.requests.length, sent };
  } finally {
    await model.close();
  }
}
