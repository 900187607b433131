import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../src/settings/settings.ts';
import { auditWorkflow, unknownOutputs } from './doubles/workflow-audit.ts';
import { lintWorkflow } from './doubles/workflow-lint.ts';
import { lostRuns, readWorkflow } from './doubles/workflow-scheduler.ts';
import { discard, makeFolder, root } from './harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const cli = join(root, 'dist', 'photon.js');

function photon(args: readonly string[]) {
  const run = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** A git repository of its own with these files. */
function repository(name: string, files: Readonly<Record<string, string>> = {}): string {
  const repo = join(folder, name);
  mkdirSync(repo);
  execFileSync('git', ['init', '-q', repo]);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repo, path), text);
  return repo;
}

const node = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
  'package-lock.json': '{}',
};

/** Workflows that the project ships, shows and writes, by name. */
function workflows(): [string, string][] {
  const shipped = join(root, '.github', 'workflows');
  const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()];
  const plain = repository('plain');
  photon(['init', '--repo', plain]);
  const full = repository('full', node);
  photon(['init', '--repo', full, '--model', 'gpt-5', '--schedule', '--ref', 'a'.repeat(40)]);
  const written = (repo: string) =>
    readFileSync(join(repo, '.github/workflows/photon.yml'), 'utf8');
  return [
    ...readdirSync(shipped).map((f): [string, string] => [
      f,
      readFileSync(join(shipped, f), 'utf8'),
    ]),
    ...pages.flatMap(page =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/```ya?ml\n([\s\S]*?)```/g)]
        .map(m => m[1] ?? '')
        .filter(text => /^jobs:/m.test(text))
        .map((text, i): [string, string] => [`${page} ${i + 1}`, text]),
    ),
    ...readdirSync(join(root, 'examples'))
      .filter(name => name.endsWith('.yml'))
      .map((f): [string, string] => [
        `examples/${f}`,
        readFileSync(join(root, 'examples', f), 'utf8'),
      ]),
    ['photon init', written(plain)],
    ['photon init --model --schedule', written(full)],
  ];
}

/** What the expressions of a workflow see when somebody comments on issue 7. */
const comment = (body: string, run: number) => ({
  vars: {},
  github: {
    event_name: 'issue_comment',
    event: { action: 'created', comment: { body }, issue: { number: 7, labels: [] } },
    ref: 'refs/heads/main',
    repository: 'octo/shop',
    run_id: 100 + run,
  },
});

const threeComments = [
  '/photon fix the rounding',
  '/photon fix the discount',
  'Nice to see this moving!',
  'Does /photon know of this?',
  '/photon review',
];

/** The workflow that Photon's first users copied: its group is taken before `if:`. */
const early = `on: issue_comment
concurrency:
  group: photon-\${{ github.event.issue.number }}
  cancel-in-progress: false
jobs:
  photon:
    if: contains(github.event.comment.body, '/photon')
`;

const everyWorkflow = workflows();

describe('the scheduler of GitHub', () => {
  const all = everyWorkflow.filter(([, text]) => /uses: (?:photon\/agent-action|\.\/)/.test(text));
  const commented = all.filter(([, text]) => readWorkflow(text).events.includes('issue_comment'));
  const events = threeComments.map(comment);

  it('is asked about every workflow that comments start', () =>
    expect(commented.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'README.md 1',
        'examples/comment-commands.yml',
        'own-photon.yml',
        'photon init',
      ]),
    ));

  it.each(commented)('%s loses no command while another one runs', (_, text) =>
    expect(lostRuns(text, events)).toEqual([]),
  );

  it('loses a waiting command in a group of the workflow, and in one without a queue', () => {
    expect(lostRuns(early, events.slice(0, 3))).toEqual([1]);
    const inJob = `${early.replace(/^concurrency:\n.*\n.*\n/m, '')}    concurrency: photon\n`;
    expect(lostRuns(inJob, events.slice(0, 3))).toEqual([]);
    expect(lostRuns(inJob, events)).toEqual([1, 3]);
  });

  it.each(all)('%s takes its place in a group only behind the condition of its job', (_, text) => {
    const { workflow, job } = readWorkflow(text);
    const isShared = Object.keys(workflow.jobs).length > 1 && job.concurrency === undefined;
    // several jobs of one run share a place; no event that somebody else causes starts these
    if (isShared)
      expect(readWorkflow(text).events.join()).toMatch(
        /^(?:workflow_dispatch|workflow_call|schedule)(?:,|$)/,
      );
    else expect(workflow.concurrency).toBeUndefined();
  });
});

describe('every workflow that the project ships, shows or writes', () => {
  const all = everyWorkflow;

  it('is looked at', () => {
    expect(all.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'ci.yml',
        'photon.yml',
        'photon-fleet.yml',
        'photon-workflow.yml',
        'docs/workflows.md 1',
        'README.md 1',
        'photon init',
      ]),
    );
  });

  it.each(all)('%s is clean for actionlint', async (name, text) => {
    expect(await lintWorkflow(text, `.github/workflows/${name.replace(/\W+/g, '-')}.yml`)).toEqual(
      [],
    );
  });

  it.each(all)('%s is clean for a security review', (_, text) => {
    expect(auditWorkflow(text)).toEqual([]);
    expect(unknownOutputs(text)).toEqual([]);
  });

  it('is held to rules that find something', async () => {
    const bad = `on: pull_request_target
permissions: write-all
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: photon/agent-action@v2
        with: { tassk: x }
      - run: echo \${{ github.event.issue.title }} \${{ steps.photon.outputs.nothing }}
`;
    expect(auditWorkflow(bad).map(f => f.split(' ').slice(0, 3).join(' '))).toEqual([
      'dangerous-triggers: pull_request_target',
      'no concurrency group',
      'excessive-permissions: the workflow:',
      'a: no timeout-minutes',
      'a: artipacked: checkout',
      'a: there is',
      'a: template-injection: an',
      'unpinned-uses: actions/checkout@v5',
    ]);
    expect(unknownOutputs(bad)).toEqual(['nothing']);
    expect((await lintWorkflow(bad, 'bad.yml')).map(f => f.kind)).toContain('expression');
  });
});

