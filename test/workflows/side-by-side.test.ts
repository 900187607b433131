import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowState } from '../../src/workflows/state.ts';
import { readManifest } from '../doubles/manifest-reader.ts';
import type { Body, ModelDouble, ScriptedTurn } from '../doubles/model.ts';
import { makeRepository } from '../doubles/repository.ts';
import { prove, sampleFiles } from '../doubles/sample.ts';
import { call, readLines, turnOf } from '../doubles/steps.ts';
import { barrier, startWriter, taskText, writingTurns } from '../doubles/workflow-model.ts';
import { canary, discard, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';

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

function prepare(tasks: string, files: Readonly<Record<string, string>> = {}): void {
  const workflow = `parallel: 2\ntasks:\n${tasks}`;
  makeRepository(repo, {
    files: { ...sampleFiles, '.photon/workflows/pair.yml': workflow, ...files },
  });
}

async function run(
  ...more: readonly string[]
): Promise<{ code: number | undefined; said: string }> {
  let said = '';
  const { code } = await startPhoton({
    args: ['workflow', 'run', 'pair', ...more],
    cwd: repo,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: folder,
      USER: 'lena',
      PHOTON_API_KEY: canary,
      PHOTON_BASE_URL: model?.url ?? '',
      PHOTON_MODEL: 'double',
    },
    onOutput: text => {
      said += text;
    },
  });
  return { code, said };
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: repo }).toString();
const show = (path: string) => git('show', `photon/workflow-pair:${path}`);
const state = () =>
  JSON.parse(
    readFileSync(join(repo, '.photon/workflows/state/pair.json'), 'utf8'),
  ) as WorkflowState;
const statuses = () => state().tasks.map(t => `${t.id} ${t.status}`);
const manifest = () =>
  readManifest(Buffer.from(show('constitution.md')))?.map(t => `${t.id} ${t.status}`);
const subjects = () =>
  git('log', '--reverse', '--format=%s', 'main..photon/workflow-pair').trim().split('\n');

/** Turns that write the file and put its name on the list, as the list was read. */
function signingTurns(path: string, body: Body): readonly ScriptedTurn[] {
  const name = path.slice('docs/'.length, -'.md'.length);
  const read = JSON.stringify(body.messages)
    .match(/export const names = \[([^\]]*)\];/g)
    ?.at(-1);
  const names = /\[(.*)\]/.exec(read ?? '')?.[1] ?? '';
  const content = `export const names = [${names}'${name}', ];`;
  const [begin, , , end] = writingTurns(path);
  const both = JSON.stringify(begin).replace(`["${path}"]`, `["${path}","src/list.js"]`);
  return [
    JSON.parse(both) as ScriptedTurn,
    turnOf(
      'I look for the list, and read its line.',
      call('grep', { pattern: 'names' }),
      readLines('src/list.js', 1, 1),
    ),
    turnOf(
      'I write the text and put the name on the list.',
      call('apply_patch', {
        files: [
          { path, content: `# ${path}\n` },
          { path: 'src/list.js', edits: [{ start_line: 1, content }] },
        ],
      }),
    ),
    ...(end === undefined ? [] : [end]),
  ];
}

describe('tasks that do not depend on each other', () => {
  it('run side by side, and the second patch is verified again on the first one', async () => {
    prepare(
      `${taskText('one', '')}${taskText('two', '')}`.replaceAll(
        'verify: none',
        'verify: node --test test/other.test.js',
      ),
      {
        'test/other.test.js': "require('node:test')('stands', () => {});\n",
        'package.json': '{}\n',
      },
    );
    // neither goes on until both are at work: one after the other would wait for ever
    model = await startWriter(barrier(2, 2), path => {
      const turns = writingTurns(path);
      return [...turns.slice(0, -1), prove, ...turns.slice(-1)];
    });
    const { code, said } = await run();
    expect(code, said).toBe(0);
    expect(statuses()).toEqual(['one COMPLETED', 'two COMPLETED']);
    expect(manifest()).toEqual(statuses());
    expect(subjects()).toHaveLength(2);
    for (const id of ['one', 'two']) expect(show(`docs/${id}.md`)).toBe(`# docs/${id}.md\n`);
    expect(said).toMatch(/^ *one: Round 1$/m);
    expect(said).toMatch(/^ *two: Round 1$/m);
    const again = git('log', '--format=%H', 'main..photon/workflow-pair').trim().split('\n');
    expect(new Set(state().tasks.map(t => t.commit))).toEqual(new Set(again));
    expect(state().tasks.map(t => t.attempts)).toEqual([1, 1]);
    const ledgers = [...said.matchAll(/ledger: +(\S+)/g)].map(m =>
      readFileSync(m[1] ?? '', 'utf8'),
    );
    expect(ledgers.filter(text => text.includes('"tool":"reapply"'))).toHaveLength(1);
  });

  it('conflict when they change the same lines, and the second one runs again on the first', async () => {
    const ask = (id: string) =>
      taskText(id, '').replace(`Write docs/${id}.md.`, `Write docs/${id}.md. Sign src/list.js.`);
    prepare(`${ask('one')}${ask('two')}`, { 'src/list.js': 'export const names = [];\n' });
    model = await startWriter(barrier(2, 2), signingTurns);
    const { code, said } = await run();
    expect(code, said).toBe(0);
    expect(statuses()).toEqual(['one COMPLETED', 'two COMPLETED']);
    expect(
      state()
        .tasks.map(t => t.attempts)
        .sort(),
    ).toEqual([1, 2]);
    expect(said).toMatch(
      /(one|two) conflicts with a parallel task \(BASE_CONFLICT\); it runs again/,
    );
    expect(show('src/list.js')).toMatch(/\['(one', 'two|two', 'one)', \]/);
    expect(subjects()).toHaveLength(2);
    expect(manifest()).toEqual(statuses());
  });
});
