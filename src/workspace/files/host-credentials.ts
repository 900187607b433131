/** Finds credentials on this machine that are not part of the run, so that they can be redacted wherever they appear. */
import { isAbsolute, join } from 'node:path';
import { credentialsIn } from '../../guard/secrets/credential-file.ts';
import type { Environment } from '../../process/environment.ts';
import { nowhere } from '../../process/system.ts';
import { listAncestors, readEntries } from './locate.ts';
import { readBeginning } from './read-foreign.ts';

interface CredentialLocations {
  readonly env: Environment;
  readonly workspace: string;
  readonly tempRoot: string;
}

/** Files below the home folder where programs keep credentials. */
const homeFiles =
  '.npmrc .yarnrc.yml .netrc _netrc .git-credentials .config/git/credentials .pypirc .config/pip/pip.conf .pip/pip.conf .docker/config.json .config/containers/auth.json .config/gh/hosts.yml .config/hub .config/glab-cli/config.yml .config/gcloud/application_default_credentials.json .aws/credentials .azure/msal_token_cache.json .kube/config .cargo/credentials .cargo/credentials.toml .m2/settings.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .config/NuGet/NuGet.Config .composer/auth.json .config/composer/auth.json .gem/credentials .bundle/config .hex/hex.config .terraformrc .terraform.d/credentials.tfrc.json .cache/huggingface/token .huggingface/token .vault-token .ssh/id_rsa .ssh/id_ecdsa .ssh/id_ed25519'.split(
    ' ',
  );

/** Environment variables that name a file with credentials. */
const fileVariables =
  'NPM_CONFIG_USERCONFIG GOOGLE_APPLICATION_CREDENTIALS GOOGLE_GHA_CREDS_PATH CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE AWS_SHARED_CREDENTIALS_FILE AWS_WEB_IDENTITY_TOKEN_FILE KUBECONFIG NETRC PIP_CONFIG_FILE'.split(
    ' ',
  );

const maxValues = 200;

/** Credential values from the home folder, from files that variables name, from the runner, from git, and from earlier workflow steps. */
export function hostCredentials({
  env,
  workspace,
  tempRoot,
}: CredentialLocations): readonly string[] {
  const home = env.HOME || nowhere;
  const files = [
    ...homeFiles.map(name => join(home, name)),
    ...fileVariables.map(name => env[name] ?? '').filter(path => isAbsolute(path)),
    join(workspace, '.git/config'),
    ...listAncestors(tempRoot).flatMap(folder =>
      ['.credentials', '.credentials_rsaparams'].map(name => join(folder, name)),
    ),
    ...pathsIn(tempRoot, /^(git-credentials-.*\.config|\.npmrc|gha-creds-.*\.json)$/),
    ...pathsIn(workspace, /^gha-creds-.*\.json$/),
    ...pathsIn(workspace, /^[^.]/).map(folder => join(folder, '.git/config')),
  ];
  return [...new Set(files.flatMap(readValues))].slice(0, maxValues);
}

/** Of each file; programs write less. */
const maxBytes = 100_000;

function readValues(path: string): readonly string[] {
  return credentialsIn(readBeginning(path, maxBytes)?.toString('utf8') ?? '');
}

const pathsIn = (folder: string, pattern: RegExp) =>
  readEntries(folder).flatMap(({ name }) => (pattern.test(name) ? [join(folder, name)] : []));
