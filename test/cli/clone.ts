/** The command line in a clone of the sample repository. */
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
export async function photon(args: string[], env: Record<string, string> = {}) {
  const { code, out, err } = await startPhoton({
    args,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: folder, ...env },
  });
  return { code, stdout: out, stderr: err };
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

/** A clone for each test of the calling file, or one for all of them. */
export function useClone(of: 'test' | 'file' = 'test'): void {
  const [before, after] = of === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => {
    folder = makeFolder();
    repo = join(folder, 'repo');
    cloneOf(sampleFiles, repo);
  });
  after(async () => {
    await closeModel();
    discard(folder);
  });
}
