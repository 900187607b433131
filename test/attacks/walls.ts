/** Attacks on the walls around commands: sockets of the host, writes to it, and files (`walls-files.ts`). */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Scenario } from '../run/scenario.ts';
import { type Attack, type Found, modelInputOf, running, textOf, throughAction } from './attack.ts';
import {
  elsewhereWall,
  ended,
  linkTo,
  linkWall,
  put,
  type ReadRow,
  wallsOfFiles,
  withHome,
} from './walls-files.ts';

/** A command connects to a socket of the host. */
const reaches = (
  { name, attack, wall }: Pick<ReadRow, 'name' | 'attack' | 'wall'>,
  arrange: (folder: string) => Partial<Scenario> & { readonly path: string },
): Attack => ({
  id: `walls/${name}`,
  attack,
  wall,
  control: true,
  ...ended,
  play: async setup => {
    const { path, ...arranged } = arrange(setup.folder);
    const scenario = { ...arranged, env: withHome(setup.folder, arranged.env) };
    mkdirSync(dirname(path), { recursive: true });
    let reached = 0;
    const server = createServer(socket => {
      // the probe connects and says nothing
      socket.on('data', () => {
        reached += 1;
      });
    });
    await new Promise<void>(ready => server.listen(path, ready));
    try {
      const program = `require("net").connect("${path}",function(){this.end("canary")}).on("error",()=>{})`;
      const script = running(`node -e '${program}'`);
      return await throughAction(setup, { ...scenario, script }, () =>
        reached > 0 ? `reached ${path}` : undefined,
      );
    } finally {
      server.close();
    }
  },
});

const sockets: readonly Attack[] = [
  reaches(
    {
      name: 'socket-of-tmp',
      attack: 'A command connects to a socket in /tmp',
      wall: elsewhereWall,
    },
    folder => ({ path: join(folder, 's.sock') }),
  ),
  reaches(
    {
      name: 'socket-among-tools',
      attack: 'A command connects to a socket next to tools that it can read',
      wall: 'Listening sockets are hidden wherever they are',
    },
    folder => {
      mkdirSync(join(folder, 'tools/bin'), { recursive: true });
      const PATH = `${join(folder, 'tools/bin')}:${process.env.PATH}`;
      return { env: { PATH }, path: join(folder, 'tools/var/s.sock') };
    },
  ),
  reaches(
    {
      name: 'socket-in-read-folder',
      attack: 'A command connects to a socket in a folder that sandbox-read names',
      wall: 'Listening sockets are hidden wherever they are',
    },
    folder => ({ inputs: { 'sandbox-read': join(folder, 'data') }, path: join(folder, 'data/s') }),
  ),
];

/** Commands try to change something of the host; what shows it is the host's own. */
const changes = (
  { name, attack, wall }: Pick<ReadRow, 'name' | 'attack' | 'wall'>,
  act: (folder: string) => Partial<Scenario> & {
    readonly lines: readonly string[];
    readonly got: () => string | undefined;
  },
  control: boolean,
): Attack => ({
  id: `walls/${name}`,
  attack,
  wall,
  control,
  ...ended,
  play: async (setup): Promise<Found> => {
    const { lines, got, ...arranged } = act(setup.folder);
    const scenario = { ...arranged, env: withHome(setup.folder, arranged.env) };
    return throughAction(setup, { ...scenario, script: running(...lines) }, got);
  },
});

const overwritten = (path: string) => () =>
  textOf(path)?.includes('attacker') ? `wrote ${path}` : undefined;

/** The runner's temporary folder is a link, as it is spelled. */
const linkedTemp = (folder: string) => {
  const real = join(folder, 'disk/_temp');
  const link = linkTo(real, join(folder, 'work/_temp'));
  const file = put(real, '_runner_file_commands/set_env_1');
  const env = { RUNNER_TEMP: link, GITHUB_ENV: join(link, '_runner_file_commands/set_env_1') };
  return { env, file, spelled: env.GITHUB_ENV };
};

