/** What GitHub is asked before a run asks its model: the answers that end the run, and those that do not. */
import { afterEach, expect, it } from 'vitest';
import type { PhotonError } from '../../../../src/base/codes.ts';
import { checkBeforehand } from '../../../../src/hosts/github/delivery/deliver.ts';
import { type Fault, type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import type { RefRules } from '../../../doubles/routes/refs.ts';
import { clientOf } from '../publication.ts';

let github: GitHubDouble;
afterEach(() => github.close());

interface Situation {
  readonly refRules?: RefRules;
  readonly baseRef?: string;
  readonly settings?: object;
  readonly task?: object;
  readonly arrange?: () => void;
  /** The branch whose head is checked out; absent: the first commit of `main`. */
  readonly startsAt?: string;
  /** Owner of the token; absent for a bot. */
  readonly login?: string;
}

/** The code that the check ends with, or `ready`; then its message or notes. */
async function check(situation: Situation) {
  const { refRules, baseRef = 'main', settings, task, arrange, login } = situation;
  github = await startGitHub({ seed: { 'a.txt': 'one\n' }, refRules });
  const { first: baseCommit, repository } = github;
  arrange?.();
  const begins = situation.startsAt ? github.store.commitOf(situation.startsAt) : baseCommit;
  const opened = await clientOf({
    apiUrl: github.url,
    token: github.token,
    repository: github.repository,
  });
  const client = { ...opened, self: async () => login };
  const about = { delivery: 'pull-request', branchPrefix: 'photon/', baseMoved: 'follow' };
  const environment = {
    ...{ repository, baseRef: 'main', baseCommit: begins, github: client },
    settings: { ...about, ...settings },
  };
  const notes: string[] = [];
  const run = {
    task: { id: 'task-1', baseRef, ...task },
    mode: { target: 'publish' },
    changes: true,
    note: (text: string) => notes.push(text),
  };
  return checkBeforehand(environment as never, run as never).then(
    () => ['ready', notes.join('\n')] as const,
    ({ code, message }: PhotonError) => [code, message] as const,
  );
}

const listed = (type: string, parameters?: object): RefRules['listed'] => [{ type, parameters }];
const never = 'never' as const;
const refs = (fault: Fault) => () =>
  github.fail((method, path) => method === 'POST' && path.endsWith('/git/refs'), fault);
const named = { operator: 'starts_with', pattern: 'team/' };

it.each<[string, Situation, string, RegExp]>([
  ['a base that never was', { baseRef: 'mian' }, 'BASE_MISSING', /has no branch mian/],
  [
    'a base that moved, and may not be followed',
    {
      settings: { baseMoved: 'refuse' },
      arrange: () => void github.store.push('main', { 'a.txt': 'two\n' }),
    },
    'BASE_MOVED',
    /before the run began/,
  ],
  [
    'a base of which a read lags behind the push that started the run',
    {
      settings: { baseMoved: 'refuse' },
      arrange: () => void github.store.push('ahead', { 'a.txt': 'two\n' }),
      startsAt: 'ahead',
    },
    'ready',
    /^$/,
  ],
  [
    'a base that moved, and is followed',
    { arrange: () => void github.store.push('main', { 'a.txt': 'two\n' }) },
    'ready',
    /^$/,
  ],
  [
    'a branch of somebody else',
    { arrange: () => void github.store.push('photon/task-1', { 'a.txt': 'mine\n' }) },
    'BRANCH_TAKEN',
    /photon\/task-1 holds commits/,
  ],
  [
    'a token that may not write, as GitHub says it to an App',
    {
      arrange: refs({
        status: 403,
        headers: { 'x-accepted-github-permissions': 'contents=write' },
        body: { message: 'Resource not accessible by integration' },
      }),
    },
    'GITHUB_PERMISSION',
    /contents: write/,
  ],
  [
    'a token that may not write, as GitHub says it to a person',
    { arrange: refs({ status: 404, body: { message: 'Not Found' } }) },
    'GITHUB_PERMISSION',
    /not write to it/,
  ],
  [
    'an archived repository',
    {
      arrange: refs({ status: 403, body: { message: 'Repository was archived so is read-only.' } }),
    },
    'REPOSITORY_LOCKED',
    /archived/,
  ],
  [
    'a rule for new branches, which meets the probe',
    { arrange: refs({ status: 422, body: { message: 'Repository rule violations found' } }) },
    'ready',
    /^$/,
  ],
  [
    'a plan whose rules nobody may read',
    {
      arrange: () =>
        github.fail((_method, path) => path.includes('/rules/branches/'), {
          status: 403,
          body: { message: 'Upgrade to GitHub Pro or make this repository public.' },
        }),
    },
    'ready',
    /^$/,
  ],
  [
    'a rule that makes a commit onto a branch of a bot give way',
    {
      refRules: { listed: listed('update'), bypass: never },
      task: { updates: {} },
    },
    'ready',
    /may not be changed.*The patch is then a pull request/,
  ],
  ['an outage', { arrange: refs({ status: 502, times: 9 }) }, 'ready', /^$/],
  [
    'a rule against new branches',
    { refRules: { listed: listed('creation'), bypass: never } },
    'BRANCH_RULES',
    /photon\/task-1: the branch may not be created/,
  ],
  [
    'a rule that this token bypasses',
    { refRules: { listed: listed('creation'), bypass: 'always' } },
    'ready',
    /may not be created.*unless the owner of the token can bypass/,
  ],
  [
    'a rule of which GitHub does not say who bypasses it',
    { refRules: { listed: listed('creation') } },
    'ready',
    /may not be created/,
  ],
  [
    'a rule for names',
    { refRules: { listed: listed('branch_name_pattern', named), bypass: never } },
    'BRANCH_RULES',
    /must match "starts with team\/"/,
  ],
  [
    'a rule for names that is kept',
    {
      refRules: {
        listed: listed('branch_name_pattern', { ...named, negate: true }),
        bypass: never,
      },
    },
    'ready',
    /^$/,
  ],
  [
    'signatures, and a bot, whose commits GitHub signs',
    { refRules: { listed: listed('required_signatures'), bypass: never } },
    'ready',
    /^$/,
  ],
  [
    'signatures, and a person, whose commits it does not sign',
    {
      refRules: { listed: listed('required_signatures'), bypass: never },
      login: 'ann',
    },
    'BRANCH_RULES',
    /must be signed/,
  ],
])('beforehand: %s', async (_name, situation, code, words) => {
  const [ended, text] = await check(situation);
  expect([ended, text]).toEqual([code, expect.stringMatching(words)]);
  expect(github.violations).toEqual([]);
  expect(Object.keys(github.store.refs())).not.toContainEqual(
    expect.stringContaining('permission-check'),
  );
});
