/**
 * Counts the requests of a run on GitHub's double, and simulates an organisation in virtual time: commands from many
 * repositories, runners, and the limits that GitHub publishes. Arguments: `repositories=1000 commands=500`, and
 * `runners=60`, each the number for an hour or at a time.
 */
import { join } from 'node:path';
import { comment, permit } from '../test/doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../test/doubles/github.ts';
import { type Script, startModel } from '../test/doubles/model.ts';
import { begin, look, repairScript, sampleFiles } from '../test/doubles/sample.ts';
import { discard, makeFolder, runAction } from '../test/harness.ts';
import { randomOf } from '../test/seed.ts';
import { row } from './figures.ts';

/**
 * Limits of one token, from "Rate limits for the REST API" and "Actions limits" of docs.github.com, read on 2026-11-27.
 * A read costs one point of the secondary limit, a change five.
 */
const limits = {
  pointsPerMinute: 900,
  contentPerMinute: 80,
  contentPerHour: 500,
} as const;

/** Whose limits a request counts for: `GITHUB_TOKEN` is one for each repository, an App one for all of them. */
const tokens = [
  { name: 'GITHUB_TOKEN of each repository', isShared: false, requestsPerHour: 1_000 },
  { name: 'one GitHub App for all', isShared: true, requestsPerHour: 12_500 },
] as const;

/** Jobs at a time that each plan of GitHub gives. */
const plans = [
  { name: 'Free', runners: 20 },
  { name: 'Team', runners: 60 },
  { name: 'Enterprise', runners: 500 },
] as const;

/** Minutes of a job: a run waits for its model, and a runner starts before it. */
const [shortestJob, longestJob] = [2, 10];
const hours = 8;
/** A run that has waited longer than its time ends without a result. */
const timeLimitMs = 30 * 60_000;

interface Requests {
  readonly reads: number;
  readonly changes: number;
  /** Of the changes, those that make something people are notified of: comments, issues, pull requests, reviews. */
  readonly contents: number;
}

async function countRequests(script: Script): Promise<Requests> {
  const github = await startGitHub({ seed: sampleFiles });
  permit(github);
  const folder = makeFolder();
  const model = await startModel(script);
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    await runAction({ github, modelUrl: model.url, workspace, event: comment() });
    return countOf(github);
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

function countOf({ seen }: GitHubDouble): Requests {
  const changes = seen.filter(s => s.method !== 'GET' && s.path !== '/graphql');
  const makes = /\/(?:comments|issues|pulls|reviews|reactions|replies)$/;
  return {
    reads: seen.length - changes.length,
    changes: changes.length,
    contents: changes.filter(s => s.method === 'POST' && makes.test(s.path)).length,
  };
}

/** Takes an amount, and says when it may be taken: a window begins with its first request, as GitHub's do. */
function openWindow(ms: number, most: number) {
  let [start, used] = [0, 0];
  return (at: number, amount: number): number => {
    if (at >= start + ms) [start, used] = [at, 0];
    if (used + amount <= most) {
      used += amount;
      return Math.max(at, start);
    }
    [start, used] = [start + ms, amount];
    return start;
  };
}

/** The limits of one token: when each of them lets a burst of requests be made. */
function openToken(requestsPerHour: number) {
  const primary = openWindow(3_600_000, requestsPerHour);
  const points = openWindow(60_000, limits.pointsPerMinute);
  const minute = openWindow(60_000, limits.contentPerMinute);
  const hour = openWindow(3_600_000, limits.contentPerHour);
  return (at: number, { reads, changes, contents }: Requests) => [
    primary(at, reads + changes),
    points(at, reads + 5 * changes),
    minute(at, contents),
    hour(at, contents),
  ];
}

const reasons = [
  'requests of an hour',
  'points of a minute',
  'comments of a minute',
  'comments of an hour',
];

interface Fleet {
  readonly repositories: number;
  readonly commandsPerHour: number;
  readonly runners: number;
  readonly token: (typeof tokens)[number];
}

interface Simulated {
  /** Runs that ended with a result, by the hours until the last one ended. */
  readonly perHour: number;
  readonly lost: number;
  /** Milliseconds of each run. */
  readonly forRunner: readonly number[];
  readonly forGitHub: readonly number[];
  /** Which limit was waited for, and how often. */
  readonly waits: ReadonlyMap<string, number>;
}

/** What happens in virtual time, in its order. */
function openClock() {
  const events: { readonly at: number; readonly run: (at: number) => void }[] = [];
  return {
    plan: (at: number, run: (at: number) => void) => {
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle]?.at ?? 0) > at) low = middle + 1;
        else high = middle;
      }
      events.splice(low, 0, { at, run });
    },
    play: () => {
      for (let next = events.pop(); next !== undefined; next = events.pop()) next.run(next.at);
    },
  };
}

