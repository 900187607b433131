/** Credentials in files of the checkout that belong to no commit: no command sees them, and no output holds their values. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { begin, done, look, prove, repair } from '../doubles/sample.ts';
import { type Played, play } from './scenario.ts';

const mark = '84620175';
/** Finds it, without holding it. */
const pattern = '8462[0]175';
const secret = `Qx2Lm9Vb${mark}Tz`;
const body = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${mark}oIBAQ`;
const pem = (kind: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;

/** Untracked files that are hidden. */
const hidden: Readonly<Record<string, string>> = {
  '.npmrc': `//registry.example/:_authToken=${secret}\n`,
  'packages/a/.npmrc': `//registry.example/:_authToken=${secret}\n`,
  '.env': `API_KEY=${secret}\n`,
  'apps/web/.env.local': `ANY_NAME=${secret}\n`,
  'deploy/kubeconfig': `users:\n- user:\n    token: ${secret}\n`,
  'deploy/keys/id_rsa': pem('OPENSSH PRIVATE KEY'),
  'deploy/certs/server.pem': pem('PRIVATE KEY'),
  '.pypirc': `[pypi]\npassword = ${secret}\n`,
  'ci/.docker/config.json': JSON.stringify({ auths: { 'r.example': { auth: secret } } }),
  'credentials.json': JSON.stringify({ private_key: pem('PRIVATE KEY') }),
  'home/.git-credentials': `https://me:${secret}@example.org\n`,
  'home/.aws/credentials': `[default]\naws_secret_access_key = ${secret}\n`,
  'infra/terraform.tfstate': JSON.stringify({ password: secret }),
  'notes/todo.txt': `remember: https://me:${secret}@db.shop.net/orders\n`,
};

/** Untracked files that are not. */
const shown: Readonly<Record<string, string>> = {
  '.env.example': 'API_KEY=your-key\n',
  '.env.sample': 'API_KEY=\n',
  'deploy/certs/ca.pem': pem('CERTIFICATE').replace(mark, 'visible'),
  'plain/.npmrc': 'engine-strict=true\n',
  'build/output.txt': 'built\n',
  '.pytest_cache/v/cache/nodeids':
    '["test_url.py::test_login[https://me:Mad3-up-pass@db.shop.net/o]"]\n',
};

/** All that the model was told, once. */
const toldOf = ({ requests }: Played['model']) => JSON.stringify(requests.at(-1)?.body.messages);

const place = (files: Readonly<Record<string, string>>) => (workspace: string) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
};

const command = (line: string) => ({ name: 'run_command', arguments: { command: line } });

const search: ScriptedTurn = {
  text: 'I look for every file of the checkout, and print what they hold, in every way that I know.',
  calls: [
    command(`find . -type f -not -path './.git/*' | sort`),
    command(`grep -rho '${pattern}' . ; cat .env deploy/keys/* alias; ls -la home/.aws`),
    command(`node -p 'require("fs").readFileSync(".npmrc", "utf8")'`),
    { name: 'grep', arguments: { pattern } },
    { name: 'list_project_files', arguments: { directory: '' } },
  ],
};

const ignored = { '.gitignore': '.env\n*.pem\ncredentials.json\nbuild/\n' };

/** The results of the calls of `search`. */
function expectHidden(played: Played): void {
  const told = toldOf(played.model);
  expect(told).not.toContain(`\\n${mark}`);
  expect(told).not.toContain(secret);
  expect(told).not.toContain(body);
  for (const path of Object.keys(hidden)) expect(told, path).not.toContain(`./${path}\\n`);
  for (const path of Object.keys(shown)) expect(told, path).toContain(`./${path}\\n`);
  for (const text of [played.log, played.summary, played.kept]) expect(text).not.toContain(mark);
}

const script = [begin, look, search, repair, prove, done];

describe('an untracked file that looks like credentials', () => {
  it('is in no view, and the outcome says so', async () => {
    const cloned = (workspace: string) => {
      place({ ...hidden, ...shown })(workspace);
      symlinkSync('.env', join(workspace, 'alias'));
    };
    await play({ files: ignored, cloned, script }, played => {
      const { outcome, github } = played;
      expect(outcome.code, outcome.message).toBe('COMMITTED');
      expectHidden(played);
      const [note] = outcome.notes.filter(text => text.includes('untracked files'));
      expect(note).toContain('do not see 14 untracked files that look like credentials: .env, ');
      expect(note).toContain(' and 6 more');
      expect(note).toContain('sandbox-read');
      expect(played.summary).toContain('14 untracked files');
      const [pull] = [...github.state.pulls.values()];
      expect(pull?.body).toContain('14 untracked files');
    });
  });

  it('is shown if sandbox-read names it, and its values are blanked all the same', async () => {
    const lines = `tr '_' '-' < .npmrc; cat .npmrc packages/a/.npmrc; test -e .env || echo 'no env'`;
    const ask: ScriptedTurn = { text: 'I look at the settings of npm.', calls: [command(lines)] };
    const inputs = { 'sandbox-read': '.npmrc, packages/a' };
    const play1 = { files: ignored, cloned: place(hidden), inputs };
    await play({ ...play1, script: [begin, look, ask, repair, prove, done] }, played => {
      expect(played.outcome.code, played.outcome.message).toBe('COMMITTED');
      const told = toldOf(played.model);
      expect(told).toContain('//registry.example/:-authToken=***');
      expect(told.match(/registry\.example\/:_authToken=\*\*\*/g)?.length).toBe(2);
      expect(told).toContain('no env');
      expect(told).not.toContain(secret);
      expect(played.outcome.notes.join('\n')).toContain('12 untracked files');
    });
  });

  it('that the commit holds is no secret', async () => {
    const env = { '.env': `API_KEY=${secret}\n`, 'docs/copy.md': 'x\n' };
    const lines = 'cat .env build/.env';
    const ask: ScriptedTurn = { text: 'I look at the variables.', calls: [command(lines)] };
    const cloned = place({ 'build/.env': env['.env'] });
    await play({ files: env, cloned, script: [begin, look, ask, repair, prove, done] }, played => {
      expect(played.outcome.code).toBe('COMMITTED');
      expect(toldOf(played.model).split(secret)).toHaveLength(3);
      expect(played.outcome.notes.join()).not.toContain('untracked');
    });
  });
});
