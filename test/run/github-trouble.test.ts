/** GitHub as it can be while a whole run goes: replies that break or never come, and a proxy on the way. */
import { expect, it } from 'vitest';
import {
  addComment,
  addPull,
  comment,
  commentTime,
  permit,
  reviewComment,
  writer,
} from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { bot } from '../doubles/github-routes.ts';
import { repairScript, sampleFiles, sampleTask, testedByNode } from '../doubles/sample.ts';
import { wayNames, ways } from '../hosts/github/broken-ways.ts';
import { playsVariants, sample } from '../seed.ts';
import { resolveScript } from './resolve-script.ts';
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

const inThread = '/photon fix The discount is ten times too much.';
const byInput: Scenario = { script: repairScript };
const onPull = (github: GitHubDouble) => {
  permit(github);
  const { store, state } = github;
  const sha = store.push('feature', { 'NOTES.md': 'work\n' }, 'By hand', new Date(commentTime));
  addPull(state);
  const check = { id: 7_000, name: 'test', sha, conclusion: 'failure', app: 'other' } as const;
  state.surface.checks.push({ ...check, summary: '1800 !== 0' });
};
const inReview: Scenario = {
  script: repairScript,
  task: '',
  checkout: 'feature',
  event: reviewComment(inThread),
  arrange: github => {
    onPull(github);
    addComment(github.state, { id: 900, body: inThread, path: 'src/price.js', issue: 3 });
  },
};
const keptGreen: Scenario = {
  script: repairScript,
  task: '',
  checkout: 'feature',
  event: comment({ body: '/photon keep-green', pull: true, number: 3 }),
  arrange: github => {
    onPull(github);
    addComment(github.state, { id: 900, body: '/photon keep-green', issue: 3 });
  },
};
const repaired = (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)');
/** The base moves below a pull request whose checks pass. */
const keptMerged: Scenario = {
  ...keptGreen,
  files: { ...testedByNode, 'src/price.js': repaired },
  movesBase: true,
  arrange: github => {
    keptGreen.arrange?.(github);
    github.state.surface.checks.splice(0);
    github.store.push('main', { 'docs.md': 'moved\n' }, 'By hand', new Date(commentTime));
  },
};
const keptConflict: Scenario = {
  ...keptMerged,
  script: resolveScript,
  arrange: github => {
    keptMerged.arrange?.(github);
    const change = (branch: string, to: string) => {
      const source = repaired.replace('total >= 5000', to);
      github.store.push(branch, { 'src/price.js': source }, 'By hand', new Date(commentTime));
    };
    change('feature', 'total > 4999');
    change('main', 'Math.round(total) >= 5000');
  },
};
const stopped: Scenario = {
  ...byComment,
  arrange: github => {
    permit(github);
    const said = { body: '/photon stop', createdAt: '2026-02-01T12:05:00Z' };
    addComment(github.state, { id: 950, ...said });
  },
};
const reported: Scenario = {
  script: [{ status: 401 }],
  inputs: { 'report-to': '7' },
  arrange: github => void github.state.issues.set(7, { title: 'Nightly', labels: [] }),
};

/** Each situation, and the code that it ends with when GitHub has no trouble. */
const situations = [
  ['a command', byComment, 'COMMITTED'],
  ['a command whose records are kept', kept, 'COMMITTED'],
  ['a maintenance task with its dashboard', scheduled, 'COMMITTED'],
  ['the input task', byInput, 'COMMITTED'],
  ['a command in a review', inReview, 'COMMITTED'],
  ['a pull request that is kept green', keptGreen, 'COMMITTED'],
  ['a kept pull request whose base moved', keptMerged, 'WATCHED'],
  ['a kept pull request in conflict with its base', keptConflict, 'COMMITTED'],
  ['a command that is stopped', stopped, 'STOPPED_BY_PERSON'],
  ['a failure that is reported', reported, 'MODEL_AUTH'],
] as const;

interface Trouble {
  readonly begin: (github: GitHubDouble, asked: Asked) => void;
  /** True: the run ends as it would without it. */
  readonly passes: boolean;
}
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly moment: number;
}

const secondary = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: { message: 'You have exceeded a secondary rate limit.' },
};
const from = (moment: number) => (_m: string, _p: string, index: number) => index >= moment;

