/** GitHub as it can be while a whole run goes: replies that break or never come, and a proxy on the way. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { comment, permit } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { repairScript, sampleTask } from '../doubles/sample.ts';
import { wayNames, ways } from '../hosts/github/broken-ways.ts';
import { sample } from '../seed.ts';
import { type Played, play, type Scenario } from './scenario.ts';

const byComment: Scenario = {
  script: repairScript,
  task: '',
  event: comment(),
  arrange: permit,
};
const kept: Scenario = {
  ...byComment,
  files: { '.photon/config.json': JSON.stringify({ memory: { mode: 'yolo' } }) },
};
const scheduled: Scenario = {
  script: repairScript,
  task: '',
  event: { name: 'schedule', payload: {} },
  files: {
    '.photon/config.json': JSON.stringify({
      maintenance: [{ name: 'tests', prompt: sampleTask }],
    }),
  },
};

it.each(
  sample(
    'runs with broken replies',
    [
      ['a command', byComment],
      ['a command whose records are kept', kept],
      ['a maintenance task with its dashboard', scheduled],
    ],
    1,
  ),
)(
  '%s: one broken reply changes nothing; one that is broken for ever ends the run with a code, or is told',
  async (name, scenario) => {
    const asked = await requestsOf(scenario);
    const cases = asked.flatMap(({ method, path }, moment) =>
      wayNames.flatMap(way =>
        (['once', 'always'] as const).map(times => ({ moment, method, path, way, times })),
      ),
    );
    for (const { moment, method, path, way, times } of sample(
      `broken replies of ${name}`,
      cases,
      1,
    )) {
      const broken = ways[way];
      const arrange = (github: GitHubDouble, workspace: string) => {
        scenario.arrange?.(github, workspace);
        github.fail(
          (m, p, index) => (times === 'once' ? index === moment : m === method && p === path),
          { broken, times: times === 'once' ? 1 : 1000 },
        );
      };
      await play({ ...scenario, arrange }, played => {
        const where = `request ${moment} (${method} ${path}): ${way}, ${times}`;
        if (times === 'once') expect(played.outcome, where).toMatchObject({ status: 'committed' });
        else expectTold(played, where);
      }).catch(error => {
        throw new Error(`request ${moment} (${method} ${path}): ${way}, ${times}: ${error}`);
      });
    }
  },
  600_000,
);

/** A run that failed has a code of GitHub's; one that committed has its pull request, whole. */
function expectTold({ outcome, github, exitCode }: Played, where: string): void {
  const open = [...github.state.pulls.values()].filter(p => p.state === 'open');
  if (outcome.status === 'committed') {
    expect(
      open.map(p => p.number),
      where,
    ).toEqual([outcome.delivered?.pullRequestNumber]);
    return;
  }
  expect(outcome.code, where).toMatch(/^GITHUB_|^MEMORY_/);
  expect([exitCode, open], where).toEqual([1, []]);
}

async function requestsOf(scenario: Scenario) {
  let asked: GitHubDouble['seen'] = [];
  await play(scenario, ({ github, outcome }) => {
    expect(outcome.status).toBe('committed');
    asked = [...github.seen];
  });
  return asked;
}

const never = new Promise<undefined>(() => {});

it.each(
  sample(
    'requests that stall',
    [
      // nobody is answered before it is known that they may ask
      ['the permission of who asked', (path: string) => path.endsWith('/permission'), 0],
      ['the delivery', (path: string) => path.endsWith('/git/trees'), 1],
    ],
    1,
  ),
)('the time of a run binds its requests: %s stalls', async (_name, stalls, answers) => {
  const arrange = (github: GitHubDouble) => {
    permit(github);
    github.watch(({ path, stage }) => (stalls(path) && stage === 'before' ? never : undefined));
  };
  const inputs = { 'timeout-minutes': '0.08' };
  await play({ ...byComment, arrange, inputs }, ({ outcome, github, exitCode }) => {
    expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_TIME' });
    expect(exitCode).toBe(1);
    const bodies = [...github.state.comments.values()].map(c => c.body);
    expect(bodies).toHaveLength(answers);
    for (const body of bodies) expect(body).toContain('BUDGET_TIME');
  });
});

it('requests go through the proxy that the runner names', async () => {
  const asked: string[] = [];
  const state = { port: 0 };
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const to = connect(state.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(to).pipe(socket);
    });
    to.on('error', () => socket.destroy());
    socket.on('error', () => to.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const arrange = (github: GitHubDouble) => {
    permit(github);
    state.port = Number(new URL(github.url).port);
  };
  // the model is asked directly
  const env = { GITHUB_API_URL: 'http://github.test', http_proxy: address, no_proxy: '127.0.0.1' };
  try {
    // a process of its own, since the proxy is looked up once in each
    await play({ ...byComment, arrange, env, started: () => {} }, ({ outcome }) => {
      expect(outcome.status).toBe('committed');
      expect(new Set(asked)).toEqual(new Set(['github.test:80']));
    });
  } finally {
    proxy.close();
  }
});
