import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Access,
  access,
  accessTriggers,
  decideAccess,
} from '../../../../src/hosts/github/auth/access.ts';
import { type Config, parseConfig } from '../../../../src/settings/settings.ts';
import { addPull, comment, commentTime, pushHead } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import type { Person } from '../../../doubles/github-routes.ts';
import { resolveEvent } from '../../../doubles/resolve-event.ts';
import { sampleFiles } from '../../../doubles/sample.ts';
import { sample } from '../../../seed.ts';

const user = (login: string, id: number): Person => ({ login, id, type: 'User' });

/** Who pulls a trigger: how GitHub knows them, and what the row of the table calls them. */
const people = {
  admin: { who: user('ada', 31), role: 'admin' },
  maintain: { who: user('mia', 32), role: 'maintain' },
  write: { who: user('wendy', 11), role: 'write' },
  'write, but on no list': { who: user('una', 33), role: 'write', lists: true },
  triage: { who: user('tom', 34), role: 'triage' },
  read: { who: user('rita', 35), role: 'read' },
  none: { who: user('nora', 36), role: 'none' },
  'not known to the repository': { who: user('otto', 37), role: undefined },
  'permission cannot be read': { who: user('ulla', 38), role: 'admin', broken: true },
  'bot on the list': {
    who: { login: 'helper[bot]', id: 39, type: 'Bot' } as Person,
    role: undefined,
  },
  'bot on the list by id': {
    who: { login: 'idbot[bot]', id: 777, type: 'Bot' } as Person,
    role: undefined,
  },
  'another bot': { who: { login: 'evil[bot]', id: 40, type: 'Bot' } as Person, role: 'admin' },
} satisfies Record<
  string,
  { who: Person; role: string | undefined; lists?: boolean; broken?: boolean }
>;

type Name = keyof typeof people;

const allowedActors: readonly Name[] = [
  'admin',
  'maintain',
  'write',
  'bot on the list',
  'bot on the list by id',
];

/** What must come of each trigger, said here once more and not read from the code. */
const expected: Readonly<
  Record<
    (typeof accessTriggers)[number],
    { allowedActors: readonly Name[] | 'all'; fork: 'setting' | 'refuse' | 'none' }
  >
> = {
  task: { allowedActors: 'all', fork: 'setting' },
  comment: { allowedActors, fork: 'setting' },
  label: { allowedActors, fork: 'none' },
  assignment: { allowedActors, fork: 'none' },
  'failed-workflow': { allowedActors, fork: 'refuse' },
  dispatch: { allowedActors: [...allowedActors, 'another bot'], fork: 'none' },
  schedule: { allowedActors: 'all', fork: 'none' },
};
let github: GitHubDouble;
beforeAll(async () => {
  github = await startGitHub({ seed: sampleFiles });
  pushHead(github, { 'NOTES.md': 'x\n' });
  for (const [number, fork] of [
    [3, false],
    [4, true],
  ] as const)
    addPull(github.state, { number, fork, user: user('wendy', 11) });
  github.state.surface.jobs.set(70, [{ id: 71, name: 'test', conclusion: 'failure' }]);
  github.state.surface.logs.set(71, '2026-01-01T00:00:00.0000000Z ##[error]1 failed\n');
});
afterAll(() => github.close());

const repo = { id: 1 };
const fork = { id: 2 };

