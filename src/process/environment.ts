/** The environment of commands: an allow-list. Photon's own environment holds keys and is never passed on. */
import { collectWords } from '../base/plural.ts';
import { isKeyName } from '../settings/sandbox.ts';

const allowed = collectWords(
  'PATH HOME LANG TZ TERM CI GOROOT GOPATH GOCACHE CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN JAVA_HOME M2_HOME GRADLE_HOME DOTNET_ROOT PYENV_ROOT PYENV_VERSION VIRTUAL_ENV NVM_DIR NVM_BIN NODE_ENV NODE_PATH NODE_VERSION RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH ANDROID_HOME CONDA_PREFIX',
);

const allowedPatterns = [/^LC_[A-Z]+$/, /^JAVA_HOME_\d+_[A-Z0-9]+$/, /^PYTHON[A-Z]+$/];

/** Never passed on, even when a setting names them: they carry the runner's channels and keys. */
const refused =
  /^(INPUT_|ACTIONS_|GITHUB_|RUNNER_|NODE_OPTIONS$|LD_|DYLD_|SSH_|BASH_ENV$|ENV$|GIT_)/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that every command receives, unless the environment has them. */
const defaults = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', CI: 'true' };

/** The variables of `env` that a command receives; `extra` names more of them. */
export function childEnvironment(
  env: Environment,
  extra: readonly string[] = [],
): Record<string, string> {
  const names = Object.keys(env).filter(
    name =>
      !refused.test(name) &&
      !isKeyName(name) &&
      (allowed.has(name) || extra.includes(name) || allowedPatterns.some(p => p.test(name))),
  );
  const child = Object.fromEntries(
    names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return { ...defaults, ...child };
}
