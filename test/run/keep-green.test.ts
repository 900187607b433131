import { describe, expect, it } from 'vitest';
import { addComment, addPull, comment, permit } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { done, prove, type repairScript, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { activate, call, planOf, readLines, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { resolve, resolveScript } from './resolve-script.ts';
import {
  expectSound,
  expectWholeSession,
  openGitHub,
  type Played,
  playOn,
  type Scenario,
} from './scenario.ts';

const at = '2026-02-01T11:00:00Z';
const command = 900;

interface Stage {
  readonly github: GitHubDouble;
  /** One event as the workflow gets it; how often the model was asked, and what it saw. */
  step(
    event: NonNullable<Scenario['event']>,
    script?: typeof repairScript,
  ): Promise<Played & { readonly asked: number; readonly seen: string }>;
  head(): string;
  /** Fails or passes the check on a commit. */
  check(sha: string, conclusion: 'failure' | 'success', name?: string): void;
  /** A push by a person. */
  push(branch: string, files: Record<string, string>): string;
}

const commanded = (stage: Stage) => {
  const body = '/photon keep-green';
  addComment(stage.github.state, { id: command, issue: 3, body });
  return comment({ id: command, body, pull: true, number: 3 });
};
const suite = () => ({
  name: 'check_suite',
  payload: { action: 'completed', check_suite: { pull_requests: [{ number: 3 }] } },
});
const tested = { ...sampleFiles, ...testedByNode };

/** Pull request 3 of a branch, whose check fails. */
async function watch(
  check: (stage: Stage) => Promise<void>,
  seed: Readonly<Record<string, string>> = sampleFiles,
): Promise<void> {
  const github = await openGitHub(seed);
  const { store, state } = github;
  const push: Stage['push'] = (branch, files) => store.push(branch, files, 'By hand', new Date(at));
  const head = () => store.commitOf('feature') ?? '';
  let id = 7_000;
  const stage: Stage = {
    github,
    push,
    head,
    check: (sha, conclusion, name = 'test') => {
      id += 1;
      state.surface.checks.push({ id, name, sha, conclusion, app: 'other', summary: '1800 !== 0' });
    },
    step: async (event, script) => {
      const run = await playOn(github, { script, event, checkout: 'feature' });
      expectSound(run);
      expectWholeSession(run);
      const { requests } = run.model;
      return { ...run, asked: requests.length, seen: JSON.stringify(requests.at(-1)) };
    },
  };
  permit(github);
  push('feature', { 'NOTES.md': 'work\n' });
  addPull(state);
  stage.check(head(), 'failure');
  await check(stage);
}

/** A lock file of npm with these packages of the folder `libs`. */
const lock = (...names: readonly string[]): string => {
  const packages = {
    '': { name: 'sample', version: '1.0.0', workspaces: ['libs/*'] },
    ...Object.fromEntries(names.map(name => [`libs/${name}`, { version: '1.0.0' }])),
    ...Object.fromEntries(
      names.map(name => [`node_modules/${name}`, { resolved: `libs/${name}`, link: true }]),
    ),
  };
  const about = { name: 'sample', version: '1.0.0', lockfileVersion: 3, requires: true };
  return `${JSON.stringify({ ...about, packages }, null, 2)}\n`;
};

/** The manifest with these packages of the folder `libs`. */
const manifest = (...names: readonly string[]): string => {
  const workspaces = names.map(name => `libs/${name}`);
  return `${JSON.stringify({ ...JSON.parse(testedByNode['package.json']), workspaces }, null, 2)}\n`;
};

const pack = (name: string, more: object = {}) => ({
  [`libs/${name}/package.json`]: `${JSON.stringify({ name, version: '1.0.0', ...more }, null, 2)}\n`,
});

const withPackages = {
  ...sampleFiles,
  'src/price.js': (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)'),
  'package.json': JSON.stringify({
    ...JSON.parse(testedByNode['package.json']),
    workspaces: ['libs/*'],
  }),
  ...pack('first'),
  'package-lock.json': lock('first'),
};

/** Looks at the conflict, and has the tests judge what the tool makes of it. */
const verifyScript: typeof repairScript = [
  turnOf(
    'The base was merged, and its lock file has a conflict that its tool resolves.',
    activate('test-repair'),
    planOf(['package-lock.json'], 12, 'packages'),
    call('grep', { pattern: 'node_modules/first' }),
  ),
  prove,
  done,
];

const listed = {
  ...withPackages,
  'package.json': manifest('first'),
  'test/libs.test.js': [
    "import assert from 'node:assert/strict';",
    "import { readdirSync, readFileSync } from 'node:fs';",
    "import test from 'node:test';",
    "test('each package is locked', () => {",
    "  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));",
    "  for (const name of readdirSync('libs')) assert(packages['node_modules/' + name], name);",
    '});',
    '',
  ].join('\n'),
};

/** Leaves a comma that npm cannot read, then forgets the package of the base, and then keeps both. */
const manifestScript: typeof repairScript = [
  turnOf(
    'The base was merged, and the list of packages has a conflict.',
    activate('test-repair'),
    planOf(['package.json'], 20, 'workspaces'),
  ),
  turnOf(
    'Both sides added a package to one list, so I read it with its marks.',
    readLines('package.json', 8, 18),
  ),
  resolve('    "libs/first",\n    "libs/ours",', 17, 'package.json'),
  prove,
  resolve('    "libs/first",\n    "libs/ours"', 10, 'package.json'),
  prove,
  resolve('    "libs/first",\n    "libs/ours",\n    "libs/theirs"', 10, 'package.json'),
  prove,
  done,
];

const isMerged = ({ github }: Stage) =>
  github.store.tryGit(['merge-base', '--is-ancestor', 'main', 'feature']) !== undefined;

describe('/photon keep-green', () => {
  it('makes a pull request with a failing check, a conflict and a moved base green, a ledger for each step', async () => {
    await watch(async stage => {
      const { store, violations } = stage.github;
      const source = sampleFiles['src/price.js'] ?? '';
      const change = (branch: string, to: string) => {
        const file = { 'src/price.js': source.replace('total >= 5000', to) };
        const sha = stage.push(branch, file);
        stage.check(sha, branch === 'main' ? 'success' : 'failure');
      };
      change('feature', 'total > 4999');
      change('main', 'Math.round(total) >= 5000');
      const repaired = await stage.step(commanded(stage));
      expect(violations).toEqual([]);
      expect(repaired.outcome.code, repaired.outcome.message).toBe('COMMITTED');
      const before = stage.head();
      stage.check(before, 'success');
      const resolved = await stage.step(suite(), resolveScript);
      expect(resolved.outcome.code, resolved.outcome.message).toBe('COMMITTED');
      expect(resolved.outcome.base).toMatchObject({
        commit: before,
        merged: store.commitOf('main'),
      });
      expect(violations).toEqual([]);
      expect(store.git(['rev-parse', 'feature^1', 'feature^2']).split('\n')).toEqual([
        before,
        store.commitOf('main'),
      ]);
      const text = store.git(['show', 'feature:src/price.js']);
      expect(text).toContain('return Math.round(total) > 4999;');
      expect(text).toContain('discountPercent / 100)');
      stage.check(stage.head(), 'success');
      stage.check(stage.push('main', { 'docs.md': 'moved\n' }), 'success');
      const merged = await stage.step(suite());
      expect([merged.outcome.code, merged.asked]).toEqual(['WATCHED', 0]);
      stage.check(stage.head(), 'success');
      const green = await stage.step(suite());
      expect([green.outcome.code, green.asked]).toEqual(['WATCHED', 0]);
      expect(isMerged(stage)).toBe(true);
      for (const { ledger } of [repaired, resolved, merged, green])
        expect(ledger.at(-1)?.tool).toBe('run.end');
    }, tested);
  });

  it('has it made anew after the conflict of the manifest, and again with each resolution', async () => {
    await watch(async stage => {
      const { store, state } = stage.github;
      state.surface.checks.splice(0);
      const push = (branch: string, name: string) =>
        stage.push(branch, {
          ...pack(name),
          'package.json': manifest('first', name),
          'package-lock.json': lock('first', name),
        });
      push('feature', 'ours');
      push('main', 'theirs');
      const run = await stage.step(commanded(stage), manifestScript);
      expect(run.outcome.code, run.outcome.message).toBe('COMMITTED');
      const verdicts = run.ledger.filter(e => e.tool === 'verify');
      const told = ['facts', 'code', 'baseline', 'after', 'states', 'verification', 'reason'];
      // the second has differed on another machine, and why is not known: if it does again, the message shows it
      expect(verdicts, JSON.stringify(verdicts, told)).toMatchObject([
        { facts: { code: 'BASE_CONFLICT' } },
        { facts: { baseline: 1 } },
        { facts: { after: 0 } },
      ]);
      expect(run.seen).toContain('npm error code EJSONPARSE');
      const branch = [...state.pulls.values()].find(p => p.base === 'feature')?.head ?? '';
      const { packages } = JSON.parse(store.git(['show', `${branch}:package-lock.json`]));
      expect(Object.keys(packages)).toEqual(
        expect.arrayContaining(['node_modules/ours', 'node_modules/theirs']),
      );
    }, listed);
  });

  it.runIf(playsVariants)(
    'leaves a lock file to people that npm cannot make, before the model is asked',
    async () => {
      await watch(async stage => {
        stage.github.state.surface.checks.splice(0);
        // both sides add a package of one name, which npm refuses
        const same = { name: 'same' };
        stage.push('feature', {
          ...pack('ours', same),
          'package-lock.json': lock('first', 'ours'),
        });
        stage.push('main', {
          ...pack('theirs', same),
          'package-lock.json': lock('first', 'theirs'),
        });
        const before = stage.head();
        const { outcome, asked } = await stage.step(commanded(stage), verifyScript);
        expect([outcome.status, outcome.code, asked]).toEqual(['abstained', 'BASE_CONFLICT', 0]);
        expect(outcome.message).toMatch(
          /^The conflict in package-lock\.json is left to people: "npm install --package-lock-only .*", which makes it anew, failed with \d+ without network\.$/,
        );
        expect(stage.head()).toBe(before);
      }, withPackages);
    },
  );

  const member = 'libs/first/package-lock.json';
  const withMember = { ...withPackages, [member]: lock('first') };

  const instead = ['package-lock.json', ...(playsVariants ? ['no such file'] : [])];
  it.runIf(playsVariants).each(instead)(
    'leaves a lock file to people if npm wrote %s',
    async wrote => {
      await watch(async stage => {
        stage.github.state.surface.checks.splice(0);
        const add = (name: string) => (wrote === 'no such file' ? {} : pack(name));
        stage.push('feature', { ...add('ours'), [member]: lock('first', 'ours') });
        stage.push('main', { ...add('theirs'), [member]: lock('first', 'theirs') });
        const { outcome, asked } = await stage.step(commanded(stage), verifyScript);
        expect([outcome.status, outcome.code, asked]).toEqual(['abstained', 'BASE_CONFLICT', 0]);
        expect(outcome.message).toContain(`The conflict in ${member} is left to people: "npm `);
        expect(outcome.message).toContain(`anew, wrote ${wrote} without network`);
      }, withMember);
    },
    600_000,
  );
});
