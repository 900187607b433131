import { describe, expect, it } from 'vitest';
import { credentialsIn } from '../../src/guard/credential-values.ts';

const secret = 'Qx2Lm9Vb4Tz8Wn1Rk5';
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
