/** Every command in the situations that a newcomer meets: each ends in one sentence with a code, and one thing to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/index.ts';
import { GitStore } from '../doubles/git-store.ts';
import { startGitHub } from '../doubles/github.ts';
import { sampleFiles } from '../doubles/sample.ts';
import { discard, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { sample } from '../seed.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = makeFolder();
  const store = new GitStore();
  store.push('main', sampleFiles);
  store.clone(at('checkout'));
  store.close();
  for (const name of ['plain', 'home']) mkdirSync(at(name));
  execFileSync('git', ['init', '-q', at('empty')]);
  execFileSync('git', ['init', '-q', '--bare', at('bare')]);
  writeFileSync(at('file'), 'not a folder\n');
  writeFileSync(at('broken.json'), '{"a"');
});
afterAll(() => discard(folder));

interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

function photon(
  args: readonly string[],
  { cwd = 'checkout', ...env }: { readonly cwd?: string } & Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const base = { PATH: process.env.PATH ?? '', HOME: at('home'), TMPDIR: folder };
  return startPhoton({ args, cwd: at(cwd), env: { ...base, ...env } });
}

/** Texts of programs and libraries, which no person should have to read. */
const raw =
  /INTERNAL|fatal:|^\s+at .*:\d+:\d+|ZodError|"code": "|git [a-z-]+ failed|ambiguous argument|E[A-Z]{4,}:|node:internal/m;

/** The ending that a person can use: an error with a code, and after it one help, each in one line. */
function expectEnding({ code, err, out }: Ran, wanted: string): void {
  expect(`${out}${err}`).not.toMatch(raw);
  const lines = err.trimEnd().split('\n').slice(-2);
  expect(lines, err).toEqual([
    expect.stringMatching(new RegExp(`^error: .+ \\[${wanted}\\]$`)),
    expect.stringMatching(/^help: \S.+/),
  ]);
  expect(code).toBe(wanted === 'USAGE' || wanted === 'TASK_MISSING' ? 2 : 1);
}

/** A form of each command that asks for work in a checkout. */
const inCheckout = [
  'run --task x',
  'ask x',
  'runs',
  'show',
  'apply',
  'undo',
  'undo --list',
  'init',
  'validate',
  'verify abcdef1',
  'memory list',
  'memory export',
  'memory show x',
  'workflow run x',
  'workflow status x',
  'workflow approve x y',
  'workflow validate',
  'mcp digest x',
];

/** Commands that work anywhere, and `doctor`, which reports a missing checkout among other things. */
const anywhere = ['audit', 'codes', 'demo', 'doctor', 'fleet', 'replay', 'skills'];

it('the table has every command', () => {
  const named = [...inCheckout, ...anywhere].map(form => form.split(' ')[0] ?? '');
  expect([...new Set(named)].sort()).toEqual([...commands.keys()].sort());
});

describe.each([
  ['no repository', 'plain', 'is not in the work tree of a git repository'],
  ['a bare repository', 'bare', 'is not in the work tree of a git repository'],
])('%s', (_name, cwd, says) => {
  it.each(sample('forms outside of a checkout', inCheckout, 5))('photon %s', async form => {
    const ran = await photon(form.split(' '), { cwd });
    expectEnding(ran, 'CHECKOUT_MISSING');
    expect(ran.err).toContain(says);
    expect(ran.err).toContain('At a terminal, use --repo');
  });
});

describe('a repository without a commit', () => {
  it.each(sample('forms without a commit', ['run --task x', 'ask x', 'verify abcdef1'], 2))(
    'photon %s',
    async form => {
      const ran = await photon(form.split(' '), { cwd: 'empty' });
      expectEnding(ran, 'CHECKOUT_MISSING');
      expect(ran.err).toContain('has no commit yet');
      expect(ran.err).toContain('Make a first commit');
    },
  );
});

describe('no such folder', () => {
  it.each(sample('forms in no folder', [...inCheckout, 'doctor', 'skills list', 'mcp'], 4))(
    'photon %s --repo',
    async form => {
      expectEnding(await photon([...form.split(' '), '--repo', at('nowhere')]), 'USAGE');
    },
  );
});

