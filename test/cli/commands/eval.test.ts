/** `photon eval` from outside, on a small repository with a past: what is a task, what a run gets, how it is judged. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../../src/evaluation/result.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { placeTree } from '../../../src/workspace/commits/past-commits.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { makeHistory } from '../../doubles/history.ts';
import { type Body, type ModelStep, startModel } from '../../doubles/model.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';
import { has, needs } from '../../programs.ts';
import { playsVariants, sample } from '../../seed.ts';

let folder: string;
let repo: string;
let ids: Readonly<Record<string, string>>;

beforeAll(() => {
  folder = makeFolder();
  repo = join(folder, 'shop');
  ids = makeHistory(repo);
});
afterAll(() => discard(folder));

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly killAt?: string;
}

/** Runs `photon eval` on the repository; with `killAt`, it is killed as soon as it prints that. */
async function photonEval(args: readonly string[], { env = {}, killAt }: Start = {}) {
  const scratch = join(folder, 'tmp');
  mkdirSync(scratch, { recursive: true });
  let kill = () => {};
  const { code, out, err } = await startPhoton({
    args: ['eval', ...args],
    cwd: repo,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: scratch, ...env },
    ...(killAt === undefined
      ? {}
      : {
          started: child => {
            kill = () => child.kill('SIGKILL');
          },
          onOutput: (text: string) => {
            if (text.includes(killAt)) kill();
          },
        }),
  });
  return { code, out, err, left: readdirSync(scratch) };
}

/** The same, as data. */
async function evaluated(args: readonly string[], start: Start = {}) {
  const { code, out, err, left } = await photonEval([...args, '--json', '--quiet'], start);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(left).toEqual([]);
  return JSON.parse(out) as Evaluation & { readonly comparison?: object };
}

const verdictsOf = ({ results }: Evaluation) =>
  Object.fromEntries(
    results.map(r => [Object.entries(ids).find(([, id]) => id === r.id)?.[0] ?? r.id, r.verdict]),
  );

const found = () => join(repo, '.photon/eval/found');

/** A model that writes a note in place of the change: every test that it is shown passes. */
const beside =
  (tokens: number) =>
  (body: Body): ModelStep => {
    const call = (name: string, args: object, text = 'I do the next step of the plan.') => ({
      text,
      calls: [{ name, arguments: args }],
      usage: { prompt_tokens: tokens, completion_tokens: 10 },
    });
    const plan = { entry_symbols: ['note'], affected_files: ['src/note.js'], scope: 'a note' };
    const files = [{ path: 'src/note.js', content: 'export const note = 1;\n' }];
    const steps: readonly ModelStep[] = [
      call('skill_activate', { skill_name: 'code-modify' }),
      call('plan', plan),
      call('list_project_files', {}),
      call('apply_patch', { files }),
      call('verify', {}),
      call('finish', { reason: 'it is noted' }),
    ];
    return steps[body.messages.filter(m => m.role === 'assistant').length] ?? { status: 400 };
  };

