/** Files that look like credentials, by name and by content. */
import { describe, expect, it } from 'vitest';
import {
  credentialsIn,
  looksLikeCredentials,
  valuesToBlank,
} from '../../../src/guard/secrets/credential-file.ts';
import { some } from '../credentials.ts';

const secret = 'Qx2Lm9Vb4Tz8Wn1Rk5';
const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
const privateKey = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
const certificate = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;

describe('a file looks like one of credentials', () => {
  it.each([
    ['.env', 'PORT=3000'],
    ['apps/web/.env.local', 'PORT=3000'],
    ['.ENV', 'A=b'],
    ['.envrc', 'use nix'],
    ['.npmrc', `//registry.example/:_authToken=${secret}`],
    ['.yarnrc.yml', `npmAuthToken: "${secret}"`],
    ['.pypirc', ''],
    ['pip.conf', `index-url = https://me:${secret}@example.net/simple`],
    ['deep/in/id_rsa', privateKey],
    ['id_ed25519_deploy', 'x'],
    ['certs/server.pem', privateKey],
    ['certs/both.pem', certificate + privateKey],
    ['certs/server.pem', null],
    ['config/master.key', secret],
    ['release.jks', null],
    ['a.p12', null],
    ['kubeconfig', 'users: []'],
    ['home/.kube/config', 'users: []'],
    ['.docker/config.json', '{}'],
    ['sub/.aws/credentials', '[default]'],
    ['.cargo/credentials.toml', '[registry]'],
    ['.gem/credentials', '---'],
    ['credentials.json', '{}'],
    ['service-account.json', '{}'],
    ['application_default_credentials.json', '{}'],
    ['infra/terraform.tfstate', '{}'],
    ['infra/prod.tfvars', `db_password = "${secret}"`],
    ['.netrc', ''],
    ['sub/.git-credentials', ''],
    ['NuGet.Config', `<add key="ClearTextPassword" value="${secret}" />`],
    ['settings.xml', `<password>${secret}</password>`],
    ['gradle.properties', `mavenPassword=${secret}`],
    ['config/secrets.yml', `production:\n  secret_key_base: ${secret}`],
    ['token.txt', secret],
    ['notes.txt', `the deploy token is ghp_${secret}${secret}`],
    ['deploy/registry.json', JSON.stringify({ password: secret })],
    ['backup.asc', privateKey.replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
  ])('%s: %j', (path, text) => {
    expect(looksLikeCredentials(path, text ?? undefined)).toBe(true);
  });

  it.each([
    ['.env.example', 'API_KEY=your-key-goes-here'],
    ['.env.sample', 'A='],
    ['.env.local.example', 'A='],
    ['example.env', 'A='],
    ['.npmrc', 'registry=https://registry.example/\nalways-auth=true'],
    ['.npmrc', `//registry.example/:_authToken=$\{NPM_TOKEN}`],
    ['.npmrc', 'engine-strict=true\n'],
    ['certs/ca.pem', certificate],
    ['certs/public.key', privateKey.replaceAll('PRIVATE', 'PUBLIC')],
    ['id_rsa.pub', 'ssh-rsa AAAA'],
    ['gradle.properties', 'org.gradle.jvmargs=-Xmx2g'],
    ['settings.xml', '<settings/>'],
    ['src/environment.ts', 'export const token = process.env.TOKEN;'],
    ['docker/config.json', '{"a":1}'],
    ['package-lock.json', '{"integrity":"sha512-abcdef0123456789=="}'],
    ['build/app.js', `const token = "${secret}";`],
    ['coverage.json', '{"path":"/src/token.js","s":{"0":12}}'],
    ['image.png', null],
  ])('or does not: %s: %j', (path, text) => {
    expect(looksLikeCredentials(path, text ?? undefined)).toBe(false);
  });
});

describe('the values to blank', () => {
  it('are those of fields, of shapes, and of variables of any name', () => {
    const text = `PORT=3000\nexport API_SECRET='${secret}'\nOTHER=${body}\nMODE=development\nDB_PASSWORD=development\nURL=https://example.org/path`;
    expect(valuesToBlank('.env', text)).toEqual([secret, body]);
    expect(valuesToBlank('a.json', text)).toEqual([secret]);
  });

  it('are no placeholders', () => {
    expect(valuesToBlank('.env', 'API_KEY=your-api-key-123456\nTOKEN=xxxxxxxxxxxxxxx')).toEqual([]);
  });
});

const basic = Buffer.from(`x-access-token:${secret}`).toString('base64');

describe('values of credentials in the files that programs keep them in', () => {
  it.each([
    ['npm', `//registry.example/:_authToken=${secret}`],
    ['npm, a password', `//registry.example/:_password="${secret}"`],
    ['yarn', `npmAuthToken: "${secret}"`],
    ['netrc', `machine example.org\nlogin me\npassword ${secret}`],
    ['netrc on one line', `machine example.org login me password ${secret}`],
    ['git credentials', `https://me:${secret}@example.org`],
    ['git, a header', `[http]\n\textraheader = AUTHORIZATION: basic ${basic}`],
    ['git, an address', `[remote "origin"]\n\turl = https://x:${secret}@example.org/a.git`],
    ['PyPI', `[pypi]\nusername = __token__\npassword = ${secret}`],
    ['Docker', JSON.stringify({ auths: { 'ghcr.io': { auth: basic } } })],
    ['GitHub CLI', `github.com:\n    oauth_token: ${secret}\n    user: me`],
    ['AWS', `[default]\naws_access_key_id = AKIA\naws_secret_access_key = ${secret}`],
    ['Kubernetes', `users:\n- user:\n    token: ${secret}`],
    ['Cargo', `[registry]\ntoken = "${secret}"`],
    ['Maven', `<server><username>me</username><password>${secret}</password></server>`],
    ['NuGet', `<add key="ClearTextPassword" value="${secret}" />`],
    ['Gradle', `mavenPassword=${secret}`],
    ['Composer', JSON.stringify({ 'github-oauth': {}, token: secret })],
    ['a file that is the token', `${secret}\n`],
    ['Google', JSON.stringify({ refresh_token: secret, client_id: 'x' })],
  ])('%s', (_name, text) => {
    expect(credentialsIn(text)).toContain(secret);
  });

  it('a private key gives its lines', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
    const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`;
    expect(credentialsIn(pem)).toContain(line);
    expect(credentialsIn(JSON.stringify({ private_key: pem }))).toContain(line);
  });

  it.each([
    ['npm settings', 'registry=https://packages.example.com/\nalways-auth=true\nauth-type=legacy'],
    ['a variable', `//packages.example.com/:_authToken=\${NODE_AUTH_TOKEN}`],
    ['a helper', '[credential]\n\thelper = /usr/bin/gh-credential\n\tusername = somebody'],
    ['addresses', '{"token_uri":"https://oauth2.example.org/token","auth_uri":"https://e.org"}'],
    ['an identity file', '[gpg]\n\tkey = short'],
    ['user and mail', '[user]\n\tname = Somebody Else\n\temail = somebody@example.org'],
  ])('%s hold none, so that no common word is blanked', (_name, text) => {
    expect(credentialsIn(text)).toEqual([]);
  });
});

describe('values in files of credentials', () => {
  const one = some(30);
  const basic = Buffer.from(`x-access-token:${one}`).toString('base64');
  it.each([
    [
      'npmrc',
      `registry=https://r.example/\n//r.example/:_authToken=${one}\nalways-auth=true\n`,
      [one],
    ],
    ['docker', `{"auths":{"r.example":{"auth":"${basic}"}},"credsStore":"desktop"}`, [one, basic]],
    [
      'google',
      JSON.stringify({
        type: 'external_account',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: 'https://sts.googleapis.com/v1/token',
        credential_source: { headers: { Authorization: `bearer ${one}` } },
      }),
      [one],
    ],
  ])('are found: %s', (_name, text, values) => {
    const found = credentialsIn(text);
    for (const value of values) expect(found.some(f => f.includes(value))).toBe(true);
    for (const word of ['urn:', 'sts.google', 'desktop', 'registry', 'r.example/'])
      expect(found.join('\n')).not.toContain(word);
  });
});
