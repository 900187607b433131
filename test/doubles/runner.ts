/** GitHub's runner, as far as an action can see it: it reads `action.yml`, and starts what that names with every default. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { readOutputs } from '../../src/demo/demonstration.ts';
import { startPhoton } from '../process.ts';
import { root } from '../root.ts';
import type { GitHubDouble } from './github.ts';
import { evaluate } from './workflow-expression.ts';

/** The parts of `action.yml` that the runner reads. */
interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: Readonly<Record<string, string>>;
}

/** A step that uses the action, in a job of an event. */
export interface Step {
  readonly github: GitHubDouble;
  /** The keys of `with:`. */
  readonly with: Readonly<Record<string, string>>;
  readonly event: { readonly name: string; readonly payload: object };
  readonly ref: string;
  readonly sha: string;
  readonly actor: string;
  /** The keys of `env:`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What the runner has of a step when it ended. */
export interface StepEnd {
  readonly exitCode: number | undefined;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Names of outputs that `action.yml` does not declare. */
  readonly undeclared: readonly string[];
}

/** A job on a self-hosted runner, with the folders that it has there. */
export class Runner {
  /** `GITHUB_WORKSPACE`, where `actions/checkout` puts the repository. */
  readonly workspace: string;
  readonly #temp: string;
  readonly #action: string;
  readonly #home: string;
  #steps = 0;

  /** The folder is empty, and the caller removes it. */
  constructor(folder: string) {
    const work = join(folder, '_work');
    this.workspace = join(work, 'sample', 'sample');
    this.#temp = join(work, '_temp');
    this.#action = join(work, '_actions', 'photon', 'agent-action', 'v2');
    this.#home = join(folder, 'home');
    for (const made of [dirname(this.workspace), this.#temp, this.#home])
      mkdirSync(made, { recursive: true });
    // what npm packs is what the Action reads of its repository: without node_modules, and without src
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      files: readonly string[];
    };
    for (const name of [...files, 'package.json'])
      cpSync(join(root, name), join(this.#action, name), { recursive: true });
  }

  /** Starts the scripts that `runs` names, in their order, each with the environment of its step. */
  async run(step: Step): Promise<StepEnd> {
    const action = parse(readFileSync(join(this.#action, 'action.yml'), 'utf8')) as ActionFile;
    const { pre, main = '', post, using = '' } = action.runs;
    const commands = join(this.#temp, '_runner_file_commands', String(this.#steps++));
    mkdirSync(commands, { recursive: true });
    const file = (name: string) => {
      const path = join(commands, name);
      writeFileSync(path, '');
      return path;
    };
    const [output, summary, state] = [file('output'), file('step_summary'), file('state')];
    const event = join(commands, 'event.json');
    writeFileSync(event, JSON.stringify(step.event.payload));
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: this.#home,
      ...step.env,
      ...inputsOf(action, step),
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION: '__photon_agent-action',
      GITHUB_ACTION_REF: 'v2',
      GITHUB_ACTION_REPOSITORY: 'photon/agent-action',
      GITHUB_ACTOR: step.actor,
      GITHUB_TRIGGERING_ACTOR: step.actor,
      GITHUB_API_URL: step.github.url,
      GITHUB_GRAPHQL_URL: `${step.github.url}/graphql`,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_BASE_REF: '',
      GITHUB_HEAD_REF: '',
      GITHUB_ENV: file('env'),
      GITHUB_PATH: file('path'),
      GITHUB_OUTPUT: output,
      GITHUB_STATE: state,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_EVENT_NAME: step.event.name,
      GITHUB_EVENT_PATH: event,
      GITHUB_JOB: 'photon',
      GITHUB_REF: step.ref,
      GITHUB_REF_NAME: step.ref.replace(/^refs\/(heads|pull)\//, ''),
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_PROTECTED: 'false',
      GITHUB_REPOSITORY: step.github.repository,
      GITHUB_REPOSITORY_OWNER: step.github.repository.split('/')[0] ?? '',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_RUN_ID: '1658821493',
      GITHUB_RUN_NUMBER: String(this.#steps),
      GITHUB_SHA: step.sha,
      GITHUB_WORKFLOW: 'Photon',
      GITHUB_WORKSPACE: this.workspace,
      RUNNER_ARCH: 'X64',
      RUNNER_ENVIRONMENT: 'self-hosted',
      RUNNER_NAME: 'runner',
      RUNNER_OS: 'Linux',
      RUNNER_TEMP: this.#temp,
      RUNNER_TOOL_CACHE: join(this.#temp, '..', '_tool'),
      RUNNER_WORKSPACE: dirname(this.workspace),
    };
    let log = '';
    let exitCode: number | undefined = 0;
    for (const script of [pre, main, post].filter(name => name !== undefined)) {
      const program = [nodeOf(using), join(this.#action, script)];
      const end = await startPhoton({ args: undefined, program, cwd: this.workspace, env });
      log += `${end.out}${end.err}`;
      exitCode ||= end.code;
    }
    const outputs = readOutputs(readFileSync(output, 'utf8'));
    return {
      exitCode,
      log,
      outputs,
      summary: readFileSync(summary, 'utf8'),
      undeclared: Object.keys(outputs).filter(name => !Object.hasOwn(action.outputs, name)),
    };
  }
}

/**
 * The variables of the inputs. The runner sets one for every input that `action.yml` declares: what `with:` gives, else
 * the evaluated default, else the empty text. It also passes what `with:` gives beyond these.
 */
function inputsOf({ inputs }: ActionFile, step: Step): Record<string, string> {
  const contexts = { github: { token: step.github.token } };
  const defaults = Object.entries(inputs).map(([name, { default: given = '' }]) => {
    const text = String(given);
    const value = text.replace(/\$\{\{.*?\}\}/g, found => String(evaluate(found, contexts) ?? ''));
    return [name, value] as const;
  });
  const all = { ...Object.fromEntries(defaults), ...step.with };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      value,
    ]),
  );
}

/** The Node that the runner brings for `runs.using`, such as `node24`. @throws Error for another one than these tests have. */
function nodeOf(using: string): string {
  const [major = ''] = process.versions.node.split('.');
  if (using === `node${major}`) return process.execPath;
  const packaged = join(root, 'node_modules', 'node', 'package.json');
  const { version } = JSON.parse(readFileSync(packaged, 'utf8')) as { version: string };
  const path = join(dirname(packaged), 'bin', 'node');
  if (using === `node${version.split('.')[0]}` && existsSync(path)) return path;
  throw new Error(`no Node for runs.using: ${using}`);
}
