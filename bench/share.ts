/**
 * What a run takes beside its model and two runs of the tests, on published packages: a scripted model writes a known
 * patch, and the built command line verifies and measures it with the default settings.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../src/base/outcome.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { discard, makeFolder, root } from '../test/harness.ts';
import { row } from './figures.ts';
import { editsOf } from './proof/run.ts';
import { type Regression, readPackages, readRegressions } from './real/data.ts';
import { commit, install, plantedProject } from './real/project.ts';

/** The goal: as long as a half of both runs of the tests, and three seconds. */
const allowed = (bothMs: number) => 0.5 * bothMs + 3_000;

/** A test of the function that the patch of a new function adds, by package. */
const tests: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  'find-my-way': { path: 'test/added.test.js', text: nodeTest('../lib/url-sanitizer.js') },
  qs: { path: 'test/added.js', text: tapeTest('../lib/parse.js') },
  '@fastify/proxy-addr': { path: 'test/added.test.js', text: nodeTest('../index.js') },
  'hash.js': { path: 'test/added-test.js', text: mochaTest('../lib/hash/common.js') },
  'fast-uri': { path: 'test/added.test.js', text: tapeTest('../index.js') },
};

function nodeTest(path: string): string {
  return `require('node:test')('adds', () => require('node:assert').equal(require('${path}').added(1), 2));\n`;
}
function tapeTest(path: string): string {
  return `require('tape')('adds', t => {\n  t.equal(require('${path}').added(1), 2);\n  t.end();\n});\n`;
}
function mochaTest(path: string): string {
  return `it('adds', () => require('node:assert').equal(require('${path}').added(1), 2));\n`;
}

interface Patch {
  readonly name: string;
  /** True: the fault is in the base, and the patch takes it away. */
  readonly isRepair: boolean;
}

const patches: readonly Patch[] = [
  { name: 'repair', isRepair: true },
  { name: 'function, test, changelog', isRepair: false },
];

const call = (name: string, args: object) => ({ name, arguments: args });
const turn = (...calls: ReturnType<typeof call>[]): ScriptedTurn => ({
  text: 'This is the next step of the change. It follows from the last one.',
  calls,
});

interface FilePatch {
  readonly path: string;
  readonly content?: string;
  readonly edits?: ReturnType<typeof editsOf>;
}

function scriptOf(files: readonly FilePatch[]): readonly ScriptedTurn[] {
  const requests = files.flatMap(({ path, edits = [] }) =>
    edits.map(e => ({
      file_path: path,
      start_line: Math.max(1, e.start_line - 3),
      end_line: e.end_line,
    })),
  );
  return [
    turn(
      call('skill_activate', { skill_name: 'code-modify' }),
      call('plan', {
        entry_symbols: ['main'],
        affected_files: files.map(f => f.path),
        scope: 'what the task asks',
        max_changed_lines: 60,
      }),
      call('list_project_files', {}),
    ),
    turn(call('read_code_block', { requests })),
    turn(call('apply_patch', { files })),
    turn(call('verify', {})),
    turn(call('finish', { reason: 'the tests pass' })),
  ];
}

function filesOf(
  repo: string,
  right: string,
  { bug, patch }: { bug: Regression; patch: Patch },
): readonly FilePatch[] {
  const before = readFileSync(join(repo, bug.file), 'utf8');
  if (patch.isRepair)
    return [
      { path: bug.file, edits: editsOf(before, readFileSync(join(right, bug.file), 'utf8')) },
    ];
  const { path = '', text = '' } = tests[bug.package] ?? {};
  const lines = before.trimEnd().split('\n');
  const added = `${lines.at(-1)}\nmodule.exports.added = function added(n) {\n  return n + 1;\n};\n`;
  return [
    {
      path: bug.file,
      edits: [{ start_line: lines.length, end_line: lines.length, content: added }],
    },
    { path, content: text },
    { path: 'NEWS.md', content: '# Next\n\n- Add a function\n- that adds one\n' },
  ];
}

/** What the model takes for each reply without `--think`, in milliseconds: less than the quick models of 2026 do. */
const defaultThinkMs = 2_000;

