/** Attacks on the walls around commands that read: files of the host, of the runner, and of other checkouts. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scenario } from '../run/scenario.ts';
import { type Attack, modelInputOf, running, type Setup, throughAction } from './attack.ts';

/** A value that no redaction pattern matches, so that the model receives it if a command reads it. */
export const secret = 'the canary sings at dawn';

export const ended = { codes: ['ABSTAINED'] } as const;

/** Writes a file with the folders on the way; its path. */
export function put(...path: string[]): string {
  const full = join(...path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, secret);
  return full;
}

/** A link to a folder, which is made; the link's path. */
export function linkTo(folder: string, link: string): string {
  mkdirSync(folder, { recursive: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(folder, link);
  return link;
}

/** Variables with a home of the attack's own: without walls, npm writes its log to the home folder. */
export function withHome(folder: string, env: Scenario['env'] = {}): NonNullable<Scenario['env']> {
  const home = join(folder, 'home-of-the-run');
  mkdirSync(home, { recursive: true });
  return { HOME: home, ...env };
}

/** What a row does before the run, and what its command reads. */
interface Ground extends Partial<Scenario> {
  /** Paths that hold the secret, as the command calls them. */
  readonly read: readonly string[];
}

export interface ReadRow extends Pick<Attack, 'attack' | 'wall'> {
  readonly name: string;
  readonly arrange: (folder: string) => Ground;
  /** False where the view itself keeps it out, whatever the launcher. */
  readonly control?: boolean;
}

/** A command reads a file of the host. */
const readsOf = ({ name, attack, wall, arrange, control = true }: ReadRow): Attack => ({
  id: `walls/${name}`,
  attack,
  wall,
  control,
  ...ended,
  play: ({ folder, ...setup }: Setup) => {
    const { read, env, ...scenario } = arrange(folder);
    return throughAction(
      { folder, ...setup },
      {
        ...scenario,
        env: withHome(folder, env),
        script: running(read.map(path => `cat ${path}`).join('; ')),
      },
      played => (modelInputOf(played).includes(secret) ? `read ${read.join(', ')}` : undefined),
    );
  },
});

export const homeWall = 'Commands have a separate, empty home folder';

/** Files of the home folder by what they are. */
const homeFiles: readonly (readonly [string, string, string])[] = [
  ['ssh-key', 'a key', '.ssh/id_ed25519'],
  ['aws', 'credentials of AWS', '.aws/credentials'],
  ['npmrc', 'the token of npm', '.npmrc'],
  ['docker', 'the login of Docker', '.docker/config.json'],
  ['gh', 'the login of the GitHub CLI', '.config/gh/hosts.yml'],
  ['netrc', 'passwords', '.netrc'],
  ['gcloud', 'credentials of Google', '.config/gcloud/application_default_credentials.json'],
  ['kube', 'the login of a cluster', '.kube/config'],
  ['history', 'the history of the shell', '.bash_history'],
  ['keyring', 'a keyring beside tools', '.local/share/keyrings/login.keyring'],
  ['cargo-token', 'the token beside the cache of Cargo', '.cargo/credentials.toml'],
  ['maven-settings', 'the passwords beside the cache of Maven', '.m2/settings.xml'],
  ['gradle-properties', 'the passwords beside the cache of Gradle', '.gradle/gradle.properties'],
  ['cached-token', 'a token in a cache', '.cache/gcloud/access_token'],
  ['huggingface', 'a token beside a cache', '.cache/huggingface/token'],
  ['go-checkout', 'another checkout beside the cache of Go', 'go/src/other/.git/config'],
  ['dotnet-keys', 'private keys beside the tools of .NET', '.dotnet/corefx/cryptography/x.pfx'],
  ['other-checkout-of-home', 'a checkout in the home folder', 'projects/other/.git/config'],
];

const homeRows = homeFiles.map(
  ([name, what, file]): ReadRow => ({
    name,
    attack: `A command reads ${what} in the home folder`,
    wall: homeWall,
    arrange: folder => ({
      env: { HOME: join(folder, 'home') },
      read: [put(folder, 'home', file), `~/${file}`],
    }),
  }),
);

export const linkWall = 'The sandbox mounts only real paths and contains nothing else';

const linkRows: readonly ReadRow[] = [
  {
    name: 'home-is-a-link',
    attack: 'The home folder is a symbolic link, and a command reads a key',
    wall: linkWall,
    arrange: folder => {
      const home = linkTo(join(folder, 'real'), join(folder, 'home'));
      return { env: { HOME: home }, read: [put(folder, 'real', '.ssh/key'), `${home}/.ssh/key`] };
    },
  },
  {
    name: 'cache-is-a-link',
    attack: 'The cache folder is a link to a disk with other files, and a command reads them',
    wall: 'Only the listed folders of a cache are visible',
    arrange: folder => {
      linkTo(join(folder, 'disk'), join(folder, 'home/.cache'));
      mkdirSync(join(folder, 'disk', 'pip'));
      const read = [put(folder, 'disk', 'token'), '~/.cache/token', '~/.cache/pip/../token'];
      return { env: { HOME: join(folder, 'home') }, read };
    },
  },
  {
    name: 'cache-leads-to-home',
    attack: 'A cache folder is a link to the folder of keys, and a command reads them',
    wall: 'A link to a folder that contains private folders is not shown',
    arrange: folder => {
      const key = put(folder, 'home/keys/key');
      linkTo(join(folder, 'home'), join(folder, 'home/.cache/pip'));
      return { env: { HOME: join(folder, 'home') }, read: [key, '~/.cache/pip/keys/key'] };
    },
  },
];

export const runnerWall = "The sandbox does not contain the runner's folder";

/** A self-hosted runner's folder with its work folder. */
export const runnerAt = (folder: string) => {
  const runner = join(folder, 'actions-runner');
  put(runner, '.runner');
  mkdirSync(join(runner, '_work/_temp'), { recursive: true });
  return { runner, env: { RUNNER_TEMP: join(runner, '_work/_temp') } };
};

const runnerFiles: readonly (readonly [string, string, string])[] = [
  ['runner-credentials', 'the credentials of the runner', '.credentials'],
  ['runner-key', 'the private key of the runner', '.credentials_rsaparams'],
  ['runner-logs', 'the logs of the runner', '_diag/Worker_1.log'],
  ['runner-temp', 'files of other steps', '_work/_temp/gha-creds-1.json'],
  ['runner-commands', "the runner's channels", '_work/_temp/_runner_file_commands/set_env_1'],
  ['runner-event', 'the event of the workflow', '_work/_temp/_github_workflow/event.json'],
  ['runner-actions', 'other actions', '_work/_actions/a/b/v1/secret'],
  ['runner-checkout', "another repository's checkout", '_work/other/other/.git/config'],
];

const runnerRows = runnerFiles.map(
  ([name, what, file]): ReadRow => ({
    name,
    attack: `A command reads ${what}`,
    wall: runnerWall,
    arrange: folder => {
      const { runner, env } = runnerAt(folder);
      return { env, read: [put(runner, file)] };
    },
  }),
);

/** What lies in the checkout, or beside it; the command starts in the checkout. */
const besideFiles: readonly (readonly [string, string, string, string])[] = [
  ['sibling', 'a checkout beside this one', '../other/.git/config', 'Only the checkout is visible'],
  ['git-config', "git's configuration", '.git/config', 'A view has another .git folder'],
  [
    'nested',
    'a checkout inside this one',
    'vendor/x/.git/config',
    'Nested .git folders are hidden',
  ],
  [
    'gha-creds',
    'what google-github-actions/auth leaves',
    'gha-creds-0a.json',
    'The sandbox does not contain it',
  ],
  ['netrc-beside', 'a .netrc that a step left', '.netrc', 'The sandbox does not contain it'],
];

const besideRows = besideFiles.map(
  ([name, what, file, wall]): ReadRow => ({
    name: `checkout-${name}`,
    wall,
    attack: `A command reads ${what}`,
    control: false,
    arrange: () => ({
      cloned: workspace => {
        if (file === '.git/config')
          writeFileSync(join(workspace, file), `\n[x]\n\ty = ${secret}\n`, { flag: 'a' });
        else put(workspace, file);
      },
      read: [file],
    }),
  }),
);

export const elsewhereWall = 'The sandbox does not contain folders that builds do not need';

const elsewhereRows: readonly ReadRow[] = [
  {
    name: 'other-home',
    attack: "A command reads a file in another user's home",
    wall: elsewhereWall,
    arrange: folder => ({
      env: { HOME: join(folder, 'homes/me') },
      read: [put(folder, 'homes/other/.ssh/key')],
    }),
  },
  {
    name: 'tmp',
    attack: 'A command reads a file in /tmp',
    wall: '/tmp belongs to the view',
    arrange: folder => ({ read: [put(folder, 'token')] }),
  },
  {
    name: 'checkout-on-the-path',
    attack:
      'A folder of another checkout is on the PATH, and a command reads its git configuration',
    wall: 'Git configuration in a tool folder is hidden',
    arrange: folder => {
      const config = put(folder, 'other/.git/config');
      mkdirSync(join(folder, 'other/bin'));
      return { env: { PATH: `${join(folder, 'other/bin')}:${process.env.PATH}` }, read: [config] };
    },
  },
  {
    name: 'home-on-the-path',
    attack: 'The home folder itself is on the PATH, and a command reads a key in it',
    wall: 'A folder that contains private folders is never shown as a whole',
    arrange: folder => {
      const home = join(folder, 'home');
      const key = put(home, '.ssh/key');
      return { env: { HOME: home, PATH: `${home}:${folder}:${process.env.PATH}` }, read: [key] };
    },
  },
  {
    name: 'variable',
    attack: 'A variable for a toolchain names a folder that holds the home folder',
    wall: 'A folder that contains private folders is never shown as a whole',
    arrange: folder => ({
      env: { HOME: join(folder, 'home'), GOROOT: folder, PYTHONPATH: `${folder}:${folder}/home` },
      read: [put(folder, 'home/.ssh/key')],
    }),
  },
  {
    name: 'variable-that-is-let-through',
    attack: 'A command follows a variable of `sandbox-env` to a folder of keys',
    wall: 'Only toolchain variables make folders readable',
    arrange: folder => ({
      env: { MY_FILES: join(folder, 'keys') },
      inputs: { 'sandbox-env': 'MY_FILES' },
      read: [put(folder, 'keys/key'), '$MY_FILES/key'],
    }),
  },
];

const secretsOfSystem: Attack = {
  id: 'walls/system-passwords',
  attack: 'A command reads the password hashes of the system',
  wall: 'Files in /etc that only their owner can read are hidden',
  ...ended,
  play: setup =>
    throughAction(
      setup,
      { script: running('cat /etc/shadow /etc/gshadow /etc/sudoers') },
      played =>
        /root:[*!$]|ALL=\(ALL/.test(modelInputOf(played)) ? 'read /etc/shadow' : undefined,
    ),
};

export const wallsOfFiles: readonly Attack[] = [
  ...[...homeRows, ...linkRows, ...runnerRows, ...besideRows, ...elsewhereRows].map(readsOf),
  secretsOfSystem,
];
