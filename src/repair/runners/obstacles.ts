/** Finds what keeps a search for repairs from starting, in the first runs of the tests. Pure; outputs are untrusted. */
import { ecosystems } from '../../ecosystems/index.ts';
import {
  type Failure,
  type Names,
  type Obstacle,
  type ProjectPaths,
  startsMissing,
} from '../../ecosystems/shared/obstacle.ts';
import { openOwnPaths } from './runner-context.ts';
import type { CaseResult } from './test-runner.ts';

/** The first run of the tests, without a change. */
export interface FirstRun {
  readonly cases: readonly CaseResult[];
  /** What the runner printed; empty if the cases say all. */
  readonly output: string;
}

/** Text that cannot be parsed, with its place. Programs also throw syntax errors while they run. */
const syntaxError: Obstacle = ({ text, file, loads }, { own }) => {
  if (!loads) return undefined;
  const words =
    /^(?:E\s+)?((?:SyntaxError|IndentationError|TabError): .*)$/m.exec(text)?.[1] ??
    /(?:ERROR|error): (Expected .*|Unexpected .*|Unterminated .*)$/m.exec(text)?.[1] ??
    /(\[PARSE_ERROR\].*|Parse failure: .*)$/m.exec(text)?.[1];
  if (words === undefined || /does not provide an export|(?:JSON|regular expression)/.test(words))
    return undefined;
  const [path = '', line = ''] = findLastLocation(text, own) ?? [];
  const at =
    path === '' ? (file === '' ? '' : ` in ${file} or what it imports`) : ` at ${path}:${line}`;
  return `The code has a syntax error${at}: ${words.trim().slice(0, 200)}. The embedded engine repairs programs that can be parsed; repair the syntax first.`;
};

/** The last place in the project that a text names. */
function findLastLocation(
  text: string,
  own: Names['own'],
): readonly [path: string, line: string] | undefined {
  const places = [
    ...text.matchAll(
      /File "([^"\n]+)", line (\d+)|(?:file:\/\/)?(\/[^\s:()'"]{1,400}):(?:(\d+)|.{0,400}\((\d+):\d+\))/g,
    ),
  ].map(([, a, b, c, d, e]) => [own(a ?? c ?? ''), b ?? d ?? e ?? ''] as const);
  const inside = places.filter(([path]) => path !== '');
  // Python names the innermost place last, other programs first
  return text.includes('File "') ? inside.at(-1) : inside[0];
}

const unreachable: readonly RegExp[] = [
  /\b(?:getaddrinfo|query\w*) (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\bconnect (?:ENETUNREACH|EHOSTUNREACH) ([\w.:-]+)/,
  /Failed to resolve '([\w.-]+)'/,
  /(?:Temporary failure in name resolution|Name or service not known|Network is unreachable)/,
  /dial tcp: lookup ([\w.-]+)/,
];

/** A test that needs the network. A refused connection to this machine may be a fault of the code. */
const network: Obstacle = ({ text, file }) => {
  const found = unreachable.map(pattern => pattern.exec(text)).find(match => match !== null);
  if (!found || /\b(?:undefined|null|NaN)\b/.test(found[1] ?? '')) return undefined;
  return `A test${file === '' ? '' : ` in ${file}`} needs the network: ${found[0].slice(0, 200)}. Photon runs tests without network, so no edit makes it pass. Leave the test out of test-command, or allow the network.`;
};

const notInstalled: Obstacle = ({ text, loads }) => {
  const name = /(?:^|[\s:])([\w.@/-]+): (?:command )?not found\s*$/m.exec(text)?.[1];
  return loads && name !== undefined ? startsMissing(name) : undefined;
};

const obstacles: readonly Obstacle[] = [
  ...ecosystems.flatMap(ecosystem => ecosystem.obstacles ?? []),
  notInstalled,
  syntaxError,
  network,
];

const maxText = 20_000;
const maxExamined = 200;

/**
 * Finds why no edit can make the tests pass: a missing module, program or network, a syntax error, tests that cannot be
 * collected. Says it with the words of the runner, and what to do. Null if nothing of the kind is seen.
 */
export function findObstacle(
  { cases, output }: FirstRun,
  project: ProjectPaths,
): string | undefined {
  const names = { ...project, own: openOwnPaths(project.paths) };
  const failed = cases.filter(c => c.status === 'failed').slice(0, maxExamined);
  const failures: readonly Failure[] =
    cases.length === 0
      ? [{ text: output.slice(-maxText), file: '', loads: true }]
      : failed.map(c => ({ text: c.message ?? '', file: c.file, loads: c.id === c.file }));
  for (const failure of failures)
    for (const obstacle of obstacles) {
      const found = obstacle(failure, names);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** An explanation of why there is no search. */
export interface Stop {
  readonly stop: string;
}

/** The cases that failed in one of two runs of the same code and ended otherwise in the other; `stop` if no other case fails. */
export function judgeFlaky(
  one: readonly CaseResult[],
  other: readonly CaseResult[],
): Stop | { readonly flaky: ReadonlySet<string> } {
  const before = new Map(one.map(c => [c.id, c.status]));
  const flaky = new Set(
    other
      .filter(({ id, status }) => {
        const earlier = before.get(id);
        return earlier !== undefined && earlier !== status && [earlier, status].includes('failed');
      })
      .map(c => c.id),
  );
  const [first] = flaky;
  if (first === undefined || other.some(c => c.status === 'failed' && !flaky.has(c.id)))
    return { flaky };
  return {
    stop: `The test "${first.slice(0, 200)}" failed in one run and passed in another run of the same code. No repair can be told from chance. Make the test reliable, or leave it out of test-command.`,
  };
}

/** The cases without those with these ids. */
export const withoutCases = (
  cases: readonly CaseResult[],
  ids: ReadonlySet<string>,
): readonly CaseResult[] => (ids.size === 0 ? cases : cases.filter(c => !ids.has(c.id)));
