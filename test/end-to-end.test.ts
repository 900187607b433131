/** The script that a maintainer starts by hand, against the doubles of GitHub and of a model. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startGitHub } from './doubles/github.ts';
import { startModel } from './doubles/model.ts';
import { sampleFiles } from './doubles/sample.ts';
import { root } from './root.ts';
import { playsVariants } from './seed.ts';

const script = join(root, 'test', 'end-to-end.ts');

async function play(args: readonly string[], env: Record<string, string>) {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    env: { PHOTON_MUTATION_SPACING_MS: '0', ...env },
  });
  return stdout;
}

it.runIf(playsVariants)('leaves a closed pull request, and nothing else', async () => {
  const github = await startGitHub({ seed: sampleFiles });
  onTestFinished(() => github.close());
  const before = github.store.refs();
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token };
  const out = await play([github.repository], env);
  expect(out.match(/^holds {3}/gm)).toHaveLength(8);
  expect(github.store.refs()).toEqual(before);
  expect([...github.state.pulls.values()].map(({ state }) => state)).toEqual(['closed']);
  expect(github.violations).toEqual([]);
});

it('asks a model endpoint what a run needs', async () => {
  const call = (number: number) => ({ name: 'report_number', arguments: { number } });
  const model = await startModel(({ model: name, tools, messages }) => {
    if (name !== 'double') return { status: 404, error: { message: 'no such model' } };
    if (String(messages[0]?.content).includes('twice')) return { calls: [call(1), call(2)] };
    return tools ? { calls: [call(7)] } : { text: 'ready' };
  });
  onTestFinished(() => model.close());
  const env = { PHOTON_BASE_URL: model.url, PHOTON_API_KEY: 'k', PHOTON_MODEL: 'double' };
  expect((await play([], env)).match(/^holds {3}/gm)).toHaveLength(4);
});
