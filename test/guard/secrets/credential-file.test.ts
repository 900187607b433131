/** Files that look like credentials, by name and by content. */
import { describe, expect, it } from 'vitest';
import { looksLikeCredentials, valuesToBlank } from '../../../src/guard/secrets/credential-file.ts';

const secret = 'Qx2Lm9Vb4Tz8Wn1Rk5';
const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
const privateKey = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
const certificate = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;

describe('a file looks like one of credentials', () => {
  it.each([
    ['.env', 'PORT=3000'],
    ['apps/web/.env.local', 'PORT=3000'],
    ['.env.production', ''],
    ['config/prod.env', 'A=b'],
    ['.ENV', 'A=b'],
    ['.envrc', 'use nix'],
    ['.npmrc', `//registry.example/:_authToken=${secret}`],
    ['a/b/.npmrc', `_auth=${secret}`],
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
    ['kubeconfig.staging', 'users: []'],
    ['home/.kube/config', 'users: []'],
    ['.docker/config.json', '{}'],
    ['sub/.aws/credentials', '[default]'],
    ['.cargo/credentials.toml', '[registry]'],
    ['.gem/credentials', '---'],
    ['credentials.json', '{}'],
    ['google-credentials.json', '{}'],
    ['service-account.json', '{}'],
    ['service_account-prod.json', '{}'],
    ['application_default_credentials.json', '{}'],
    ['infra/terraform.tfstate', '{}'],
    ['infra/terraform.tfstate.backup', '{}'],
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
