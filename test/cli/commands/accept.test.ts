/** `photon accept` as a process, against the doubles of GitHub and of a model, some of which break a promise. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import { type Body, type ModelDouble, type Script, startModel } from '../../doubles/model.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';

let folder: string;
let github: GitHubDouble;
let model: ModelDouble | undefined;

beforeEach(async () => {
  folder = makeFolder();
  github = await startGitHub({ seed: sampleFiles });
});
afterEach(async () => {
  await Promise.all([github.close(), model?.close()]);
  model = undefined;
  discard(folder);
});

const accept = (args: readonly string[], env: Record<string, string> = {}) =>
  startPhoton({
    args: ['accept', ...args],
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      GITHUB_TOKEN: github.token,
      PHOTON_MUTATION_SPACING_MS: '0',
      GITHUB_API_URL: github.url,
      ...env,
    },
  });

const onGitHub = () => accept(['--on', github.repository, '--yes']);

/** A line of the report: `holds   name (detail)`. */
const lineOf = (out: string, name: string) =>
  out.split('\n').find(line => line.includes(name)) ?? '';

describe('photon accept on a repository', () => {
  it('tries what a run needs and leaves a closed pull request, and nothing else', async () => {
    const before = github.store.refs();
    const { out, err, code } = await onGitHub();
    expect(code, out + err).toBe(0);
    expect(err).toContain('makes a branch photon/acceptance-');
    expect(out.match(/^holds {3}/gm)).toHaveLength(11);
    expect(out).toContain('Everything held: 11 checks.');
    expect(github.store.refs()).toEqual(before);
    expect([...github.state.pulls.values()].map(p => [p.state, p.draft])).toEqual([
      ['closed', true],
    ]);
    expect(github.violations).toEqual([]);
  });

  it('names what does not hold, tries nothing that builds on it, and takes back what it made', async () => {
    const before = github.store.refs();
    // such as a gateway that does not know reviews
    github.fail((method, path) => method === 'POST' && path.endsWith('/reviews'), {
      status: 404,
      body: { message: 'Not Found' },
      times: 9,
    });
    const { out, code } = await onGitHub();
    expect(code).toBe(1);
    expect(lineOf(out, 'comment on a line')).toMatch(/^BROKEN {2}/);
    expect(lineOf(out, 'resolves a review thread')).toMatch(/^SKIPPED /);
    expect(lineOf(out, 'takes everything back')).toMatch(/^holds {3}/);
    expect(out).toMatch(/\d checks of 11 did not hold\.\n$/);
    expect(github.store.refs()).toEqual(before);
  });

  it('says that Actions may not open pull requests, and makes nothing', async () => {
    github.state.surface.pullRequestsForbidden = true;
    const { out, code } = await onGitHub();
    expect(code).toBe(1);
    expect(out).toMatch(/^BROKEN .*pull request/m);
    expect(github.state.pulls.size).toBe(0);
  });

  it('does nothing before somebody agrees', async () => {
    const { err, code } = await accept(['--on', github.repository]);
    expect(code).toBe(2);
    expect(err).toContain('help: Add --yes to go on.');
    expect(github.state.pulls.size).toBe(0);
  });
});

const call = (number: number) => ({ name: 'report_number', arguments: { number } });
const good = (body: Body) => {
  const prompt = String(body.messages[0]?.content);
  if (body.model !== 'double') return { status: 404, error: { message: 'no such model' } };
  if (prompt.includes('twice')) return { calls: [call(1), call(2)] };
  return body.tools ? { calls: [call(7)] } : { text: 'heliotrope' };
};

async function atModel(script: Script) {
  model = await startModel(script);
  const env = { PHOTON_BASE_URL: model.url, PHOTON_API_KEY: 'k', PHOTON_MODEL: 'double' };
  return accept(['--yes'], env);
}

describe('photon accept at a model', () => {
  it('says what the endpoint can do, and whether it knows the price', async () => {
    const { out, code } = await atModel(good);
    expect(out).toMatch(/^holds {3}double at 127\.0\.0\.1: calls tools$/m);
    expect(out).toMatch(/^holds {3}double at 127\.0\.0\.1: refuses an unknown model/m);
    expect(out).toMatch(/^BROKEN {2}double at 127\.0\.0\.1: has a known price \(set prices/m);
    expect(code).toBe(1);
  });

  it('says that an endpoint answers for a model that does not exist', async () => {
    const { out } = await atModel(body => good({ ...body, model: 'double' }));
    expect(lineOf(out, 'unknown model')).toMatch(/^BROKEN .*\(it answered\)$/);
  });

  it('has nothing to try without a repository and a key', async () => {
    const { err, code } = await accept(['--yes']);
    expect([code, err]).toEqual([2, expect.stringContaining('There is nothing to try. [USAGE]')]);
  });
});