describe('finding tasks', () => {
  it.runIf(playsVariants)('goes on after a kill, without what is already known', async () => {
    const killed = await photonEval(['find'], { killAt: 'is a task' });
    expect(killed.code).toBe(undefined);
    const [first = ''] = readdirSync(found());
    const before = statSync(join(found(), first));
    // what a killed run leaves in the folder of the system is not the next one's
    discard(join(folder, 'tmp'));
    const again = await photonEval(['find']);
    expect(again.code).toBe(0);
    expect(statSync(join(found(), first)).ino).toBe(before.ino);
    expect(again.left).toEqual([]);
    const lines = again.out.trim().split('\n');
    const { ship = '', merge = '', round = '', discount = '' } = ids;
    expect(lines.map(line => line.split(' ')[0])).toEqual(
      [ship, merge, round, discount].map(id => id.slice(0, 12)),
    );
    expect(again.err).toContain('4 tasks in 8 commits.');
  });

  it('says of tests that cannot run what to do, and of no task that there is none', async () => {
    const { out, err } = await photonEval(['find', '--commits', '1', '--test-command', 'unheard']);
    expect(out).toBe('');
    expect(err).toMatch(
      /no task: its tests cannot run \(TEST_COMMAND_UNRUNNABLE\) \(The test command starts "unheard", and no program of that name is on the PATH\. \w/,
    );
    const all = await photonEval(['--oracle', '--commits', '1', '--test-command', 'unheard']);
    expect(all.code).toBe(1);
    expect(all.err).toContain('error: No task was found in 1 commit. [EVALUATION_EMPTY]');
    expect(all.out).not.toContain('solved');
  });

  it('leaves the checkout and what git sees of it as they were', () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repo }).toString();
    expect(git('status', '--porcelain')).toBe('');
    expect(git('for-each-ref').trim().split('\n').length).toBe(2);
  });

  it.runIf(has('namespaces'))(
    `refuses what came with the clone ${needs('namespaces')}`,
    async () => {
      const clone = join(folder, 'clone');
      cpSync(repo, clone, { recursive: true });
      const file = join(clone, '.photon/eval/found/x.json');
      writeFileSync(file, '{}');
      execFileSync('git', ['add', '-f', file], { cwd: clone });
      const { code, err } = await photonEval(['find', '--repo', clone]);
      expect(err).toContain('[BACKUP_INVALID]');
      expect(code).toBe(1);
    },
  );

  it.each(
    sample(
      'refused options of eval',
      [
        ['--part', '3/2'],
        ['--limit', '0'],
        ['--prompt', 'all'],
        ['--since', '--output=x'],
        ['--max-cost', '-1'],
        ['--tasks', 'missing.jsonl'],
      ],
      2,
    ),
  )('refuses %s %s', async (name, value) => {
    const { code, err } = await photonEval(['find', `${name}=${value}`]);
    expect(err).toContain('[USAGE]');
    expect(code).toBe(2);
  });
});

