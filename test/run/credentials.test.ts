import { generateKeyPairSync } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintedToken } from '../doubles/github-app.ts';
import { repairScript } from '../doubles/sample.ts';
import { serve } from '../doubles/serve.ts';
import { canary } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { play } from './scenario.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (pair: typeof keys) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const granted = { contents: 'write', pull_requests: 'write', issues: 'write', metadata: 'read' };
const app = (permissions: Record<string, string> = granted) => ({
  appId: '1234',
  publicKey: keys.publicKey,
  permissions,
});

it.runIf(playsVariants).each(
  sample(
    'common words as passwords',
    [
      ['a word of the shipped constitution', 'secret'],
      ['the name of a tool', 'verify'],
    ],
    1,
  ),
)('a password that is %s does not invalidate the record', async (_, password) => {
  const env = { DB_PASSWORD: password };
  await play({ script: repairScript, env }, ({ outcome }) => {
    expect(outcome.code, outcome.message).toBe('COMMITTED');
  });
});

describe('a GitHub App', () => {
  it.each(
    sample(
      'forms of a private key',
      [
        ['PKCS#8', pem(keys)],
        ['PKCS#1', keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
        ['line breaks written out', pem(keys).replaceAll('\n', '\\n')],
      ],
      1,
    ),
  )('publishes with a token for this repository and the least permissions (%s)', async (_, key) => {
    const inputs = { 'app-id': '1234', 'private-key': key, 'github-token': '' };
    await play({ script: repairScript, app: app(), inputs }, ({ outcome, github, log }) => {
      expect(outcome.status).toBe('committed');
      const [mint] = github.seen.filter(s => s.path.endsWith('/access_tokens'));
      expect(mint?.body).toEqual({
        repositories: ['sample'],
        permissions: { contents: 'write', pull_requests: 'write', issues: 'write' },
      });
      const others = github.seen.filter(s => !/installation|access_tokens/.test(s.path));
      expect(new Set(others.map(s => s.headers.authorization))).toEqual(
        new Set([`token ${mintedToken}`]),
      );
      expect(log).not.toContain(mintedToken);
    });
  });

  it('that lacks a permission ends the run before the first model request, and names the permission', async () => {
    const inputs = { 'app-id': '1234', 'private-key': pem(keys), 'github-token': '' };
    const { pull_requests: _, ...rest } = granted;
    await play(
      { script: repairScript, app: app({ ...rest, issues: 'read' }), inputs, ref: 'refs/heads/x' },
      ({ outcome, model }) => {
        expect(outcome.code).toBe('GITHUB_PERMISSION');
        expect(outcome.message).toContain('pull-requests: write, issues: write');
        expect(model.requests).toHaveLength(0);
      },
    );
  });

  it.each(
    sample(
      'broken Apps',
      [
        [
          'the key of another App',
          { 'app-id': '1234', 'private-key': pem(stranger) },
          'APP_INVALID',
        ],
        ['what is no key', { 'app-id': '1234', 'private-key': 'not a key at all' }, 'APP_INVALID'],
        ['an id without a key', { 'app-id': '1234' }, 'SETTING_INVALID'],
      ],
      1,
    ),
  )('with %s ends with its code', async (_, given, code) => {
    await play({ script: repairScript, app: app(), inputs: given }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code });
      expect(model.requests).toHaveLength(0);
    });
  });
});

describe('a permission that GitHub reports as missing', () => {
  it('has the name that GitHub uses', async () => {
    await play(
      {
        script: repairScript,
        arrange: github =>
          github.fail((method, path) => method === 'POST' && path.endsWith('/git/trees'), {
            status: 403,
            headers: { 'x-accepted-github-permissions': 'contents=write' },
            body: { message: 'Resource not accessible by integration' },
          }),
      },
      ({ outcome }) => {
        expect(outcome.code).toBe('GITHUB_PERMISSION');
        expect(outcome.message).toContain('The request needs contents: write.');
      },
    );
  });
});

describe('the model key from an OIDC exchange', () => {
  const given: { method: string; url: string; authorization: string; body: string }[] = [];
  interface Answers {
    readonly id: number;
    /** Life of each key in seconds; the keys differ then. */
    readonly expires?: number;
  }
  let answers: Answers = { id: 200 };
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    server = await serve(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const body = await text(request);
      given.push({ method, url, authorization: headers.authorization ?? '', body });
      const id = url.startsWith('/id');
      const count = given.filter(g => g.url.startsWith('/token')).length;
      const { expires } = answers;
      response.statusCode = id ? answers.id : 200;
      const key =
        expires === undefined
          ? { access_token: canary }
          : { access_token: `${canary}-${count}`, expires_in: expires };
      response.end(JSON.stringify(id ? { value: 'id-token-of-the-job' } : key));
    });
  });
  afterAll(() => server.close());

  const playExchange = (env: Record<string, string>, check: Parameters<typeof play>[1]) => {
    given.length = 0;
    const inputs = { 'api-key': '', 'key-exchange-ids': `url=${server.url}/token` };
    return play({ script: repairScript, inputs, env }, check);
  };
  const job = () => ({
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/id?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-bearer-0123456789',
  });

  it('is exchanged for the token of the job, used, and never published', async () => {
    answers = { id: 200 };
    await playExchange(job(), ({ outcome, model, log }) => {
      expect(outcome.status).toBe('committed');
      expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${canary}`);
      expect(given.map(g => [g.method, g.url])).toEqual([
        ['GET', '/id?api-version=2&audience=photon'],
        ['POST', '/token'],
      ]);
      expect(given[0]?.authorization).toBe('Bearer request-bearer-0123456789');
      expect(Object.fromEntries(new URLSearchParams(given[1]?.body))).toMatchObject({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: 'id-token-of-the-job',
        audience: 'photon',
      });
      expect(log).not.toContain('id-token-of-the-job');
    });
  });

  it('is renewed before it expires, and every renewed key is a secret of the run', async () => {
    answers = { id: 200, expires: 0.001 };
    await playExchange(job(), ({ outcome, model, log }) => {
      expect(outcome.status).toBe('committed');
      const keys = model.requests.map(r => String(r.headers.authorization).replace('Bearer ', ''));
      expect(keys.length).toBeGreaterThan(2);
      expect(new Set(keys).size).toBe(keys.length);
      for (const key of keys) expect(log).toContain(`::add-mask::${key}\n`);
    });
  });

  it.each(
    sample(
      'broken exchanges',
      [
        ['a job without id-token: write', {}, { id: 200 }, 'no id token'],
        [
          'an issuer that gives none',
          null,
          { id: 403 },
          'Requesting the id token failed: HTTP 403',
        ],
      ],
      1,
    ),
  )('%s ends the run with what went wrong', async (_, env, statuses, says) => {
    answers = statuses;
    await playExchange(env ?? job(), ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'KEY_EXCHANGE' });
      expect(outcome.message).toContain(says);
      expect(model.requests).toHaveLength(0);
    });
  });
});