interface SignedWorkflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps?: readonly { readonly uses?: string; readonly id?: string }[];
      }
    >
  >;
}

describe('what a run proved is signed', () => {
  /** Why these sign nothing. */
  const unsigned: Readonly<Record<string, string>> = {
    'examples/enterprise-server.yml': 'an Enterprise Server keeps no attestations',
    'examples/review.yml': 'it delivers no patch',
  };
  const real = everyWorkflow
    .filter(([name]) => !/^(?:docs\/|README)/.test(name))
    .map(([name, text]) => [name, parse(text) as SignedWorkflow] as const);
  const running = real.filter(([name, { jobs }]) => {
    const steps = Object.values(jobs).flatMap(job => job.steps ?? []);
    return !(name in unsigned) && steps.some(s => s.uses?.startsWith('photon/agent-action@'));
  });

  it('by each workflow with a run that can deliver a patch', () =>
    expect(running.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'photon.yml',
        'photon-fleet.yml',
        'photon-workflow.yml',
        'own-photon.yml',
        'examples/label.yml',
        'photon init',
      ]),
    ));

  it.each(running)('%s: by a job of its own, with no other right', (_, { jobs }) => {
    const signing = Object.values(jobs).filter(job =>
      job.steps?.some(step => step.uses?.startsWith('actions/attest@')),
    );
    expect(signing).toHaveLength(1);
    expect(signing[0]?.permissions).toEqual({ 'id-token': 'write', attestations: 'write' });
    const uses = signing[0]?.steps?.map(step => step.uses ?? '') ?? [];
    expect(uses.some(use => use.startsWith('photon/') || use.startsWith('actions/checkout'))).toBe(
      false,
    );
    expect(uses.some(use => use.startsWith('actions/download-artifact@'))).toBe(true);
  });

  const calls = everyWorkflow.flatMap(([name, text]) =>
    Object.values((parse(text) as SignedWorkflow).jobs).flatMap(({ uses = '', permissions }) => {
      const called = /^photon\/agent-action\/(.*)@/.exec(uses)?.[1];
      return called === undefined ? [] : [[name, called, permissions ?? {}] as const];
    }),
  );

  it('by called workflows, too', () => {
    const called = ['photon-fleet.yml', 'photon-workflow.yml'].map(n => `.github/workflows/${n}`);
    expect([...new Set(calls.map(([, path]) => path))].sort()).toEqual(called);
  });

  it.each(calls)('%s grants each permission that a job of %s needs', (_, called, granted) => {
    const { jobs } = parse(readFileSync(join(root, called), 'utf8')) as SignedWorkflow;
    // GitHub starts no run whose called workflow asks for more
    const lacking = Object.values(jobs).flatMap(({ permissions = {} }) =>
      Object.entries(permissions).filter(
        ([name, level]) => granted[name] !== 'write' && granted[name] !== level,
      ),
    );
    expect(lacking).toEqual([]);
  });
});

describe('photon init', () => {
  it('writes three files that are valid together, and leaves them alone the second time', () => {
    const repo = repository('fresh', node);
    const first = photon(['init', '--repo', repo, '--schedule']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout.match(/^wrote/gm)).toHaveLength(3);
    const config = readFileSync(join(repo, '.photon/config.json'), 'utf8');
    expect(parseConfig(config, 'config')).toMatchObject({
      verify: { command: 'npm test', setup: 'npm ci' },
    });
    // a repository's configuration may not open the network; its workflow may
    expect(readFileSync(join(repo, '.github/workflows/photon.yml'), 'utf8')).toContain(
      '          network: setup #',
    );
    expect(photon(['validate', '--repo', repo])).toMatchObject({ code: 0 });
    writeFileSync(join(repo, 'constitution.md'), 'my own');
    const second = photon(['init', '--repo', repo, '--model', 'other']);
    expect(second.stdout.match(/^kept/gm)).toHaveLength(3);
    expect(readFileSync(join(repo, 'constitution.md'), 'utf8')).toBe('my own');
    expect(readFileSync(join(repo, '.photon/config.json'), 'utf8')).toBe(config);
  });

  it('shows them without writing', () => {
    const repo = repository('dry', node);
    const { code, stdout } = photon(['init', '--repo', repo, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('# .github/workflows/photon.yml');
    expect(readdirSync(repo).sort()).toEqual(['.git', 'package-lock.json', 'package.json']);
  });

  it.each([
    ['a folder without git', 1, () => ['--repo', folder], 'CHECKOUT_MISSING'],
    [
      'a model that is no word',
      2,
      () => ['--repo', repository('word'), '--model', 'a: b\n'],
      '--model',
    ],
    ['a stray word', 2, () => ['--repo', repository('stray'), 'now'], 'Unexpected argument "now".'],
  ])('refuses %s', (_, status, args, says) => {
    const { code, stderr } = photon(['init', ...args()]);
    expect(code).toBe(status);
    expect(stderr).toContain(says);
  });
});
