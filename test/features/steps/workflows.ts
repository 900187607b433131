/** Steps about workflows: the built command as a process on a real repository, and what its branch holds after it. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect } from 'vitest';
import { toolNames } from '../../../src/agent/context/skills.ts';
import { writingTurns } from '../../doubles/workflow-model.ts';
import {
  requestText,
  type StageEnd,
  type StageRequest,
  type StageTask,
  WorkflowStage,
} from '../../doubles/workflow-stage.ts';
import type { World } from '../world.ts';
import { step } from './step.ts';

interface Scene {
  readonly stage: WorkflowStage;
  /** What is done to the repository once it is there. */
  readonly arrange: (() => unknown)[];
  readonly said: StageEnd[];
  /** The table of the branch as each task began. */
  readonly seen: Map<string, string>;
  /** Files of the work tree as each task began. */
  readonly shown: Map<string, Readonly<Record<string, string>>>;
  /** Commits of the branch behind each start. */
  readonly commits: (readonly string[])[];
}

const scenes = new WeakMap<World, Scene>();

function scene(world: World): Scene {
  const there = scenes.get(world);
  if (there !== undefined) return there;
  const stage = new WorkflowStage();
  const made: Scene = {
    stage,
    arrange: [],
    said: [],
    seen: new Map(),
    shown: new Map(),
    commits: [],
  };
  world.leave(() => stage.close());
  scenes.set(world, made);
  return made;
}

async function start(
  world: World,
  act: (stage: WorkflowStage) => Promise<StageEnd>,
): Promise<void> {
  const { stage, arrange, said, seen, shown, commits } = scene(world);
  if (said.length === 0) {
    Object.assign(stage.files, world.files);
    Object.assign(stage.links, world.links);
    stage.prepare();
    for (const each of arrange) await each();
    stage.onRequest = ({ task, round }) => {
      if (round === 0 && !seen.has(task)) {
        seen.set(task, tableIn(stage));
        shown.set(task, workTreeOf(stage));
      }
      return undefined;
    };
  }
  said.push(await act(stage));
  commits.push(stage.subjects());
}

/** The files of the work tree that the tasks write, and the constitution. */
function workTreeOf(stage: WorkflowStage): Readonly<Record<string, string>> {
  const paths = ['constitution.md', ...stage.tasks.map(t => t.path)];
  const there = paths.filter(path => existsSync(join(stage.repo, path)));
  return Object.fromEntries(there.map(p => [p, readFileSync(join(stage.repo, p), 'utf8')]));
}

const run = (world: World) => start(world, stage => stage.run());
const last = (world: World) => scene(world).said.at(-1) ?? expect.fail('nothing was started');

/** The rows of the section in a commit; empty where there is none. */
function tableIn(stage: WorkflowStage, at = stage.branch): string {
  return tableOf(stage.has('constitution.md', at) ? stage.show('constitution.md', at) : '');
}