function eventOf(trigger: string, who: Person, isFork: boolean) {
  const head = github.store.git(['rev-parse', 'refs/heads/feature']);
  const issue = {
    number: 5,
    title: 'Discount',
    body: 'Ten times too much.',
    user: who,
  };
  switch (trigger) {
    case 'task': {
      const sides = {
        head: { ref: 'feature', sha: head, repo: isFork ? fork : repo },
        base: { ref: 'main', repo },
      };
      return {
        name: 'pull_request',
        payload: { pull_request: { number: isFork ? 4 : 3, ...sides } },
      };
    }
    case 'comment':
      return comment({ by: who, pull: true, number: isFork ? 4 : 3, at: commentTime });
    case 'label':
      return {
        name: 'issues',
        payload: { action: 'labeled', issue, label: { name: 'photon' }, sender: who },
      };
    case 'assignment':
      return {
        name: 'issues',
        payload: { action: 'assigned', issue, assignee: { login: 'photon-user' }, sender: who },
      };
    case 'failed-workflow':
      return {
        name: 'workflow_run',
        payload: {
          action: 'completed',
          workflow_run: {
            id: 70,
            workflow_id: 7,
            name: 'CI',
            conclusion: 'failure',
            actor: who,
            head_branch: 'feature',
            head_sha: head,
            pull_requests: [],
            head_repository: isFork ? fork : repo,
            repository: repo,
          },
        },
      };
    case 'dispatch':
      return {
        name: 'repository_dispatch',
        payload: { action: 'photon', client_payload: { task: 'Repair it.' }, sender: who },
      };
    default:
      return { name: 'schedule', payload: {} };
  }
}

type Forks = 'refuse' | 'suggest';

/** Resolves the event of one cell against the double and says what came of it. */
async function play(trigger: string, name: Name, about: { isFork: boolean; forks: Forks }) {
  const person: { who: Person; role: string | undefined; lists?: boolean; broken?: boolean } =
    people[name];
  github.state.permissions.clear();
  if (person.role !== undefined) github.state.permissions.set(person.who.login, person.role);
  if (person.broken)
    github.fail((_m, p) => p.endsWith('/ulla/permission'), {
      status: 404,
      body: { message: 'Not Found' },
      times: 1,
    });
  github.seen.length = 0;
  const resolved = await resolveEvent(github, {
    event: eventOf(trigger, person.who, about.isFork),
    baseCommit: github.store.git(['rev-parse', 'refs/heads/feature']),
    config: {
      maintenance: [{ name: 'typos', prompt: 'Look for typos.' }],
      triggers: {
        allowedBots: ['helper[bot]', '777'],
        forks: about.forks,
        assignee: 'photon-user',
        allowedUsers: person.lists ? ['wendy', 'ada'] : [],
      },
    },
    inputs: { task: trigger === 'task' ? 'Repair it.' : '' },
  });
  const [planned] = resolved.planned;
  const came: Access =
    planned?.refused === undefined
      ? planned?.task?.headBranch?.fork
        ? 'suggest'
        : 'run'
      : planned.refused.code === 'NOT_AUTHORISED'
        ? 'ignore'
        : planned.refused.code === 'FORK_PULL_REQUEST'
          ? 'refuse'
          : expect.fail(`${planned.refused.code}: ${planned.refused.message}`);
  return { came, planned };
}

const cells = accessTriggers.flatMap(trigger =>
  (Object.keys(people) as Name[]).flatMap(name => {
    const { allowedActors: hears, fork: onFork } = expected[trigger];
    const is = hears === 'all' || hears.includes(name);
    const own: [string, Name, boolean, Forks, Access] = [
      ...([trigger, name, false, 'refuse'] as const),
      is ? 'run' : 'ignore',
    ];
    if (onFork === 'none') return [own];
    const suggested = onFork === 'setting' ? 'suggest' : 'refuse';
    return [
      own,
      [trigger, name, true, 'refuse', is ? 'refuse' : 'ignore'] as typeof own,
      [trigger, name, true, 'suggest', is ? suggested : 'ignore'] as typeof own,
    ];
  }),
);