/** How GitHub can be from one request on. */
const troubles: Readonly<Record<string, Trouble>> = {
  ...Object.fromEntries(
    wayNames.flatMap((way): [string, Trouble][] => [
      [
        `${way}, once`,
        {
          begin: (github, { moment }) =>
            github.fail((_m, _p, index) => index === moment, { broken: ways[way] }),
          passes: true,
        },
      ],
      [
        `${way}, always`,
        {
          begin: (github, { method, path }) =>
            github.fail((m, p) => m === method && p === path, { broken: ways[way], times: 1000 }),
          passes: false,
        },
      ],
    ]),
  ),
  'secondary limits in a burst': {
    begin: (github, { moment }) => github.fail(from(moment), { ...secondary, times: 2 }),
    passes: true,
  },
  'no answer but 502 for minutes': {
    begin: (github, { moment }) => github.fail(from(moment), { status: 502, times: 30 }),
    passes: false,
  },
  'no answer but 503 from then on': {
    begin: (github, { moment }) => github.fail(from(moment), { status: 503, times: 5000 }),
    passes: false,
  },
  'lists that are minutes behind': {
    begin: (github, { moment }) =>
      github.fail(
        (m, p, index) =>
          index >= moment && m === 'GET' && /\/(?:comments|issues|pulls|reviews)$/.test(p),
        { stale: true, times: 5000 },
      ),
    passes: true,
  },
  'accounts that are deleted': {
    begin: github => {
      // somebody's words, and the pull request's author, but not who asks
      github.ghosts.add('gone');
      for (const [id, issue] of [...github.state.issues])
        github.state.issues.set(id, { ...issue, user: gone });
      for (const number of [3, 5, 7])
        addComment(github.state, { id: 800 + number, issue: number, ...said });
    },
    passes: true,
  },
  'slow replies': {
    begin: github => github.watch(({ stage }) => (stage === 'after' ? slowly() : undefined)),
    passes: true,
  },
};
const gone = { login: 'gone', id: 404, type: 'User' as const };
const said = { body: 'I had the same.', user: gone, createdAt: '2026-02-01T11:00:00Z' };
const slowly = () => new Promise<undefined>(resolve => setTimeout(resolve, 60, undefined));

it.each(sample('situations with troubles', situations, 1))(
  '%s: a trouble of GitHub that passes changes nothing; one that stays ends the run with a code, or is told',
  async (name, scenario, code) => {
    const asked = await requestsOf(scenario, code);
    const failures: string[] = [];
    const cases = asked.flatMap(({ method, path }, moment) =>
      Object.entries(troubles).map(([way, trouble]) => ({ moment, method, path, way, trouble })),
    );
    for (const { way, trouble, ...at } of sample(`troubles of ${name}`, cases, 1, 40)) {
      const where = `request ${at.moment} (${at.method} ${at.path}): ${way}`;
      let before: Before | undefined;
      const arrange = (github: GitHubDouble) => {
        scenario.arrange?.(github);
        trouble.begin(github, at);
        before = { refs: github.store.refs(), said: peoplesWords(github) };
      };
      // what a server that is down cannot take back, the outcome names as left
      const isDown = way.startsWith('no answer');
      // records of yolo are kept however the run ends
      const movesBase = isDown || scenario === kept || scenario.movesBase;
      await play({ ...scenario, arrange, movesBase }, played => {
        if (isDown) expectLeftIsTold(played, before?.refs ?? {});
        if (trouble.passes) expect(played.outcome.code, where).toBe(code);
        else expectTold(played, { where, code });
        expectNothingLost(played, before ?? expect.fail());
        expectOneComment(played, where);
      }).catch(error => failures.push(`${where}: ${error}`));
    }
    expect(failures).toEqual([]);
  },
  1_200_000,
);

interface Before {
  readonly refs: Readonly<Record<string, string>>;
  readonly said: readonly string[];
}

const peoplesWords = ({ state }: GitHubDouble) =>
  [...state.comments.values()].filter(c => c.user !== bot).map(c => c.body);

/** What people pushed and wrote is still there. */
function expectNothingLost({ github }: Played, { refs, said: words }: Before): void {
  const now = github.store.refs();
  for (const [ref, head] of Object.entries(refs))
    expect(github.store.isAncestor(head, now[ref] ?? ''), ref).toBe(true);
  expect(peoplesWords(github)).toEqual(words);
}

/** A ref that stays after a failure is told. */
function expectLeftIsTold({ outcome, github }: Played, refs: Before['refs']): void {
  if (outcome.status === 'committed') return;
  const stays = Object.keys(github.store.refs()).filter(ref => !(ref in refs));
  if (stays.length > 0) expect(outcome.left, stays.join(' ')).toBeDefined();
}