/** Commands come at random over some hours. Each waits for a runner, and makes a half of its requests at each end of its job. */
function simulate(fleet: Fleet, { reads, changes, contents }: Requests): Simulated {
  const random = randomOf(`${fleet.runners} ${fleet.token.name} ${fleet.commandsPerHour}`);
  const total = fleet.commandsPerHour * hours;
  const half = (n: number) => Math.ceil(n / 2);
  const part = { reads: half(reads), changes: half(changes), contents: half(contents) };
  const clock = openClock();
  const tokens = new Map<number, ReturnType<typeof openToken>>();
  const queue: ((at: number) => void)[] = [];
  const waits = new Map<string, number>();
  const [forRunner, forGitHub]: [number[], number[]] = [[], []];
  let [free, lost, lastMs] = [fleet.runners, 0, 0];
  const release = (at: number) => {
    free += 1;
    lastMs = at;
    const next = queue.shift();
    if (next !== undefined) next(at);
  };
  /** When the token lets the requests of one end of a job be made. */
  const ask = (repository: number, at: number) => {
    const token = tokens.get(repository) ?? openToken(fleet.token.requestsPerHour);
    tokens.set(repository, token);
    const when = token(at, part);
    const until = Math.max(at, ...when);
    const reason = until > at ? (reasons[when.indexOf(until)] ?? '') : undefined;
    if (reason !== undefined) waits.set(reason, (waits.get(reason) ?? 0) + 1);
    return until;
  };
  const begin = (arrival: number) => (at: number) => {
    free -= 1;
    forRunner.push(at - arrival);
    const repository = fleet.token.isShared ? 0 : Math.floor(random() * fleet.repositories);
    const work = (shortestJob + random() * (longestJob - shortestJob)) * 60_000;
    const begun = ask(repository, at);
    clock.plan(begun + work, worked => {
      const ended = ask(repository, worked);
      forGitHub.push(begun - at + ended - worked);
      lost += ended - at > timeLimitMs ? 1 : 0;
      clock.plan(Math.min(ended, Math.max(worked, at + timeLimitMs)), release);
    });
  };
  for (let i = 0; i < total; i++)
    clock.plan(random() * hours * 3_600_000, at => {
      if (free > 0) begin(at)(at);
      else queue.push(begin(at));
    });
  clock.play();
  return { perHour: (total - lost) / (lastMs / 3_600_000), lost, forRunner, forGitHub, waits };
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ??
  0;
const minutes = (ms: number) => (ms / 60_000).toFixed(1);

function print(fleet: Fleet, { perHour, lost, forRunner, forGitHub, waits }: Simulated): void {
  const named = [...waits].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
  row(
    `${fleet.runners} runners, ${fleet.token.name}`,
    `${Math.round(perHour)} runs an hour, ${lost} lost`,
    `wait for a runner, median and worst of 100: ${minutes(quantile(forRunner, 0.5))}, ${minutes(quantile(forRunner, 0.99))} min; for GitHub ${minutes(quantile(forGitHub, 0.5))}, ${minutes(quantile(forGitHub, 0.99))} min${named.length === 0 ? '' : ` (${named.join(', ')})`}`,
  );
}

/** Most commands an hour of which one in a hundred waits for at most a minute. */
function findCapacity(fleet: Omit<Fleet, 'commandsPerHour'>, requests: Requests): number {
  const isCarried = (commandsPerHour: number) => {
    const { forRunner, forGitHub, lost } = simulate({ ...fleet, commandsPerHour }, requests);
    return lost === 0 && quantile(forRunner, 0.99) + quantile(forGitHub, 0.99) <= 60_000;
  };
  let [low, high] = [0, 8_000];
  while (high - low > 10) {
    const middle = Math.floor((low + high) / 2);
    [low, high] = isCarried(middle) ? [middle, high] : [low, middle];
  }
  return low;
}

/** `npm run bench -- fleet [repositories=N] [commands=N] [runners=N]`. */
export async function benchFleet(words: readonly string[]): Promise<void> {
  const given = new Map(words.map(word => word.split('=') as [string, string]));
  const repositories = Number(given.get('repositories') ?? 1_000);
  const commandsPerHour = Number(given.get('commands') ?? 500);
  const stops = [
    begin,
    look,
    { text: 'No.', calls: [{ name: 'abstain', arguments: { reason: 'x' } }] },
  ];
  const kinds = [
    ['a command that ends with a pull request', repairScript],
    ['a command that ends with a comment', stops],
  ] as const;
  const counted: Requests[] = [];
  for (const [name, script] of kinds) {
    const requests = await countRequests(script);
    counted.push(requests);
    const { reads, changes, contents } = requests;
    row(
      name,
      `${reads + changes} requests`,
      `${reads} reads, ${changes} changes, of them ${contents} that notify people`,
    );
  }
  const [whole] = counted;
  if (whole === undefined) return;
  row(`${repositories} repositories`, `${commandsPerHour} commands an hour`, `${hours} hours`);
  const wanted = given.has('runners')
    ? [{ name: 'given', runners: Number(given.get('runners')) }]
    : plans;
  for (const { runners } of wanted)
    for (const token of tokens) {
      const fleet = { repositories, commandsPerHour, runners, token };
      print(fleet, simulate(fleet, whole));
      row('  carried without waits', `${findCapacity(fleet, whole)} commands an hour`, '');
    }
}
