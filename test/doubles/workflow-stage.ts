/** A repository with one workflow, a model that writes the file of each task, and the built command that runs it. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestTask } from '../../src/workflows/manifest.ts';
import { parseState, type WorkflowState } from '../../src/workflows/state.ts';
import { discard, makeFolder, profile } from '../harness.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import { readManifest } from './manifest-reader.ts';
import { type Body, type ModelStep, startModel } from './model.ts';
import { makeRepository } from './repository.ts';
import { sampleFiles } from './sample.ts';
import { terminalEnv } from './terminal.ts';
import { writingTurns } from './workflow-model.ts';

/** A task that makes one file. */
export interface StageTask {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly path: string;
  readonly description: string;
  readonly review?: boolean;
  /** How it is verified; default: not at all. */
  readonly verify?: string;
  /** Turns in place of those that write the file. */
  readonly turns?: readonly ModelStep[];
}

/** A request to the model: its task, and its number within this process, from 0. */
export interface StageRequest {
  readonly task: string;
  readonly round: number;
  readonly body: Body;
  /** The process of the run; undefined when the run shares one. */
  readonly child: ChildProcess | undefined;
}

export type StageEnd = PhotonEnd;

const name = 'flow';
const branch = `photon/workflow-${name}`;
const workflowFile = `.photon/workflows/${name}.yml`;

export class WorkflowStage {
  readonly folder = makeFolder();
  readonly repo = join(this.folder, 'repo');
  readonly branch = branch;
  readonly statePath = join(this.repo, `.photon/workflows/state/${name}.json`);
  readonly files: Record<string, string> = { ...sampleFiles };
  readonly links: Record<string, string> = {};
  tasks: readonly StageTask[] = [];
  /** Maximum number of tasks that run in parallel. */
  parallel = 1;
  /** Called for every request; a returned turn replaces the scripted answer. */
  onRequest: (request: StageRequest) => Promise<ModelStep | undefined> | ModelStep | undefined =
    () => undefined;
  /** Every request in the order of arrival. */
  readonly requests: StageRequest[] = [];
  readonly problems: string[] = [];
  #child: ChildProcess | undefined = undefined;
  #rounds = new Map<string, number>();

  /** Creates the repository and commits all files. */
  prepare(): void {
    const files = { ...this.files, [workflowFile]: this.#workflow() };
    makeRepository(this.repo, { files, links: this.links });
  }

  /** Writes the workflow file of the checkout anew. */
  rewrite(): void {
    writeFileSync(join(this.repo, workflowFile), this.#workflow());
  }

  /** Runs `photon` in the repository to its end. */
  async photon(args: readonly string[], more: Extra = {}): Promise<StageEnd> {
    const model = await startModel(body => this.#answer(body));
    this.#child = undefined;
    this.#rounds = new Map();
    const started = (child: ChildProcess) => {
      this.#child = child;
    };
    try {
      return await startPhoton({
        args,
        cwd: this.repo,
        env: {
          ...terminalEnv(this.folder, model.url),
          TMPDIR: this.folder,
          USER: 'lena',
          ...more.env,
        },
        nodeArgs: more.nodeArgs,
        started: more.own === true ? started : undefined,
      });
    } finally {
      await model.close();
      this.problems.push(...model.violations);
    }
  }

  /** `photon workflow run`, with options. */
  run(args: readonly string[] = [], more: Extra = {}): Promise<StageEnd> {
    return this.photon(['workflow', 'run', name, '--agent-profile', profile, ...args], more);
  }

  approve(task: string): Promise<StageEnd> {
    return this.photon(['workflow', 'approve', name, task]);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.repo, stdio: 'pipe' }).toString();
  }

  /** Commits the changes of the checkout. */
  commit(): void {
    this.git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qam', 'Changed');
  }

  /** A file of the branch, or of another commit. */
  show(path: string, at = branch): string {
    return this.git('show', `${at}:${path}`);
  }

  /** True when a commit has the file. */
  has(path: string, at = branch): boolean {
    return this.git('ls-tree', '--name-only', at, '--', path).trim() === path;
  }

  /** Subjects of the branch's own commits, first one first. */
  subjects(): readonly string[] {
    const log = this.git('log', '--reverse', '--format=%s', `main..${branch}`);
    return log.split('\n').filter(l => l !== '');
  }

  /** The state file through its parser. */
  state(): WorkflowState {
    return parseState(readFileSync(this.statePath, 'utf8'), 'state');
  }

  /** Each task of the state file with its status. */
  statuses(): readonly string[] {
    return this.state().tasks.map(t => `${t.id} ${t.status}`);
  }

  /** What the manifest of a commit lists; undefined when there is none. */
  manifest(at = branch): readonly ManifestTask[] | undefined {
    return readManifest(Buffer.from(this.show('constitution.md', at)));
  }

  /** The first request of each start of a task. */
  opened(): readonly StageRequest[] {
    return this.requests.filter(a => a.round === 0);
  }

  /** What an earlier start left behind: work trees beside the checkout, and a lock. */
  leftovers(): readonly string[] {
    const trees = this.git('worktree', 'list').trim().split('\n').slice(1);
    const lock = this.statePath.replace(/json$/, 'lock');
    return [...trees, ...(existsSync(lock) ? [lock] : [])];
  }

  /** Removes the folder. @returns what was wrong with the form of requests. */
  close(): readonly string[] {
    discard(this.folder);
    return this.problems;
  }

  #workflow(): string {
    return `parallel: ${this.parallel}\n${renderTasks(this.tasks)}`;
  }

  async #answer(body: Body): Promise<ModelStep> {
    const text = JSON.stringify(body.messages);
    const task = this.tasks.find(t => text.includes(promptOf(t)));
    const child = this.#child;
    if (task === undefined) return { status: 400, body: {} };
    const round = this.#rounds.get(task.id) ?? 0;
    this.#rounds.set(task.id, round + 1);
    const request = { task: task.id, round, body, child };
    this.requests.push(request);
    return (
      (await this.onRequest(request)) ??
      (task.turns ?? writingTurns(task.path))[round] ?? { status: 400, body: {} }
    );
  }
}

interface Extra {
  /** True: the run gets its own process, so that a test can kill it. */
  readonly own?: boolean;
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The expected table, written without any of Photon's code. */
export function tableOf(
  tasks: readonly StageTask[],
  statusOf: (task: StageTask) => string,
): string {
  const rows = tasks.map(t => `| ${t.id} | ${t.description} | ${t.path} | ${statusOf(t)} |`);
  return ['| Task | Artifact | Path | Status |', '|---|---|---|---|', ...rows].join('\n');
}

/** Text of a request: what Photon tells the model about this task. */
export function requestText({ body }: StageRequest): string {
  return body.messages.map(m => String(m.content)).join('\n');
}

function promptOf({ id, path }: StageTask): string {
  return `Write ${path} for the step ${id}.`;
}

/** JSON is YAML, so descriptions can hold any characters. */
function renderTasks(tasks: readonly StageTask[]): string {
  const rows = tasks.map(task => {
    const { id, needs = [], path, description, review = false, verify = 'none' } = task;
    const row = { id, prompt: promptOf(task), depends_on: needs, verify };
    const outputs = [{ description, path }];
    return `  - ${JSON.stringify({ ...row, outputs, ...(review ? { review: 'required' } : {}) })}\n`;
  });
  return `tasks:\n${rows.join('')}`;
}
