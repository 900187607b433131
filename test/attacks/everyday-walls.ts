/** Ordinary work of builds and tests inside the sandbox, all of which must succeed. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantedAt } from '../planted.ts';
import type { Scenario } from '../run/scenario.ts';
import { type Benign, running, throughAction } from './attack.ts';

type Arrange = (folder: string) => Partial<Scenario>;

/** A run whose command must end with 0; `arrange` makes what the host has. */
const works = (
  name: string,
  line: string | ((folder: string) => string),
  arrange: Arrange = () => ({}),
): Benign => ({
  id: `walls/${name}`,
  play: async setup => {
    let failed: string | undefined;
    const command = typeof line === 'string' ? line : line(setup.folder);
    const scenario = { ...arrange(setup.folder), script: running(command) };
    await throughAction(setup, scenario, ({ ledger, model }) => {
      const call = ledger.find(e => e.tool === 'run_command');
      const facts = call?.facts as { exit?: number } | undefined;
      const modelInput = JSON.stringify(model.requests.at(-1)?.body.messages).slice(-800);
      failed = facts?.exit === 0 ? undefined : `${command}: ${call?.code ?? modelInput}`;
      return undefined;
    });
    return failed;
  },
});

/** A program of a tool folder that needs what lies beside its `bin`. */
function makeTool(folder: string): string {
  for (const name of ['bin', 'lib']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'lib', 'data'), 'works\n');
  const program = join(folder, 'bin', 'photon-tool');
  const script = '#!/bin/sh\ngrep -q works "$(dirname "$(readlink -f "$0")")/../lib/data"\n';
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return program;
}

const withPath = (entry: string) => ({ env: { PATH: `${entry}:${process.env.PATH}` } });

function file(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'here\n');
}

const git: readonly Benign[] = [
  works('git-log', 'git log --oneline -1'),
  works('git-status', 'test -z "$(git status --porcelain)"'),
  works('git-head', 'git rev-parse --verify HEAD'),
  works('git-branch', 'test "$(git rev-parse --abbrev-ref HEAD)" = main'),
  works('git-files', 'git ls-files | grep -qx src/price.js'),
  works('git-show', 'git show HEAD:src/price.js | grep -q orderTotal'),
  works(
    'git-diff',
    `node -e 'require("fs").appendFileSync("README.md", "x")'; git diff --name-only | grep -qx README.md`,
  ),
  works('git-toplevel', 'cd src && test "$(git rev-parse --show-toplevel)" = "$(dirname "$PWD")"'),
  works('git-commit', 'git -c user.name=a -c user.email=a@b commit -qm x --allow-empty'),
  works('git-own-repository', 'mkdir r && cd r && git init -q . && git status'),
  works('git-archive', 'git archive HEAD | tar -t | grep -qx package.json'),
];

const system: readonly Benign[] = [
  works('shell-and-tools', '/bin/sh -c "ls /usr/bin | sort | head -3 | sed s/a/b/ | awk 1"'),
  works('user', 'id -un && getent passwd "$(id -u)"'),
  works('hosts', 'getent hosts localhost'),
  works('processors', `nproc && node -e 'process.exit(require("os").cpus().length ? 0 : 1)'`),
  works('time-zone', 'TZ=Europe/Berlin date && test -e /usr/share/zoneinfo/UTC'),
  works('certificates', 'test ! -e /etc/ssl/certs || ls /etc/ssl/certs/'),
  works('links-of-the-system', 'test -x /bin/sh && test -d /lib && test -e /var/run'),
  works('disk', 'df . && mount | grep -q proc'),
  works('random-and-null', 'head -c 8 /dev/urandom > /dev/null'),
  works('terminal', 'script -qc true /dev/null || true'),
];

const socket = plantedAt('/tmp', 'own.sock');
const shared = plantedAt('/dev/shm', 'x');

