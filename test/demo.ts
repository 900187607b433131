/** `npm run demo`: the built Action on a fresh sample repository, GitHub and model on this machine. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGitHub } from './doubles/github.ts';
import { startModel } from './doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from './doubles/sample.ts';
import { makeFolder, runActionIn } from './harness.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Runs the demonstration; 0 when the pull request is there. */
export async function runDemo(): Promise<number> {
  const { PHOTON_BASE_URL: baseUrl, PHOTON_API_KEY: apiKey, PHOTON_MODEL: model } = process.env;
  const real = Boolean(baseUrl && apiKey && model);
  const github = await startGitHub({ seed: sampleFiles });
  const script = real ? null : await startModel(repairScript);
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    mkdirSync(join(folder, 'runner'));
    say(
      "A sample repository with one failing test was made; GitHub's API is played by a local server over a real git repository.",
    );
    say(
      real
        ? `The model is ${model}.`
        : "The model's part is a scripted conversation: set PHOTON_BASE_URL, PHOTON_API_KEY and PHOTON_MODEL to use a real model.",
    );
    say(`Task: ${sampleTask}\n`);
    const inputs = {
      task: sampleTask,
      ...(real ? { 'base-url': baseUrl ?? '', 'api-key': apiKey ?? '', model: model ?? '' } : {}),
    };
    const run = await runActionIn(folder, {
      github,
      modelUrl: script?.url ?? '',
      workspace,
      inputs,
      echo: true,
    });
    const [pull] = github.state.pulls.values();
    say(`\nThe verified diff:\n\n${run.patch}`);
    if (pull !== undefined) {
      say(
        `The pull request: #${pull.number} "${pull.title}", ${pull.head} into ${pull.base}, ${run.outputs['pull-request-url']}`,
      );
      say(
        `Commit ${run.outputs.commit} on ${run.outcome.base.commit.slice(0, 12)}; its tree is the base plus exactly the patch.\n`,
      );
    }
    say(`Ending:  ${run.outcome.status} (${run.outcome.code})`);
    for (const name of ['outcome-path', 'ledger-path', 'patch-path']) {
      const path = run.outputs[name] ?? '';
      say(`${name.replace('-path', '').padEnd(8)} ${path}${existsSync(path) ? '' : ' (missing)'}`);
    }
    return run.outcome.status === 'committed' &&
      pull !== undefined &&
      github.violations.length === 0
      ? 0
      : 1;
  } finally {
    await github.close();
    await script?.close();
  }
}