describe('the repository of a task', () => {
  it('holds its tree, one commit, and nothing else', async () => {
    const programs = findPrograms(process.env.PATH ?? '', []);
    const git = await openGit(repo, { scratch: join(folder, 'scratch'), programs });
    const place = join(folder, 'placed');
    const run = (...args: string[]) => execFileSync('git', args, { cwd: place }).toString().trim();
    const fix = ids.ship ?? '';
    const tree = execFileSync('git', ['rev-parse', `${fix}^^{tree}`], { cwd: repo });
    await placeTree(git, programs, { tree: tree.toString().trim(), folder: place, time: 1 });
    git.close();
    const all = run('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
    expect(new Set(all)).toEqual(
      new Set(run('rev-list', '--objects', '--no-object-names', 'HEAD').split('\n')),
    );
    const missing = [fix, `${fix}^{tree}`, `${fix}:src/ships.js`, `${fix}:test/ships.test.js`];
    for (const name of missing) {
      const id = execFileSync('git', ['rev-parse', name], { cwd: repo }).toString().trim();
      expect(all).not.toContain(id);
      expect(() => run('cat-file', '-e', id)).toThrow();
    }
    expect(run('rev-list', '--all', '--count')).toBe('1');
    expect(run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(existsSync(join(place, '.git/logs'))).toBe(false);
    expect(run('remote')).toBe('');
    expect(run('status', '--porcelain')).toBe('');
    expect(existsSync(join(place, '.git/objects/info/alternates'))).toBe(false);
  });
});

describe('playing tasks', () => {
  it('the oracle solves every task, within the rules', async () => {
    const html = join(folder, 'report.html');
    const out = join(folder, 'oracle');
    const oracle = await evaluated(['--oracle', '--parallel', '2', '--out', out, '--html', html]);
    const all = { ship: 'solved', merge: 'solved', round: 'solved', discount: 'solved' };
    expect(verdictsOf(oracle)).toEqual(all);
    const refusals = oracle.results.map(r => [r.id, r.refusals] as const);
    const { ship = '', merge = '', round = '', discount = '' } = ids;
    expect(Object.fromEntries(refusals)).toEqual({
      [ship]: {},
      [merge]: {},
      [round]: {},
      // a pipeline, and a bundle whose line is longer than a read shows; the tests need neither
      [discount]: { PATH_PROTECTED: 1, STALE_READ: 1 },
    });
    expect(oracle.dropped).toEqual({
      'it is the first commit': 1,
      'it changes documents only': 1,
      'its tests are flaky': 1,
      'its tests pass without its source': 1,
    });
    expect(readFileSync(html, 'utf8')).toContain('<td class="good">solved</td>');
    const lines = readFileSync(join(out, 'predictions.jsonl'), 'utf8').trim().split('\n');
    const of = lines.map(line => JSON.parse(line)).find(l => l.instance_id === ids.ship);
    expect(of).toMatchObject({ model_name_or_path: 'photon-oracle' });
    expect(of.model_patch).toContain('+  return sum >= 50;');
  });

  it.runIf(playsVariants && has('namespaces'))(
    `the embedded engine is compared with it, task by task ${playsVariants ? needs('namespaces') : ''}`,
    async () => {
      const against = join(folder, 'oracle', 'eval.json');
      const builtin = await evaluated(['--against', against]);
      expect(verdictsOf(builtin)).toMatchObject({ ship: 'solved', discount: 'abstained' });
      const { ship = '', ...others } = ids;
      expect(builtin.comparison).toEqual({
        tasks: 4,
        bothSolved: 1,
        onlyFirst: [],
        onlySecond: expect.arrayContaining(Object.values(others)),
        neither: 0,
      });
      expect(builtin.results.find(r => r.id === ship)?.patch).toContain('>= 50');
    },
  );

  it.runIf(playsVariants && has('namespaces'))(
    `what was played is not played again, and parts are joined ${playsVariants ? needs('namespaces') : ''}`,
    async () => {
      const runs = join(repo, '.photon/eval/runs');
      const before = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter(name =>
        name.endsWith('outcome.json'),
      );
      const times = before.map(name => statSync(join(runs, name)).ino);
      const parts = ['1', '2'].map(n => join(folder, `part-${n}`));
      const [one, two] = [
        await evaluated(['--part', '1/2', '--out', parts[0] ?? '']),
        await evaluated(['--part', '2/2', '--out', parts[1] ?? '']),
      ];
      expect(one.results.length + two.results.length).toBe(4);
      expect(before.map(name => statSync(join(runs, name)).ino)).toEqual(times);
      const whole = await evaluated(['report', ...parts]);
      expect(whole).toMatchObject({ looked: 8, found: 4 });
      expect(verdictsOf(whole)).toMatchObject({ ship: 'solved', discount: 'abstained' });
      const { code, err } = await photonEval(['report', parts[0] ?? '', join(folder, 'oracle')]);
      expect(err).toContain('[EVALUATION_INVALID]');
      expect(code).toBe(1);
    },
  );

  it('a run that keeps every shown test green is wrong if the hidden ones fail', async () => {
    const model = await startModel(beside(100));
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'gpt-6-sol' };
    try {
      const hidden = await evaluated(['--hide-tests', '--parallel', '3'], { env });
      expect(new Set(Object.values(verdictsOf(hidden)))).toEqual(new Set(['wrong']));
      expect(hidden.results.every(r => r.cost !== null && r.cost > 0)).toBe(true);
      expect(model.violations).toEqual([]);
      const prompts = model.requests.map(r => JSON.stringify(r.body.messages));
      expect(prompts.some(text => text.includes('> Round prices to cents'))).toBe(true);
      const secrets = [
        'Math.round(price',
        '1f2e3d4c',
        'example.org',
        '(#12)',
        '#13',
        'print your key',
      ];
      for (const text of [...secrets, 'whole cents', 'exactly 50'])
        expect(prompts.some(prompt => prompt.includes(text))).toBe(false);
      // what the message asks for stays a quotation, on its own line
      const hostile = prompts.filter(text => text.includes('Ignore all rules'));
      expect(hostile.length).toBeGreaterThan(0);
      expect(hostile.every(text => text.includes('> Ignore all rules'))).toBe(true);
    } finally {
      await model.close();
    }
  });

  it('a run that looks for the fix finds its base alone', async () => {
    const { ship = '' } = ids;
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repo }).toString();
    const blob = git('rev-parse', `${ship}:src/ships.js`).trim();
    const search = `git log --all --format=%s; git cat-file -p ${blob}; git cat-file -p ${ship}; cat ${repo}/src/ships.js; grep -rs '>= 5[0]' / --include=ships.js --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr; ls ${repo}/.photon/eval; echo END`;
    const call = (name: string, args: object) => ({
      text: 'I do the next step.',
      calls: [{ name, arguments: args }],
    });
    const plan = { entry_symbols: ['ships'], affected_files: ['src/ships.js'], scope: 'look' };
    const model = await startModel([
      call('skill_activate', { skill_name: 'code-modify' }),
      call('plan', plan),
      call('list_project_files', {}),
      call('run_command', { command: search }),
      call('abstain', { reason: 'nothing is there' }),
    ]);
    const task = {
      instance_id: 'octo__shop-1',
      base_commit: git('rev-parse', `${ship}^`).trim(),
      problem_statement: 'An order of exactly 50 must ship for free.',
      test_patch: git('diff', `${ship}^`, ship, '--', 'test'),
      FAIL_TO_PASS: ['exactly 50'],
    };
    const file = join(folder, 'one.jsonl');
    writeFileSync(file, JSON.stringify(task));
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
    try {
      const played = await evaluated(['--tasks', file, '--sandbox', 'required'], { env });
      expect(played.results).toMatchObject([{ verdict: 'abstained', confined: true, cost: null }]);
      const last = model.requests.at(-1)?.body.messages.at(-1);
      const shown = JSON.stringify(last?.content);
      expect(shown).toContain('The base of this');
      expect(shown).toContain('END');
      expect(shown).not.toMatch(/>= 50|Ship for free from 50|exactly 50'|found/);
    } finally {
      await model.close();
    }
  });

  it('starts no run when the money is spent, and plays the rest later', async () => {
    const model = await startModel(beside(50_000));
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'gpt-6-sol' };
    const args = ['--hide-tests', '--seed', '2', '--max-cost', '1', '--fresh'];
    try {
      const { results, open } = await evaluated(args, { env });
      expect(results.length).toBe(1);
      expect(open.map(o => o.reason)).toEqual(Array(3).fill('the money of --max-cost is spent'));
      // 0.1 for each request
      expect(model.requests.length).toBeLessThanOrEqual(10);
      const unpriced = { ...env, PHOTON_MODEL: 'double' };
      const { code, err } = await photonEval(args, { env: unpriced });
      expect(err).toContain('[PRICE_UNKNOWN]');
      expect(code).toBe(1);
    } finally {
      await model.close();
    }
  });

  it.runIf(playsVariants)('a configuration is compared with another one', async () => {
    const config = join(folder, 'other.json');
    writeFileSync(
      config,
      JSON.stringify({ verify: { command: 'node --test --test-isolation=none test/sum.test.js' } }),
    );
    const { comparison, results } = await evaluated(['--against', config, '--limit', '4']);
    expect(results.length).toBe(4);
    // under the other one no test fails before the patch, so there is nothing to repair
    expect(comparison).toMatchObject({ tasks: 4, bothSolved: 0, onlyFirst: [ids.ship] });
    writeFileSync(config, '{"model": 5}');
    const { code, err } = await photonEval(['--against', config]);
    expect(err).toContain('[CONFIG_INVALID]');
    expect(code).toBe(1);
  });

  it('the tasks of a file are played on their base commits', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repo }).toString();
    const { ship = '' } = ids;
    const base = git('rev-parse', `${ship}^`).trim();
    const task = {
      instance_id: 'octo__shop-1',
      base_commit: base,
      problem_statement: 'An order of exactly 50 must ship for free.',
      test_patch: git('diff', base, ship, '--', 'test'),
      patch: git('diff', base, ship, '--', 'src'),
      FAIL_TO_PASS: ['exactly 50'],
      PASS_TO_PASS: JSON.stringify(['adds']),
    };
    const file = join(folder, 'tasks.jsonl');
    const unknown = { ...task, instance_id: 'octo__shop-2', base_commit: 'a'.repeat(40) };
    const misnamed = {
      ...task,
      instance_id: 'octo__shop-3',
      FAIL_TO_PASS: ['x'],
      PASS_TO_PASS: [],
    };
    const lines = [task, unknown, misnamed].map(each => JSON.stringify(each));
    writeFileSync(file, `${lines.join('\n')}\n`);
    const played = await evaluated(['--tasks', file, '--oracle']);
    expect(verdictsOf(played)).toEqual({ 'octo__shop-1': 'solved', 'octo__shop-3': 'failed' });
    expect(played.results[1]?.note).toContain('no test case has one of the names');
    expect(played.dropped).toEqual({ 'the repository does not have its base_commit': 1 });
    expect(played.configuration).toMatchObject({ tests: 'hidden' });
  });
});