const places: readonly Benign[] = [
  works('temporary-folder', 'd=$(mktemp -d) && echo x > "$d/f" && cat "$d/f" && rm -r "$d"'),
  works('var-tmp', 'd=$(mktemp -d /var/tmp/xXXXXXX) && touch "$d/f"'),
  works('run', 'mkdir /run/service && echo 1 > /run/service/pid'),
  works('shared-memory', `head -c 1M /dev/zero > ${shared} && rm ${shared}`),
  works('home', 'mkdir -p ~/.config/tool && echo x > ~/.config/tool/rc && cat ~/.config/tool/rc'),
  works(
    'build-output',
    'mkdir -p build/deep && echo x > build/deep/out && mv build dist && ls dist',
  ),
  works(
    'own-socket',
    `node -e 'const n=require("net");const s=n.createServer(c=>c.end()).listen("${socket}",()=>n.connect("${socket}",()=>process.exit(0)))'`,
  ),
  works(
    'own-server',
    `node -e 'const h=require("http");const s=h.createServer((q,r)=>r.end()).listen(0,()=>h.get({port:s.address().port},()=>process.exit(0)))'`,
  ),
];

const tools: readonly Benign[] = [
  works('tool-in-an-odd-folder', 'photon-tool', folder => {
    makeTool(join(folder, 'odd/tool'));
    return withPath(join(folder, 'odd/tool/bin'));
  }),
  works('tool-by-a-link-on-the-path', 'photon-tool', folder => {
    makeTool(join(folder, 'versions/1'));
    symlinkSync('versions/1', join(folder, 'current'));
    return withPath(join(folder, 'current/bin'));
  }),
  works('tool-of-the-home', 'photon-tool', folder => {
    makeTool(join(folder, 'home/tools/x'));
    const { env } = withPath(join(folder, 'home/tools/x/bin'));
    return { env: { ...env, HOME: join(folder, 'home') } };
  }),
  works('tool-of-a-home-that-is-a-link', 'photon-tool && ls ~/.npm/_cacache/x', folder => {
    makeTool(join(folder, 'real/tools/x'));
    file(join(folder, 'real/.npm/_cacache/x'));
    symlinkSync('real', join(folder, 'home'));
    const { env } = withPath(join(folder, 'home/tools/x/bin'));
    return { env: { ...env, HOME: join(folder, 'home') } };
  }),
  works('toolchain-by-a-variable', 'cat "$GOROOT/VERSION"', folder => {
    file(join(folder, 'go/VERSION'));
    return { env: { GOROOT: join(folder, 'go') } };
  }),
  works(
    'tool-cache-of-the-runner',
    folder => `cat ${folder}/runner/_work/_tool/node/20/x64/bin/node`,
    folder => {
      file(join(folder, 'runner/.runner'));
      file(join(folder, 'runner/_work/_tool/node/20/x64/bin/node'));
      mkdirSync(join(folder, 'runner/_work/_temp'));
      return {
        env: {
          RUNNER_TEMP: join(folder, 'runner/_work/_temp'),
          RUNNER_TOOL_CACHE: join(folder, 'runner/_work/_tool'),
        },
      };
    },
  ),
  works('cache-that-is-a-link', 'cat ~/.cache/pip/wheel && echo x > ~/.cache/pip/new', folder => {
    file(join(folder, 'disk/pip/wheel'));
    mkdirSync(join(folder, 'home'));
    symlinkSync(join(folder, 'disk'), join(folder, 'home/.cache'));
    return { env: { HOME: join(folder, 'home') } };
  }),
  works(
    'read-input',
    folder => `cat ${folder}/data/set`,
    folder => {
      file(join(folder, 'data/set'));
      return { inputs: { 'sandbox-read': join(folder, 'data') } };
    },
  ),
  works(
    'read-input-of-a-file',
    folder => `cat ${folder}/data/set`,
    folder => {
      file(join(folder, 'data/set'));
      return { inputs: { 'sandbox-read': `${join(folder, 'data/set')}, /nowhere` } };
    },
  ),
  works('linked-runner-temp', 'node --version', folder => {
    mkdirSync(join(folder, 'disk/_temp'), { recursive: true });
    symlinkSync('disk', join(folder, 'work'));
    return { env: { RUNNER_TEMP: join(folder, 'work/_temp') } };
  }),
  works('packages-of-the-checkout', 'node_modules/.bin/own', () => ({
    cloned: workspace => {
      const bin = join(workspace, 'node_modules/.bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'own'), '#!/usr/bin/env node\n');
      chmodSync(join(bin, 'own'), 0o755);
    },
  })),
  works('npm', 'npm --version'),
];

export const everydayWalls: readonly Benign[] = [...git, ...system, ...places, ...tools];
