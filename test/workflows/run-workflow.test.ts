import { type ChildProcess, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowState } from '../../src/workflows/state.ts';
import { readManifest } from '../doubles/manifest-reader.ts';
import { type Body, type ModelDouble, startModel } from '../doubles/model.ts';
import { makeRepository } from '../doubles/repository.ts';
import { sampleFiles } from '../doubles/sample.ts';
import { writingTurns } from '../doubles/workflow-model.ts';
import { canary, discard, fingerprint, makeFolder } from '../harness.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import { playsVariants } from '../seed.ts';

let folder: string;
let repo: string;
let model: ModelDouble | undefined;
beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
});
afterEach(async () => {
  await model?.close();
  model = undefined;
  discard(folder);
});

const branch = 'photon/workflow-three';
const policy = '# Law\r\n\r\nBe kind.\r\n\r\n## Reading Convention\r\nRead little.\r\n';
const task = (id: string, needs: string, path = `docs/${id}.md`) =>
  [
    `  - id: ${id}`,
    `    prompt: Write ${path}.`,
    `    depends_on: [${needs}]`,
    '    verify: none',
    `    outputs: [{ description: Text of ${id}, path: ${path} }]`,
    '',
  ].join('\n');
/** Where it does not matter how many tasks there are. */
const oneTask = { '.photon/workflows/three.yml': `tasks:\n${task('first', '')}` };
const three = `tasks:\n${task('third', 'second')}${task('first', '')}${task('second', 'first')}`;

function prepare(more: Readonly<Record<string, string>> = {}): void {
  const files = { ...sampleFiles, 'constitution.md': policy };
  makeRepository(repo, { files: { ...files, '.photon/workflows/three.yml': three, ...more } });
}

const photon = (
  args: readonly string[],
  started?: (child: ChildProcess) => void,
): Promise<PhotonEnd> =>
  startPhoton({
    args,
    cwd: repo,
    started,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: folder,
      USER: 'lena',
      PHOTON_API_KEY: canary,
      PHOTON_BASE_URL: model?.url ?? '',
      PHOTON_MODEL: 'double',
    },
  });

const workflow = (verb: string, ...more: readonly string[]) =>
  photon(['workflow', verb, 'three', ...more]);

const words = ({ messages }: Body) => JSON.stringify(messages);
/** The file that the task asks for. */
const wanted = (body: Body) =>
  /Write (\S+?)\./.exec(words(body).replaceAll('.md', '·md'))?.[1]?.replace('·', '.') ?? '';

/** Answers each request by how far its conversation is. */
async function startWriter(pathOf: (wanted: string) => string = p => p, asked = (_: Body) => {}) {
  model = await startModel(body => {
    asked(body);
    const round = body.messages.filter(m => m.role === 'assistant').length;
    return writingTurns(pathOf(wanted(body)))[round] ?? { status: 400, body: {} };
  });
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: repo }).toString();
const show = (path: string) => git('show', `${branch}:${path}`);
const statePath = () => join(repo, '.photon/workflows/state/three.json');
const state = () => JSON.parse(readFileSync(statePath(), 'utf8')) as WorkflowState;
const statuses = () => state().tasks.map(t => `${t.id} ${t.status}`);
const manifest = () =>
  readManifest(Buffer.from(show('constitution.md')))?.map(t => `${t.id} ${t.status}`);
const commits = () => git('log', '--reverse', '--format=%s', `main..${branch}`).trim().split('\n');

const allDone = ['first COMPLETED', 'second COMPLETED', 'third COMPLETED'];

describe('photon workflow run', () => {
  it('makes a commit a task on a branch, each on the one before, and leaves the checkout alone', async () => {
    prepare();
    const prompts: string[] = [];
    await startWriter(
      p => p,
      body => prompts.push(words(body)),
    );
    const before = fingerprint(join(repo, 'src'));
    const ran = await workflow('run');
    expect(ran.code, ran.err).toBe(0);
    // each task is a run that the checkout keeps
    const names = [...ran.err.matchAll(/Look at it: photon show (\w+)/g)].map(
      found => found[1] ?? '',
    );
    expect(names.length).toBeGreaterThan(1);
    const { out: listed } = await photon(['runs', '--repo', repo]);
    for (const name of names) expect(listed).toContain(`${name} `);
    expect(statuses()).toEqual(allDone);
    expect(manifest()).toEqual(allDone);
    expect(commits()).toEqual(['first', 'second', 'third'].map(t => `Workflow three: ${t} done`));
    expect(show('docs/second.md')).toBe('# docs/second.md\n');
    expect(show('constitution.md').startsWith(policy)).toBe(true);
    expect(show('constitution.md')).toContain('\r\n## Workflow Artifacts\r\n');
    expect(prompts.at(-1)).toContain('| second | Text of second | docs/second.md | COMPLETED |');
    expect(prompts.at(-1)).not.toContain('AUTO-GENERATED');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('branch', '--show-current')).toBe('main\n');
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(fingerprint(join(repo, 'src'))).toBe(before);
    const seen = model?.requests.length;
    expect((await workflow('run')).code).toBe(0);
    expect(model?.requests.length).toBe(seen);
    expect(commits()).toHaveLength(3);
    expect((await workflow('status')).out).toMatch(/third +COMPLETED +1 run +PATCH_WRITTEN/);
  });

  it.runIf(playsVariants)(
    'takes a task that is gone from the file out of the manifest, in a commit of its own',
    async () => {
      prepare();
      await startWriter();
      expect((await workflow('run')).code).toBe(0);
      const file = join(repo, '.photon/workflows/three.yml');
      writeFileSync(file, `tasks:\n${task('first', '')}${task('second', 'first')}`);
      for (let again = 0; again < 2; again++) {
        expect((await workflow('run')).code).toBe(0);
        expect(manifest()).toEqual(['first COMPLETED', 'second COMPLETED']);
        expect(statuses()).toEqual(manifest());
        expect(commits().slice(3)).toEqual(['Workflow three: update the manifest']);
      }
    },
  );

  it('calls no task failed when the settings let none begin', async () => {
    prepare({ '.photon/config.json': '{"modle":{}}\n' });
    await startWriter();
    const ran = await workflow('run');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('error: .photon/config.json: /');
    expect(ran.err).toContain('[CONFIG_INVALID]');
    expect(ran.err).toContain('help: ');
    expect(statuses()).toEqual(['first PENDING', 'second PENDING', 'third PENDING']);
    expect(git('log', '--format=%s', `main..${branch}`)).toBe('');
  });

  it.runIf(playsVariants)(
    'refuses a branch that somebody works on or that it does not know, and starts again without one',
    async () => {
      prepare(oneTask);
      git('branch', branch);
      expect((await workflow('run')).err).toContain('WORKFLOW_BRANCH');
      git('branch', '-D', '-q', branch);
      await startWriter();
      expect((await workflow('run')).code).toBe(0);
      git('switch', '-q', branch);
      expect((await workflow('run')).err).toContain('is checked out in');
      git('switch', '-q', 'main');
      git('branch', '-D', '-q', branch);
      expect((await workflow('run')).err).toContain('no longer exists; the workflow starts again');
    },
  );
});
