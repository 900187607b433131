/** `npm run demo`: the built Action on a fresh sample repository, GitHub and model on this machine. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startGitHub } from './doubles/github.ts';
import { makeFolder, root, runActionIn } from './harness.ts';

const fixture = join(root, 'test', 'fixtures', 'demo');
const task = 'A test fails. Repair the code under test so that all tests pass.';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Runs the demonstration; 0 when the pull request is there. */
export async function runDemo(): Promise<number> {
  const { PHOTON_BASE_URL: baseUrl, PHOTON_API_KEY: apiKey, PHOTON_MODEL: model } = process.env;
  const real = Boolean(baseUrl && apiKey && model);
  const github = await startGitHub({ seed: readFixture() });
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
        : 'No model is asked: the embedded engine (model: builtin) finds the repair. Set PHOTON_BASE_URL, PHOTON_API_KEY and PHOTON_MODEL to use a model.',
    );
    say(`Task: ${task}\n`);
    const inputs = {
      task,
      ...(real
        ? { 'base-url': baseUrl ?? '', 'api-key': apiKey ?? '', model: model ?? '' }
        : { 'base-url': '', 'api-key': '', model: '' }),
    };
    const run = await runActionIn(folder, {
      github,
      modelUrl: '',
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
  }
}

/** Files of the sample repository, by path. */
function readFixture(): Record<string, string> {
  const paths = readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter(e => e.isFile())
    .map(e => relative(fixture, join(e.parentPath, e.name)));
  return Object.fromEntries(paths.map(p => [p, readFileSync(join(fixture, p), 'utf8')]));
}