/** One comment for each request; it says how the run ended, unless the run says that it could not be written. */
function expectOneComment({ github, outcome }: Played, where: string): void {
  const own = [...github.state.comments.values()].filter(c => c.user === bot).map(c => c.body);
  const marks = own.flatMap(
    body => body.match(/<!-- photon:(?:request|watched|failure)=\S+ -->/g) ?? [],
  );
  expect(marks, where).toEqual([...new Set(marks)]);
  const isUntold = outcome.notes?.some(n => /could not be (?:posted|reported)/.test(n)) ?? true;
  const about = own.filter(body => /<!-- photon:(?:request|failure)=/.test(body));
  if (!isUntold)
    for (const body of about)
      expect(body, where).toContain(
        body.includes('photon:request=') ? `<!-- photon:end=${outcome.code} -->` : outcome.code,
      );
}

/** A run that failed has a code of GitHub's; one that committed has its pull request, whole. */
function expectTold(
  { outcome, github, exitCode }: Played,
  { where, code }: { readonly where: string; readonly code: string },
): void {
  const open = [...github.state.pulls.values()]
    .filter(p => p.state === 'open' && p.user !== writer)
    .map(p => p.number);
  if (outcome.status === 'committed') {
    const { kind, pullRequestNumber: number } = outcome.delivered;
    expect(open, where).toEqual(kind === 'commit' ? [] : [number]);
    return;
  }
  const { pulls = [], unread = [] } = outcome.left ?? {};
  // a server that is down can neither take it back nor say whether it is there
  const isUnread = unread.some(what => what.startsWith('the pull requests of '));
  if (!isUnread)
    expect(open, where).toEqual(pulls.filter(p => p.state === 'open').map(p => p.number));
  if (outcome.code === code) return;
  expect(outcome.code ?? 'GITHUB_', where).toMatch(/^GITHUB_|^MEMORY_/);
  expect(exitCode, where).toBe(1);
}

async function requestsOf(scenario: Scenario, code: string) {
  let asked: GitHubDouble['seen'] = [];
  await play(scenario, ({ github, outcome }) => {
    expect(outcome.code, outcome.message).toBe(code);
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
      ['the permission of who asked', (path: string) => path.endsWith('/permission'), 0, '0.08'],
      // long enough to get there, on a slow machine, too
      ['the delivery', (path: string) => path.endsWith('/git/trees'), 1, '1'],
    ],
    1,
  ),
)('the time of a run binds its requests: %s stalls', async (_name, stalls, answers, minutes) => {
  const arrange = (github: GitHubDouble) => {
    permit(github);
    github.watch(({ path, stage }) => (stalls(path) && stage === 'before' ? never : undefined));
  };
  const inputs = { 'timeout-minutes': minutes };
  await play({ ...byComment, arrange, inputs }, ({ outcome, github, exitCode }) => {
    expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_TIME' });
    expect(exitCode).toBe(1);
    const bodies = [...github.state.comments.values()].map(c => c.body);
    expect(bodies).toHaveLength(answers);
    for (const body of bodies) expect(body).toContain('BUDGET_TIME');
  });
});

it.each<readonly [string, Scenario, RegExp]>([
  ['a comment of the conversation', byComment, /\/issues\/comments\/\d+$/],
  ...(playsVariants
    ? ([['a reply in a review', inReview, /\/pulls\/comments\/\d+$/]] as const)
    : []),
])(
  'a progress update that GitHub carries out late does not stand over the end: %s',
  async (...row) => {
    const [, scenario, path] = row;
    let held = 0;
    let carriedOut = () => {};
    const ended = new Promise<undefined>(resolve => {
      carriedOut = () => resolve(undefined);
    });
    const arrange = (github: GitHubDouble) => {
      scenario.arrange?.(github);
      github.watch(asked => {
        if (asked.method !== 'PATCH' || !path.test(asked.path)) return undefined;
        // the first update waits until the last one has been carried out
        if (asked.stage === 'before' && held === 0) {
          held = asked.index + 1;
          return ended;
        }
        const isLast = [...github.state.comments.values()].some(c =>
          c.body.includes('photon:end='),
        );
        if (asked.stage === 'after' && isLast) carriedOut();
        return undefined;
      });
    };
    await play({ ...scenario, arrange }, played => {
      expect(held, 'an update was held').toBeGreaterThan(0);
      expectOneComment(played, 'late');
    });
  },
);
