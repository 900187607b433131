import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPull, comment, pushHead } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import type { Person } from '../../../doubles/github-routes.ts';
import { resolveEvent } from '../../../doubles/resolve-event.ts';
import { sampleFiles } from '../../../doubles/sample.ts';

const user = (login: string, id: number): Person => ({ login, id, type: 'User' });

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

describe('the lists', () => {
  const said = (by: Person) => comment({ by });
  const resolve = async (by: Person, inputs: Record<string, string>) => {
    const { planned } = await resolveEvent(github, { event: said(by), inputs });
    return planned[0]?.refused?.code ?? 'RUN';
  };

  it('let a member of a team in who has write access, and nobody who was only invited', async () => {
    github.state.permissions.clear();
    for (const login of ['wendy', 'ina', 'rex']) github.state.permissions.set(login, 'write');
    github.state.permissions.set('rita', 'read');
    github.state.surface.teams.set('octo/core', ['wendy', 'ina?', 'rita']);
    const inputs = { 'allowed-teams': 'octo/core' };
    expect(await resolve(user('wendy', 11), inputs)).toBe('RUN');
    expect(await resolve(user('ina', 51), inputs)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rex', 52), inputs)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rita', 35), inputs)).toBe('NOT_AUTHORISED');
    expect(await resolve(user('rex', 52), { ...inputs, 'allowed-users': 'REX' })).toBe('RUN');
    expect(github.violations).toEqual([]);
  });

  it('let in a managed user of an enterprise by their login', async () => {
    github.state.permissions.set('mona_acme', 'write');
    const inputs = { 'allowed-users': 'mona_acme' };
    expect(await resolve(user('mona_acme', 53), inputs)).toBe('RUN');
  });

  it('let nobody in when the team cannot be read', async () => {
    github.state.permissions.set('wendy', 'write');
    github.fail((_m, p) => p.includes('/teams/'), { status: 403, body: { message: 'no' } });
    const resolved = await resolveEvent(github, {
      event: said(user('wendy', 11)),
      inputs: { 'allowed-teams': 'octo/core' },
    });
    expect(resolved.planned[0]?.refused?.code).toBe('NOT_AUTHORISED');
    expect(resolved.log.join('\n')).toContain('cannot read the members of octo/core');
  });

  it.each<[string, Person, boolean]>([
    ['Copilot', { login: 'Copilot', id: 5, type: 'Bot' }, true],
    ['dependabot', { login: 'dependabot[bot]', id: 6, type: 'Bot' }, true],
    ['other[bot]\ncopilot', { login: 'Copilot', id: 5, type: 'Bot' }, true],
    // a person may have the name of a bot, and an App may have a number for a name
    ['dependabot', { login: 'dependabot', id: 7, type: 'User' }, false],
    ['777', { login: '777[bot]', id: 8, type: 'Bot' }, false],
  ])('allowed-bots: %j and %o', async (list, bot, isHeard) => {
    const inputs = { 'allowed-bots': list };
    const { planned } = await resolveEvent(github, { event: said(bot), inputs });
    expect(planned[0]?.refused?.code).toBe(isHeard ? undefined : 'NOT_AUTHORISED');
  });

  it.each([
    ['allowed-bots', '*', 'is not the login of a bot, such as dependabot[bot] or Copilot'],
    ['allowed-bots', '- Copilot', 'or its user id. Several are separated by commas or lines.'],
    ['allowed-users', '@wendy', 'is not a login, without @'],
    ['allowed-teams', 'core', 'is not organisation/team-slug'],
    ['approve', 'sometimes'],
    ['forks', 'write'],
    ['trigger-assignee', 'a b'],
  ])('%s takes no %s', async (name, value, says = '') => {
    const event = said(user('wendy', 11));
    await expect(resolveEvent(github, { event, inputs: { [name]: value } })).rejects.toMatchObject({
      code: 'SETTING_INVALID',
      message: expect.stringContaining(says),
    });
  });
});
