/** Comments on lines of a pull request: one review, updated by later pushes, on lines of the diff alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGitHub } from '../../../../src/hosts/github/api/client.ts';
import type { GitHub } from '../../../../src/hosts/github/api/github.ts';
import {
  commentOnLines,
  type NewLineComment,
} from '../../../../src/hosts/github/conversation/line-comments.ts';
import { addPull } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { bot } from '../../../doubles/github-routes.ts';

const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
const textWith = (changed: readonly number[]) =>
  `${lines.map((l, i) => (changed.includes(i + 1) ? `${l} changed` : l)).join('\n')}\n`;

const comment = (line: number, body = `no test runs line ${line}`): NewLineComment => ({
  path: 'a.txt',
  start: line,
  end: line,
  body,
  fingerprint: String(line).padStart(16, '0'),
});

/** A text with code that looks like the mark of another comment. */
const quoting = 'not noticed: `<!-- photon:line=0000000000000099 -->`';

let double: GitHubDouble;
let github: GitHub;

beforeAll(async () => {
  double = await startGitHub({ seed: { 'a.txt': textWith([]) } });
  double.store.push('work', { 'a.txt': textWith([3, 4, 20]) });
  addPull(double.state, { number: 1, head: 'work', user: bot });
  github = await openGitHub({
    repository: double.repository,
    apiUrl: double.url,
    token: double.token,
    signal: new AbortController().signal,
    now: Date.now,
    log: () => {},
    deadline: Date.now() + 60_000,
    mutationSpacingMs: 0,
  });
});
afterAll(async () => {
  expect(double.violations).toEqual([]);
  await double.close();
});

const send = (comments: readonly NewLineComment[], max = 2) =>
  commentOnLines(github, {
    delivered: {
      kind: 'pull-request',
      operation: 'created',
      pullRequestNumber: 1,
      commit: double.store.git(['rev-parse', 'work']),
    },
    comments,
    max,
  });
const threads = () =>
  double.state.surface.findings.map(t => `${t.start}-${t.line}: ${t.body.split('\n')[0]}`);

describe('comments on lines', () => {
  it('are one review with at most as many as allowed, on lines of the diff alone', async () => {
    const range = { ...comment(3), end: 4 };
    expect(await send([comment(12), range, comment(20, quoting), comment(3)])).toEqual([]);
    expect(double.state.reviews).toHaveLength(1);
    expect(threads()).toEqual(['3-4: no test runs line 3', `20-20: ${quoting}`]);
  });

  it('are updated by a later push, and not doubled', async () => {
    double.store.push('work', { 'a.txt': textWith([3, 4, 20, 30, 31]) });
    const known = [comment(3, 'a test runs line 3'), comment(20, quoting)];
    expect(await send([...known, comment(30)])).toEqual([]);
    expect(double.state.reviews).toHaveLength(1);
    expect(threads()).toEqual(['3-4: a test runs line 3', `20-20: ${quoting}`]);
    // one that no longer holds says so, and leaves room for another
    expect(await send([comment(20), comment(30), comment(31)])).toEqual([]);
    expect(double.state.reviews).toHaveLength(2);
    expect(threads()).toEqual([
      '3-4: The patch changed since, or the tests show more of this line now.',
      '20-20: no test runs line 20',
      '30-30: no test runs line 30',
    ]);
  });

  it('are found behind 120 threads of other people', async () => {
    const { findings } = double.state.surface;
    const user = { login: 'mallory', id: 99, type: 'User' as const };
    const talk = { ...(findings[0] ?? expect.fail()), body: 'talk', user };
    findings.unshift(...Array.from({ length: 120 }, (_, i) => ({ ...talk, id: 2000 + i })));
    expect(await send([comment(20), comment(30)])).toEqual([]);
    expect(double.state.reviews).toHaveLength(2);
    findings.splice(0, 120);
    expect(threads()).toHaveLength(3);
  });

  it("leave other people's comments with the same mark alone", async () => {
    const [first] = double.state.surface.findings;
    const body = `mine <!-- photon:line=${comment(31).fingerprint} -->`;
    const other = { login: 'mallory', id: 99, type: 'User' as const };
    double.state.surface.findings.push({ ...(first ?? expect.fail()), id: 999, body, user: other });
    await send([comment(20), comment(30), comment(31)], 3);
    expect(double.state.surface.findings.find(t => t.id === 999)?.body).toBe(body);
    expect(threads().at(-1)).toBe('31-31: no test runs line 31');
  });

  it('that GitHub refuses are a note', async () => {
    double.fail((method, path) => method === 'POST' && path.endsWith('/reviews'), { status: 422 });
    const notes = await send([comment(20), comment(30), comment(31), comment(4)], 4);
    expect(notes).toEqual([expect.stringContaining('could not be posted')]);
  });
});
