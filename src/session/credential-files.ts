/** Files outside of the repository in which programs keep credentials: read once, so that their values are never shown. */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Environment } from './environment.ts';
import { readBounded } from './read-bounded.ts';

/** Below the home folder. */
const atHome = [
  ...['.netrc', '_netrc', '.npmrc', '.yarnrc.yml', '.pypirc', '.git-credentials', '.vault-token'],
  ...['.docker/config.json', '.aws/credentials', '.kube/config', '.m2/settings.xml'],
  ...['.config/git/credentials', '.config/gh/hosts.yml', '.config/pip/pip.conf'],
  ...[
    '.config/gcloud/application_default_credentials.json',
    '.gem/credentials',
    '.nuget/NuGet/NuGet.Config',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.terraform.d/credentials.tfrc.json'],
  ...[
    '.gradle/gradle.properties',
    '.composer/auth.json',
    '.ssh/id_rsa',
    '.ssh/id_ed25519',
    '.ssh/id_ecdsa',
  ],
];

/** Variables that name such a file, or the folder of one. */
const named: Readonly<Record<string, string>> = {
  ...{ NPM_CONFIG_USERCONFIG: '', NETRC: '', KUBECONFIG: '', AWS_SHARED_CREDENTIALS_FILE: '' },
  ...{ GOOGLE_APPLICATION_CREDENTIALS: '', GOOGLE_GHA_CREDS_PATH: '', PIP_CONFIG_FILE: '' },
  ...{ CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE: '', DOCKER_CONFIG: 'config.json' },
  ...{ GH_CONFIG_DIR: 'hosts.yml', XDG_CONFIG_HOME: 'git/credentials' },
  ...{ CARGO_HOME: 'credentials.toml' },
};

/**
 * Their texts. `workspace` is the checkout, in whose git configuration and root other steps leave some
 * (`gha-creds-….json` of google-github-actions/auth); what cannot be read is left out.
 */
export function readCredentialFiles(env: Environment, workspace: string): readonly string[] {
  const home = env.HOME ?? '';
  const paths = [
    ...(home === '' ? [] : atHome.map(file => join(home, file))),
    ...Object.entries(named).flatMap(([name, file]) => (env[name] ? [join(env[name], file)] : [])),
    join(workspace, '.git', 'config'),
    ...filesIn(workspace, /^gha-creds-\w+\.json$/),
    // actions/checkout puts the token of its remote there
    ...(env.RUNNER_TEMP ? filesIn(env.RUNNER_TEMP, /^git-credentials-.*\.config$/) : []),
  ];
  return paths.flatMap(path => textOf(path) ?? []);
}

/** Many of these files are links into a folder of settings. */
function textOf(path: string): string | null {
  try {
    const target = realpathSync(path);
    return readBounded(dirname(target), basename(target));
  } catch {
    return null;
  }
}

function filesIn(folder: string, name: RegExp): readonly string[] {
  try {
    return readdirSync(folder).flatMap(n => (name.test(n) ? [join(folder, n)] : []));
  } catch {
    return [];
  }
}
