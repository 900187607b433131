/** `npm run demo`: runs the built Action on a new sample repository, with GitHub and the model on this machine. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { findPrograms } from '../src/process/programs.ts';
import { examineMachine } from '../src/sandbox/probe/doctor.ts';
import { startGitHub } from './doubles/github.ts';
import type { PullState } from './doubles/github-routes.ts';
import { type ActionRun, makeFolder, root, runActionIn } from './harness.ts';

const fixture = join(root, 'test', 'fixtures', 'demo');
const task = 'A test fails. Repair the code under test so that all tests pass.';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** A line of the Action's log as a person reads it: its commands to the runner are headings, or undefined. */
export function withoutCommand(line: string): string | undefined {
  const shown = line.replace(/^::group::/, '').replace(/^::(error|warning|notice)\b.*?::/, '$1: ');
  return shown.startsWith('::') ? undefined : shown;
}

/** Passes whole lines on. */
function lineByLine(take: (line: string) => void): (text: string) => void {
  let rest = '';
  return text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

function sayLine(line: string): void {
  const shown = withoutCommand(line);
  if (shown !== undefined) say(shown);
}

/** What a demonstration leaves: the run and, if there is one, its pull request. */
export interface Demonstration {
  readonly run: ActionRun;
  readonly pull: PullState | undefined;
  /** Whether the pull request is open and every request was one that GitHub knows. */
  readonly isComplete: boolean;
}

/** Runs the demonstration; returns the exit status, 0 if the pull request is open. */
export async function runDemo(): Promise<number> {
  return (await playDemo(say)).isComplete ? 0 : 1;
}

/** Runs the built Action on a new sample repository and passes each line of the report to `print`. */
export async function playDemo(print: (text: string) => void): Promise<Demonstration> {
  const { PHOTON_BASE_URL: baseUrl, PHOTON_API_KEY: apiKey, PHOTON_MODEL: model } = process.env;
  const real = Boolean(baseUrl && apiKey && model);
  const github = await startGitHub({ seed: readFixture() });
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    mkdirSync(join(folder, 'runner'));
    print(
      "Photon made a sample repository with one failing test. A local server plays GitHub's API over a real git repository.",
    );
    print(
      real
        ? `The model is ${model}.`
        : 'No model is used: the embedded engine (model: builtin) looks for the repair. To use a model, set PHOTON_BASE_URL, PHOTON_API_KEY and PHOTON_MODEL.',
    );
    const { sandbox, limit } = await chooseSandbox(workspace);
    if (limit !== '') print(limit);
    print(`Task: ${task}\n`);
    const inputs = {
      task,
      sandbox,
      'base-url': real ? (baseUrl ?? '') : '',
      'api-key': real ? (apiKey ?? '') : '',
      model: real ? (model ?? '') : '',
    };
    const echo = print === say ? { echo: lineByLine(sayLine) } : {};
    const run = await runActionIn(folder, { github, modelUrl: '', workspace, inputs, ...echo });
    const [pull] = github.state.pulls.values();
    print(`\nThe verified diff:\n\n${run.patch}`);
    if (pull !== undefined) {
      print(
        `The pull request: #${pull.number} "${pull.title}", from ${pull.head} into ${pull.base}, ${run.outputs['pull-request-url']}`,
      );
      print(
        `Commit ${run.outputs.commit} on ${run.outcome.base.commit.slice(0, 12)}. Its tree is the base plus exactly the patch.\n`,
      );
    }
    print(`Result:  ${run.outcome.status} (${run.outcome.code})`);
    for (const name of ['outcome-path', 'patch-path', 'report-path']) {
      const path = run.outputs[name] ?? '';
      print(
        `${name.replace('-path', '').padEnd(8)} ${path}${existsSync(path) ? '' : ' (missing)'}`,
      );
    }
    const isComplete =
      run.outcome.status === 'committed' && pull !== undefined && github.violations.length === 0;
    return { run, pull, isComplete };
  } finally {
    await github.close();
  }
}

/** The sandbox of this machine if it gives every guarantee, or else none, and a line that says what nothing gives here. */
async function chooseSandbox(workspacePath: string) {
  const { env } = process;
  const programs = findPrograms(env.PATH ?? '', [workspacePath]);
  const { guarantees } = await examineMachine({ env, programs, workspacePath, hosts: undefined });
  const missing = guarantees.filter(g => !g.holds).map(g => g.name);
  if (missing.length === 0) return { sandbox: 'required', limit: '' };
  const limit = `This machine cannot guarantee ${missing.join(', ')} (photon doctor says why), so the sample's own test runs without a sandbox (sandbox: none), and the pull request is a draft.`;
  return { sandbox: 'none', limit };
}

/** Files of the sample repository, by path. */
function readFixture(): Record<string, string> {
  const paths = readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter(e => e.isFile())
    .map(e => relative(fixture, join(e.parentPath, e.name)).replaceAll(sep, '/'));
  return Object.fromEntries(paths.map(p => [p, readFileSync(join(fixture, p), 'utf8')]));
}
