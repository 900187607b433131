/** The command line in a clone of the sample repository. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { cloneOf } from '../doubles/git-store.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask, withSampleTest } from '../doubles/sample.ts';
import { discard, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';

/** The folder that holds the clone, and the clone. */
export let folder: string;
export let repo: string;

/** The model that the runs of the test ask; undefined before one is started. */
export let model: ModelDouble | undefined;

/** Starts the model that replies with a script. */
export async function openModel(script: Script): Promise<ModelDouble> {
  model = await startModel(script);
  return model;
}

export async function closeModel(): Promise<void> {
  await model?.close();
  model = undefined;
}

/** Runs the command line to its end without blocking the doubles. */
export async function photon(args: string[], env: Record<string, string> = {}, cwd = folder) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd, env: { ...base, ...env } });
}

export const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]).toString();

export const read = (path: string) => readFileSync(join(repo, path), 'utf8');

/** A run of the sample task that a person starts. */
export function work(script: Script, ...flags: string[]) {
  const tested = flags.includes('--test-command') ? [] : withSampleTest;
  return workIn(folder, script, ['--repo', repo, ...tested, ...flags]);
}

/** The same in another folder; `sent` is what the model received. */
export async function workIn(cwd: string, script: Script, flags: string[]) {
  const started = await openModel(script);
  const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: started.url, PHOTON_MODEL: 'double' };
  const run = await photon(['run', '--task', sampleTask, ...flags], env, cwd);
  await closeModel();
  const sent = JSON.stringify(started.requests.map(r => r.body));
  return { ...run, requests: started.requests.length, sent };
}

/** The environment of a run whose model repairs the sample. */
export async function scripted() {
  // the objects of the clone live in the clone itself
  const { url } = await openModel(repairScript);
  return { PHOTON_API_KEY: 'key-of-the-test', PHOTON_BASE_URL: url, PHOTON_MODEL: 'double' };
}

/** A run of the sample task, whose files the folder `out` keeps. */
export async function runSample() {
  const task = ['--repo', repo, '--task', sampleTask, ...withSampleTest];
  return photon(['run', ...task, '--out', join(folder, 'out')], await scripted());
}

export function clone(): void {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
}

/** A clone for each test of the calling file, or one for all of them. */
export function useClone(of: 'test' | 'file' = 'test'): void {
  const [before, after] = of === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(clone);
  after(async () => {
    await closeModel();
    discard(folder);
  });
}