const pinned = 'Commands cannot replace a folder above a mount point';

const written: readonly Attack[] = [
  changes(
    {
      name: 'runner-temp-is-a-link',
      attack:
        "RUNNER_TEMP is a symbolic link, and a command writes to the runner's GITHUB_ENV file",
      wall: linkWall,
    },
    folder => {
      const { env, file, spelled } = linkedTemp(folder);
      return {
        env,
        lines: [`echo attacker=1 > ${spelled}; echo attacker=1 > ${file}`],
        got: overwritten(file),
      };
    },
    true,
  ),
  changes(
    {
      name: 'link-for-a-cache',
      attack:
        "A command replaces the path to a cache with a link, for the next command's mount to follow",
      wall: pinned,
    },
    folder => {
      const home = join(folder, 'home');
      mkdirSync(join(home, '.npm/_cacache'), { recursive: true });
      mkdirSync(join(folder, 'victim'));
      return {
        env: { HOME: home },
        lines: [`mv ~/.npm ~/x; ln -s ${folder}/victim ~/.npm; ls -la ~`, 'ls ~'],
        got: () => readdirSync(join(folder, 'victim'))[0],
      };
    },
    false,
  ),
  changes(
    {
      name: 'link-for-a-cache-through-the-old-root',
      attack:
        "A command replaces the path to a cache with a link into bubblewrap's view of the machine",
      wall: pinned,
    },
    folder => {
      const home = join(folder, 'home');
      mkdirSync(join(home, '.cargo/bin'), { recursive: true });
      mkdirSync(join(folder, 'victim'));
      const line = `mv ~/.cargo ~/x; ln -s /oldroot${folder}/victim ~/.cargo`;
      return {
        env: { HOME: home },
        lines: [line, 'ls ~'],
        got: () => readdirSync(join(folder, 'victim'))[0],
      };
    },
    false,
  ),
  changes(
    {
      name: 'link-for-the-checkout',
      attack:
        "A command replaces the folder above the checkout with a link, for the next command's mount to follow",
      wall: pinned,
    },
    folder => {
      mkdirSync(join(folder, 'victim'));
      const line = `d=$(dirname "$PWD"); cd /; mv "$d" "$d.old"; ln -s ${folder}/victim "$d"`;
      return {
        lines: [line, 'ls'],
        got: () => readdirSync(join(folder, 'victim'))[0],
      };
    },
    false,
  ),
];

/** Of no word that a program would print. */
const token = 'Qx2Lm9Vb4Tz8Wn1Rk5Yp3';

/** Where a program keeps the token, as it is written there. */
const keptTokens: readonly (readonly [string, string, string])[] = [
  ['npm', '.npmrc', `//registry.example/:_authToken=${token}`],
  [
    'docker',
    '.docker/config.json',
    JSON.stringify({ auth: Buffer.from(`me:${token}`).toString('base64') }),
  ],
  ['git', '.git-credentials', `https://me:${token}@example.org`],
  ['aws', '.aws/credentials', `[default]\naws_secret_access_key = ${token}`],
];

/** A credential of the machine that a command came upon in another place. */
const blanked = keptTokens.map(
  ([name, file, text]): Attack => ({
    id: `walls/blanked-${name}`,
    attack: `A command prints the credential of ${name} that a tool copied into the checkout`,
    wall: 'Credentials of the machine are redacted in everything that the model receives',
    ...ended,
    play: setup => {
      const home = join(setup.folder, 'home');
      writeFileSync(put(home, file), text);
      return throughAction(
        setup,
        {
          env: { HOME: home },
          cloned: workspace => writeFileSync(join(workspace, 'copied'), `${token}\n`),
          script: running('cat copied; base64 copied'),
        },
        played =>
          modelInputOf(played).includes(token) ? 'sent the credential to the model' : undefined,
      );
    },
  }),
);

export const walls: readonly Attack[] = [...wallsOfFiles, ...sockets, ...written, ...blanked];