describe('who may do what', () => {
  it.each(sample('cells', cells, 25))(
    '%s by %s, fork %s, forks: %s: %s',
    async (trigger, name, isFork, forks, wanted) => {
      const { came, planned } = await play(trigger, name, { isFork, forks });
      expect(came).toBe(wanted);
      if (came !== 'ignore') return;
      expect(planned?.task).toBeUndefined(); // nobody is answered
      expect(github.writes()).toEqual([]);
      expect(github.violations).toEqual([]);
    },
  );

  it('has no trigger and no standing that the table leaves out', () => {
    expect(Object.keys(access)).toEqual([...accessTriggers]);
    for (const trigger of accessTriggers)
      expect(decideAccess(trigger, 'reader', { fork: false, forks: 'suggest' })).toBe(
        access[trigger].allowedActors === undefined ? 'run' : 'ignore',
      );
  });
});

describe('the lists', () => {
  const said = (by: Person) => comment({ by });
  const resolve = async (by: Person, triggers: NonNullable<Config['triggers']>) => {
    const { planned } = await resolveEvent(github, { event: said(by), config: { triggers } });
    return planned[0]?.refused?.code ?? 'RUN';
  };

  it('let a member of a team in who has write access, and nobody who was only invited', async () => {
    github.state.permissions.clear();
    for (const login of ['wendy', 'ina', 'rex']) github.state.permissions.set(login, 'write');
    github.state.permissions.set('rita', 'read');
    github.state.surface.teams.set('octo/core', ['wendy', 'ina?', 'rita']);
    const lists = { allowedTeams: ['octo/core'] };
    expect(await resolve(user('wendy', 11), lists)).toBe('RUN');
    expect(await resolve(user('ina', 51), lists)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rex', 52), lists)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rita', 35), lists)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rex', 52), { ...lists, allowedUsers: ['REX'] })).toBe('RUN');
    expect(github.violations).toEqual([]);
  });

  it('let in a managed user of an enterprise by their login', async () => {
    github.state.permissions.set('mona_acme', 'write');
    const lists = { allowedUsers: ['mona_acme'] };
    expect(await resolve(user('mona_acme', 53), lists)).toBe('RUN');
  });

  it('let nobody in when the team cannot be read', async () => {
    github.state.permissions.set('wendy', 'write');
    github.fail((_m, p) => p.includes('/teams/'), { status: 403, body: { message: 'no' } });
    const resolved = await resolveEvent(github, {
      event: said(user('wendy', 11)),
      config: { triggers: { allowedTeams: ['octo/core'] } },
    });
    expect(resolved.planned[0]?.refused?.code).toBe('NOT_AUTHORISED');
    expect(resolved.log.join('\n')).toContain('cannot read the members of octo/core');
  });

  it.each<[string, Person, boolean]>([
    ['Copilot', { login: 'Copilot', id: 5, type: 'Bot' }, true],
    ['dependabot', { login: 'dependabot[bot]', id: 6, type: 'Bot' }, true],
    ['copilot', { login: 'Copilot', id: 5, type: 'Bot' }, true],
    // a person may have the name of a bot, and an App may have a number for a name
    ['dependabot', { login: 'dependabot', id: 7, type: 'User' }, false],
    ['777', { login: '777[bot]', id: 8, type: 'Bot' }, false],
  ])('allowedBots: %j and %o', async (name, bot, isHeard) => {
    const code = await resolve(bot, { allowedBots: ['other[bot]', name] });
    expect(code).toBe(isHeard ? 'RUN' : 'NOT_AUTHORISED');
  });

  it.each([
    ['allowedBots', ['*'], 'the login of a bot, such as dependabot[bot] or Copilot'],
    ['allowedBots', ['- Copilot'], 'or its user id'],
    ['allowedUsers', ['@wendy'], 'a login, without @'],
    ['allowedTeams', ['core'], 'organisation/team-slug'],
    ['approve', 'sometimes', ''],
    ['forks', 'write', ''],
    ['assignee', 'a b', ''],
  ])('%s takes no %s', (name, value, says) => {
    const text = JSON.stringify({ triggers: { [name]: value } });
    const refusal = { code: 'CONFIG_INVALID', message: expect.stringContaining(says) };
    expect(() => parseConfig(text, 'config.json')).toThrow(expect.objectContaining(refusal));
  });
});