describe('arguments that a command does not take', () => {
  it.each(
    sample(
      'forms with one argument more',
      [
        ...['runs', 'undo', 'init', 'validate', 'doctor', 'demo', 'skills list'],
        ...['show a', 'apply a', 'codes USAGE', 'audit a', 'verify a', 'replay a', 'skills new a'],
        ...['show --session a', 'memory list', 'memory export', 'workflow run a'],
        ...['workflow approve a b', 'mcp', 'mcp digest a'],
      ],
      5,
    ),
  )('photon %s extra', async form => {
    expectEnding(await photon([...form.split(' '), 'extra']), 'USAGE');
  });

  it.each(sample('commands with an unknown option', [...commands.keys()], 4))(
    'photon %s --no-such-option',
    async name => {
      const ran = await photon([name, '--no-such-option']);
      expectEnding(ran, 'USAGE');
      expect(ran.err).toContain('There is no option --no-such-option.');
    },
  );

  it.each(
    sample(
      'near names',
      [
        [['runs', '--jsn'], '--json'],
        [['codes', 'VERIFY_FAILD'], 'VERIFY_FAILED'],
        [['skils'], 'photon skills'],
        [['memory', 'lst'], 'list'],
      ],
      2,
    ),
  )('%j names the nearest', async (args, near) => {
    const ran = await photon(args);
    expectEnding(ran, 'USAGE');
    expect(ran.err).toContain(`Did you mean ${near}?`);
  });
});

describe('a missing file', () => {
  it.each(
    sample(
      'forms of a missing file',
      [
        ['audit nowhere', 'LEDGER_MISSING'],
        ['replay nowhere', 'FILE_UNREADABLE'],
        ['verify nowhere', 'EVIDENCE_MISSING'],
        ['verify abcdef1 --run nowhere', 'RUN_UNKNOWN'],
        ['skills check nowhere', 'SKILL_INVALID'],
        ['workflow run nowhere', 'WORKFLOW_MISSING'],
        ['show nowhere', 'RUN_UNKNOWN'],
        ['apply nowhere', 'RUN_UNKNOWN'],
        ['run --task x --config nowhere.json', 'CONFIG_MISSING'],
        ['ask x --config nowhere.json', 'CONFIG_MISSING'],
        ['validate --config nowhere.json', 'CONFIG_MISSING'],
        ['validate --agent-profile nowhere.json', 'PROMPT_INVALID'],
        ['skills list --config nowhere.json', 'CONFIG_MISSING'],
        ['mcp digest x --config nowhere.json', 'CONFIG_MISSING'],
      ],
      8,
    ),
  )('photon %s: %s', async (form, code) => {
    expectEnding(await photon(form.split(' ')), code);
  });
});

/** Each command with `--on`, in a form that goes to GitHub. */
const remote = ['doctor', 'memory list', 'verify 3'];

describe('a repository on GitHub', () => {
  it.each(sample('remote forms without a token', remote, 2))(
    'photon %s --on, without a token',
    async form => {
      expectEnding(await photon([...form.split(' '), '--on', 'octo/sample']), 'GITHUB_AUTH');
    },
  );

  it.each(sample('remote forms of another name', remote, 2))(
    'photon %s --on, in another form than OWNER/NAME',
    async form => {
      const ran = await photon([...form.split(' '), '--on', 'https://github.com/octo/sample.git']);
      expectEnding(ran, 'USAGE');
      expect(ran.err).toContain('help: Write it as octo/sample.');
    },
  );

  it.each(sample('remote forms of no repository', remote, 1))(
    'photon %s --on, that is not there, or to a bad token',
    async form => {
      const github = await startGitHub({ seed: sampleFiles });
      const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token };
      // so that nothing is waited for between tries
      Object.assign(env, { PHOTON_MUTATION_SPACING_MS: '0' });
      const args = [...form.split(' '), '--on'];
      const isRepository = (_: string, path: string) => path === '/repos/octo/sample';
      github.fail(isRepository, { status: 404, body: { message: 'Not Found' } });
      try {
        expectEnding(await photon([...args, 'octo/sample'], env), 'GITHUB_REPOSITORY');
        const dead = { ...env, GITHUB_TOKEN: 'dead' };
        expectEnding(await photon([...args, 'octo/sample'], dead), 'GITHUB_AUTH');
      } finally {
        await github.close();
      }
      expectEnding(await photon([...args, 'octo/sample'], env), 'GITHUB_UNAVAILABLE');
    },
  );
});

describe('a folder that cannot be written', () => {
  it.each(
    sample(
      'forms at a file',
      [
        'run --task x --out ../file',
        'run --task x --out ../file/in',
        'ask x --model m --base-url http://127.0.0.1:1/v1 --out ../file',
        'skills new name --in ../file',
      ],
      2,
    ),
  )('photon %s', async form => {
    expectEnding(await photon(form.split(' ')), 'DISK');
  });
});
