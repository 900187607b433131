/** A repository with one workflow, a model that writes what each task asks for, and the built command that runs it. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestTask } from '../../src/workflow/manifest-table.ts';
import { parseState, type WorkflowState } from '../../src/workflow/state.ts';
import { canary, discard, makeFolder, profile } from '../harness.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import { readManifest } from './manifest-reader.ts';
import { type Body, type ModelDouble, type Step, startModel } from './model.ts';
import { makeRepository } from './repository.ts';
import { sampleFiles } from './sample.ts';
import { writingTurns } from './workflow-model.ts';

/** A task that makes one file. */
export interface GroundTask {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly path: string;
  readonly description: string;
  readonly review?: boolean;
  /** Turns in place of those that write the file. */
  readonly turns?: readonly Step[];
}

/** A request to the model: whose task it is of, and the how manieth of this process it is. */
export interface Asked {
  readonly task: string;
  readonly round: number;
  readonly body: Body;
  /** Null unless the start asked for a process of its own. */
  readonly child: ChildProcess | null;
}

export type Said = PhotonEnd;

const name = 'flow';
const branch = `photon/workflow-${name}`;

export class WorkflowStage {
  readonly folder = makeFolder();
  readonly repo = join(this.folder, 'repo');
  readonly branch = branch;
  readonly statePath = join(this.repo, `.photon/workflows/state/${name}.json`);
  readonly files: Record<string, string> = { ...sampleFiles };
  readonly links: Record<string, string> = {};
  tasks: readonly GroundTask[] = [];
  /** Most tasks that run side by side. */
  parallel = 1;
  /** Told of every request before it is answered; what it returns is the answer. */
  hear: (asked: Asked) => Step | undefined = () => undefined;
  /** Every request, as it was sent, in order. */
  readonly asked: Asked[] = [];
  readonly problems: string[] = [];
  #child: ChildProcess | null = null;
  #rounds = new Map<string, number>();

  /** Makes the repository with all files, committed. */
  prepare(): void {
    const file = `.photon/workflows/${name}.yml`;
    const files = {
      ...this.files,
      [file]: `parallel: ${this.parallel}\n${renderTasks(this.tasks)}`,
    };
    makeRepository(this.repo, { files, links: this.links });
  }

  /** Runs `photon` in the repository to its end. */
  async photon(args: readonly string[], more: Extra = {}): Promise<Said> {
    const model = await startModel(body => this.#answer(body));
    this.#child = null;
    this.#rounds = new Map();
    const started = (child: ChildProcess) => {
      this.#child = child;
    };
    try {
      return await startPhoton({
        args,
        cwd: this.repo,
        env: { ...this.#env(model), ...more.env },
        nodeArgs: more.nodeArgs,
        started: more.own === true ? started : undefined,
      });
    } finally {
      await model.close();
      this.problems.push(...model.violations);
    }
  }

  /** `photon workflow run`, with options. */
  run(args: readonly string[] = [], more: Extra = {}): Promise<Said> {
    return this.photon(['workflow', 'run', name, '--agent-profile', profile, ...args], more);
  }

  approve(task: string): Promise<Said> {
    return this.photon(['workflow', 'approve', name, task]);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.repo, stdio: 'pipe' }).toString();
  }

  /** Commits what is changed in the checkout. */
  commit(): void {
    this.git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qam', 'Changed');
  }

  /** A file of the branch as it stands, or of another commit. */
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

  /** What the manifest of a commit lists; null when there is none. */
  manifest(at = branch): readonly ManifestTask[] | null {
    return readManifest(Buffer.from(this.show('constitution.md', at)));
  }

  /** The first request of each start of a task. */
  opened(): readonly Asked[] {
    return this.asked.filter(a => a.round === 0);
  }

  /** Where the work of an earlier start was left: work trees beside the checkout, and a lock. */
  leftovers(): readonly string[] {
    const trees = this.git('worktree', 'list').trim().split('\n').slice(1);
    const lock = this.statePath.replace(/json$/, 'lock');
    return [...trees, ...(existsSync(lock) ? [lock] : [])];
  }

  /** Removes all of it; what was wrong with the form of requests. */
  close(): readonly string[] {
    discard(this.folder);
    return this.problems;
  }

  #env(model: ModelDouble): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      TMPDIR: this.folder,
      USER: 'lena',
      PHOTON_API_KEY: canary,
      PHOTON_BASE_URL: model.url,
      PHOTON_MODEL: 'double',
    };
  }

  #answer(body: Body): Step {
    const words = JSON.stringify(body.messages);
    const task = this.tasks.find(t => words.includes(promptOf(t)));
    const child = this.#child;
    if (task === undefined) return { status: 400, body: {} };
    const round = this.#rounds.get(task.id) ?? 0;
    this.#rounds.set(task.id, round + 1);
    const asked = { task: task.id, round, body, child };
    this.asked.push(asked);
    return (
      this.hear(asked) ??
      (task.turns ?? writingTurns(task.path))[round] ?? { status: 400, body: {} }
    );
  }
}

interface Extra {
  /** True: a process of its own, for whoever kills it. */
  readonly own?: boolean;
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The table as it has to be, written without any of the engine's code. */
export function tableOf(
  tasks: readonly GroundTask[],
  statusOf: (task: GroundTask) => string,
): string {
  const rows = tasks.map(t => `| ${t.id} | ${t.description} | ${t.path} | ${statusOf(t)} |`);
  return ['| Task | Artifact | Path | Status |', '|---|---|---|---|', ...rows].join('\n');
}

/** Text of the request whose words are for this task alone: what the engine tells the model of it. */
export function wordsOf({ body }: Asked): string {
  return body.messages.map(m => String(m.content)).join('\n');
}

function promptOf({ id, path }: GroundTask): string {
  return `Write ${path} for the step ${id}.`;
}

/** JSON is YAML, so that descriptions may hold whatever they like. */
function renderTasks(tasks: readonly GroundTask[]): string {
  const rows = tasks.map(task => {
    const { id, needs = [], path, description, review = false } = task;
    const row = { id, prompt: promptOf(task), depends_on: needs, verify: 'none' };
    const outputs = [{ description, path }];
    return `  - ${JSON.stringify({ ...row, outputs, ...(review ? { review: 'required' } : {}) })}\n`;
  });
  return `tasks:\n${rows.join('')}`;
}