function tableOf(text: string): string {
  const [, section = ''] = text.split('## Workflow Artifacts\n');
  const rows = section.split(/\n#/)[0]?.split('\n') ?? [];
  return rows.filter(l => l.startsWith('|')).join('\n');
}

/** A section of a Markdown file from its heading to the next one that stands in no code. */
function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const isCode = lines.map((_, i) => lines.slice(0, i).filter(l => l.startsWith('```')).length % 2);
  const isHeading = (i: number) => isCode[i] === 0 && /^#+ /.test(lines[i] ?? '');
  const from = lines.findIndex((l, i) => isHeading(i) && l.replace(/^#+ /, '') === title);
  if (from < 0) throw new Error(`no section ${title}`);
  const length = lines.slice(from + 1).findIndex((_, i) => isHeading(from + 1 + i));
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

const askedIn = (world: World, task: string): readonly StageRequest[] => {
  const all = scene(world).stage.requests.filter(a => a.task === task);
  return all.length > 0 ? all : expect.fail(`${task} was never asked for`);
};
const firstIn = (world: World, task: string) => askedIn(world, task)[0] as StageRequest;
const policyIn = (world: World, task: string) =>
  askedIn(world, task)
    .map(a => String(a.body.messages[0]?.content))
    .join('\n');

const change = (world: World, id: string, more: Partial<StageTask>) => {
  const { stage } = scene(world);
  expect(stage.tasks.map(t => t.id)).toContain(id);
  stage.tasks = stage.tasks.map(t => (t.id === id ? { ...t, ...more } : t));
};

const given = [
  step('a workflow with the tasks:', (world, rows: readonly (readonly string[])[]) => {
    scene(world).stage.tasks = rows
      .slice(1)
      .map(([id = '', needs = '', path = '', about = '']) => ({
        id,
        needs: needs.split(',').filter(Boolean),
        path,
        description: about,
      }));
  }),
  step('the task {string} makes {string} instead', (world, id: string, path: string) =>
    change(world, id, { turns: writingTurns(path) }),
  ),
  step('the task {string} also writes {string}', (world, id: string, path: string) => {
    const task = scene(world).stage.tasks.find(t => t.id === id);
    const more: Readonly<Record<string, object>> = {
      plan: { affected_files: [task?.path, path] },
      apply_patch: { files: [task?.path, path].map(p => ({ path: p, content: `# ${p}\n` })) },
    };
    const turns = writingTurns(task?.path ?? '').map(turn => ({
      ...turn,
      calls: (turn.calls ?? []).map(call => ({
        ...call,
        arguments: { ...(call.arguments as object), ...more[call.name] },
      })),
    }));
    change(world, id, { turns });
  }),
  step('the task {string} is to be reviewed', (world, id: string) =>
    change(world, id, { review: true }),
  ),
  step('the task {string} reads {string} before it writes', (world, id: string, path: string) => {
    const task = scene(world).stage.tasks.find(t => t.id === id);
    const [begin, , ...rest] = writingTurns(task?.path ?? '');
    const requests = [{ file_path: path, start_line: 1, end_line: 200 }];
    const read = {
      text: 'The artifacts of earlier tasks are listed there. I read that list first.',
      calls: [
        { name: 'list_project_files', arguments: {} },
        { name: 'read_code_block', arguments: { requests } },
      ],
    };
    change(world, id, { turns: [...(begin === undefined ? [] : [begin]), read, ...rest] });
  }),
  step('the task {string} keeps {string} in its memory', (world, id: string, value: string) => {
    const task = scene(world).stage.tasks.find(t => t.id === id);
    const [begin, ...rest] = writingTurns(task?.path ?? '');
    const keep = { name: 'ram_add', arguments: { key: 'steps', value } };
    change(world, id, { turns: [{ ...begin, calls: [...(begin?.calls ?? []), keep] }, ...rest] });
  }),
  step('photon init has set the project up', world => {
    const { stage, arrange } = scene(world);
    arrange.push(async () => {
      const { code, err } = await stage.photon(['init']);
      expect(code, err).toBe(0);
      stage.git('add', '-A');
      stage.commit();
    });
  }),
  step('the constitution is read-only', world => {
    const { stage, arrange } = scene(world);
    arrange.push(() => chmodSync(join(stage.repo, 'constitution.md'), 0o444));
  }),
  step('the constitution ends inside a code block', world => {
    world.files['constitution.md'] = '# Law\n\n```\nnever closed\n';
  }),
];

const when = [
  step('the workflow runs', run),
  step('the workflow runs again', run),
  step('the workflow runs with {string}', (world, flag: string) =>
    start(world, stage => stage.run([flag])),
  ),
  step(
    'somebody changes {string} to {string} in the constitution of the branch',
    (world, from: string, to: string) => {
      const { stage } = scene(world);
      const tree = join(stage.folder, 'edited');
      stage.git('worktree', 'add', '-q', tree, stage.branch);
      const file = join(tree, 'constitution.md');
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
      const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
      stage.git('-C', tree, ...author, 'commit', '-qam', 'Edited');
      stage.git('worktree', 'remove', tree);
    },
  ),
  step('{string} is approved', (world, id: string) => start(world, stage => stage.approve(id))),
];

const then = [
  step('the workflow should have ended with status {int}', (world, status: number) => {
    expect(last(world).code, last(world).err).toBe(status);
  }),
  step('the report should say {string}', (world, text: string) => {
    expect(last(world).out).toContain(text);
  }),
  step(
    'the work tree had, when {string} began, the artifact {string} and the manifest:',
    (world, id: string, path: string, table: string) => {
      const files = scene(world).shown.get(id) ?? expect.fail(`${id} did not begin`);
      expect(files[path]).toBe(`# ${path}\n`);
      expect(tableOf(files['constitution.md'] ?? '')).toBe(table);
    },
  ),
  step('the work tree should be as the branch', world => {
    const { stage } = scene(world);
    const files = workTreeOf(stage);
    expect(Object.keys(files)).toEqual(['constitution.md', ...stage.tasks.map(t => t.path)]);
    for (const [path, text] of Object.entries(files)) expect(stage.show(path)).toBe(text);
    expect(stage.git('branch', '--show-current')).toBe('main\n');
  }),
  step('a warning should say {string}', (world, text: string) => {
    const warnings = last(world)
      .err.split('\n')
      .filter(l => /^\s*warning: /.test(l));
    expect(warnings.join('\n'), last(world).err).toContain(text);
  }),
  step('the manifest should be:', (world, table: string) => {
    expect(tableIn(scene(world).stage)).toBe(table);
  }),
  step(
    'the manifest should have been, when {string} began:',
    (world, id: string, table: string) => {
      expect(scene(world).seen.get(id)).toBe(table);
    },
  ),
  step('the prompt of {string} should end with the table:', (world, id: string, table: string) => {
    const words = requestText(firstIn(world, id));
    expect(words).toContain(`\n\n${table}\n`);
    expect(words.split('| Task | Artifact |')).toHaveLength(2);
  }),
  step('the model should have read in {string}:', (world, id: string, table: string) => {
    const read = requestText(askedIn(world, id)[2] ?? expect.fail('nothing was read'));
    const rows = read.split('\n').filter(l => /^\d+\t\|/.test(l));
    expect(rows.map(l => l.replace(/^\d+\t/, '')).join('\n')).toBe(table);
  }),
  step('the model should have seen {string} in {string}', (world, text: string, id: string) => {
    expect(JSON.stringify(askedIn(world, id).map(a => a.body.messages))).toContain(text);
  }),
  step('the model should not have seen {string} in {string}', (world, text: string, id: string) => {
    expect(JSON.stringify(askedIn(world, id).map(a => a.body.messages))).not.toContain(text);
  }),
  step('no artifact should have been shown to the model', world => {
    const { stage } = scene(world);
    for (const { path } of stage.tasks) {
      const behind = stage.opened().map(requestText);
      expect(behind.filter(w => w.includes(`# ${path}`))).toEqual([]);
    }
  }),
  step(
    'the commit of {string} should hold {string} and {string}',
    (world, id: string, a: string, b: string) => {
      const { stage } = scene(world);
      const log = stage.git('log', '--format=%H %s', `main..${stage.branch}`).split('\n');
      const commit = log.find(l => l.endsWith(`: ${id} done`))?.split(' ')[0] ?? '';
      const files = stage.git('show', '--format=', '--name-only', commit).trim().split('\n');
      expect(files.sort()).toEqual([a, b].sort());
    },
  ),
  step('state file and manifest should agree on {int} tasks', (world, count: number) => {
    const { stage } = scene(world);
    const manifest = stage.manifest() ?? expect.fail('no manifest');
    expect(manifest).toHaveLength(count);
    expect(manifest.map(t => `${t.id} ${t.status}`)).toEqual(
      stage.state().tasks.map(t => `${t.id} ${t.status}`),
    );
    expect(manifest.map(({ id, outputs }) => ({ id, outputs }))).toEqual(
      stage.tasks.map(({ id, description, path }) => ({ id, outputs: [{ description, path }] })),
    );
  }),
  step(
    'a Markdown reader should see a table of {int} rows with the paths of the workflow',
    (world, count: number) => {
      const { stage } = scene(world);
      const text = stage.show('constitution.md');
      const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
      const rows = [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].slice(1).map(row => {
        const cells = [...(row[1] ?? '').matchAll(/<td>([\s\S]*?)<\/td>/g)];
        return cells.map(cell => cell[1]);
      });
      expect(rows).toHaveLength(count);
      expect(rows.map(cells => cells.length)).toEqual(rows.map(() => 4));
      expect(rows.map(cells => [cells[0], cells[2], cells[3]])).toEqual(
        stage.tasks.map(t => [t.id, t.path, 'COMPLETED']),
      );
      expect(html.match(/<h2>/g)).toHaveLength(1);
    },
  ),
  step(
    'the law told to the model in {string} should hold the section {string} of the template',
    (world, id: string, title: string) => {
      const policy = policyIn(world, id);
      const section = sectionOf(scene(world).stage.show('constitution.md', 'main'), title);
      expect(section.length).toBeGreaterThan(100);
      expect(policy).toContain(section.trim());
      expect(section).toMatch(/only those that the current task needs/);
    },
  ),
  step("every tool that the section names should be one of Photon's", world => {
    const section = sectionOf(
      scene(world).stage.show('constitution.md', 'main'),
      'Reading Convention',
    );
    const words = section.match(/\b[a-z]+(?:_[a-z]+)*\b/g) ?? [];
    const named = words.filter(
      w => w.includes('_') || (toolNames as readonly string[]).includes(w),
    );
    expect(named.length).toBeGreaterThanOrEqual(3);
    for (const name of named) expect(toolNames).toContain(name);
  }),
  step(
    'the law told to the model in {string} should say {string}',
    (world, id: string, text: string) => {
      expect(policyIn(world, id)).toContain(text);
    },
  ),
  step(
    'the law told to the model in {string} should not say {string}',
    (world, id: string, text: string) => {
      expect(policyIn(world, id)).not.toContain(text);
    },
  ),
  step('the section {string} should be as it was', (world, title: string) => {
    const { stage } = scene(world);
    const before = sectionOf(stage.show('constitution.md', 'main'), title).trimEnd();
    expect(sectionOf(stage.show('constitution.md'), title).trimEnd()).toBe(before);
  }),
  step('the file {string} should be as it was', (world, path: string) => {
    const { stage } = scene(world);
    expect(stage.show(path)).toBe(stage.show(path, 'main'));
  }),
  step('the second start should have made no commit', world => {
    const [first = [], second] = scene(world).commits;
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
  }),
  step('the constitution should hold {int} section(s) of artifacts', (world, count: number) => {
    const html = micromark(scene(world).stage.show('constitution.md'));
    expect(html.match(/<h2>Workflow Artifacts<\/h2>/g)).toHaveLength(count);
  }),
  step(
    'the commits before that should have shown {string} as {string}',
    (world, id: string, statuses: string) => {
      const { stage } = scene(world);
      const log = stage.git('rev-list', '--reverse', `main..${stage.branch}`).trim().split('\n');
      const shown = log.map(c => stage.manifest(c)?.find(t => t.id === id)?.status);
      expect(shown.join(', ')).toBe(statuses);
    },
  ),
  step('the constitution should be the section of artifacts and nothing else', world => {
    const { stage } = scene(world);
    const [heading, mark, stamp, gap, ...table] = stage.show('constitution.md').split('\n');
    expect(heading).toBe('## Workflow Artifacts');
    expect(mark).toMatch(/^<!-- AUTO-GENERATED by ai-sdd .*-->$/);
    expect(stamp).toMatch(/^<!-- Last updated: [\d-]+T[\d:]+Z by engine after task: design -->$/);
    expect(gap).toBe('');
    expect(table.join('\n')).toBe(`${tableIn(stage)}\n`);
  }),
  step('the constitution of the branch should be that of the checkout', world => {
    const { stage } = scene(world);
    const entries = (at: string) => stage.git('ls-tree', '-r', at, '--', 'constitution.md');
    expect(entries(stage.branch)).toBe(entries('main'));
    expect(stage.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(stage.repo, 'README.md'), 'utf8')).toBe(world.files['README.md']);
  }),
  step('the task {string} should be {string}', (world, id: string, status: string) => {
    const tasks = scene(world).stage.state().tasks;
    expect(tasks.find(t => t.id === id)?.status).toBe(status);
  }),
  step('every task should be {string}', (world, status: string) => {
    const statuses = scene(world)
      .stage.state()
      .tasks.map(t => t.status);
    expect(statuses).toEqual(statuses.map(() => status));
  }),
];

export const workflowSteps = [...given, ...when, ...then];