interface Played {
  readonly outcome: Outcome;
  /** Without the time that the model took. */
  readonly wallMs: number;
  readonly log: string;
}

/** One run of the built command line. */
async function playRun(
  repo: string,
  out: string,
  { test, thinkMs }: { readonly test: string; readonly thinkMs: number },
): Promise<(files: readonly FilePatch[]) => Promise<Played>> {
  return async files => {
    const script = scriptOf(files);
    const model = await startModel(async (_body, round) => {
      await sleep(thinkMs);
      return script[round] ?? { status: 400 };
    });
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PHOTON_API_KEY: 'k',
      PHOTON_BASE_URL: model.url,
      PHOTON_MODEL: 'gpt-6-sol',
    };
    const words = ['run', '--repo', repo, '--out', out, '--test-command', test];
    const task = 'Bring the sources to what their tests describe.';
    const started = performance.now();
    try {
      const log = await new Promise<string>(done => {
        const child = spawn(
          process.execPath,
          [join(root, 'dist', 'photon.js'), ...words, '--task', task],
          { env, stdio: ['ignore', 'pipe', 'pipe'] },
        );
        let text = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', data => (text += data));
        child.on('close', () => done(text));
      });
      const wallMs = performance.now() - started - thinkMs * model.requests.length;
      const paths = readdirSync(out, { recursive: true, encoding: 'utf8' });
      const found = paths.find(path => path.endsWith('outcome.json'));
      if (found === undefined) throw new Error(log.slice(-2000));
      const outcome = JSON.parse(readFileSync(join(out, found), 'utf8')) as Outcome;
      return { outcome, wallMs, log };
    } finally {
      await model.close();
    }
  };
}

/**
 * `npm run bench -- share [package...]`; with `--log`, the log of each run. With `--think=0`, the model answers at once, and
 * what a run does while a model thinks counts.
 */
export async function benchShare(words: readonly string[]): Promise<void> {
  const named = words.filter(word => !word.startsWith('--'));
  const think = words.find(word => word.startsWith('--think='))?.slice('--think='.length);
  const thinkMs = think === undefined ? defaultThinkMs : 1_000 * Number(think);
  const cache = join(tmpdir(), 'photon-bench-real');
  let [within, played] = [0, 0];
  for (const name of Object.keys(tests)) {
    const [found, bug] = [
      readPackages().get(name),
      readRegressions().find(r => r.package === name),
    ];
    if (found === undefined || bug === undefined) throw new Error(`no package ${name}`);
    if (named.length > 0 && !named.includes(name)) continue;
    const installed = install(found, cache);
    for (const patch of patches) {
      const folder = makeFolder();
      try {
        const repo = join(folder, 'repo');
        const planted = patch.isRepair ? bug : { ...bug, wrong: bug.right };
        plantedProject(installed, planted).write(repo);
        commit(repo);
        const files = filesOf(repo, join(installed, 'project'), { bug, patch });
        const play = await playRun(repo, join(folder, 'out'), { test: found.test, thinkMs });
        const { outcome, wallMs, log } = await play(files);
        if (words.includes('--log')) process.stdout.write(log);
        const { baseline, after, proof } = outcome.verification ?? {};
        const both = (baseline?.durationMs ?? 0) + (after?.durationMs ?? 0);
        const share = wallMs - both;
        const isWithin = outcome.verification?.passed === true && share <= allowed(both);
        played += 1;
        within += isWithin ? 1 : 0;
        const inS = (ms: number) => (ms / 1000).toFixed(1);
        const counts = Object.values(proof?.counts ?? {}).join('/');
        row(
          `${name}: ${patch.name} (${outcome.code})`,
          `${inS(share)} s beside ${inS(both)} s`,
          `${isWithin ? 'within' : 'OVER'} ${inS(allowed(both))} s; proof ${inS(proof?.durationMs ?? 0)} s ${counts} ${proof?.cut ?? ''}`,
        );
      } finally {
        discard(folder);
      }
    }
  }
  row('runs within 0.5 x both runs + 3 s', `${within} of ${played}`, 'all');
}
