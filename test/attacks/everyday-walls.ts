/** Ordinary work of builds and tests inside the sandbox, all of which must succeed. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantedAt } from '../planted.ts';
import type { Scenario } from '../run/scenario.ts';
import { type Benign, running, throughAction } from './attack.ts';

type Arrange = (folder: string) => Partial<Scenario>;

/** A run whose commands must all end with 0; `arrange` makes what the host has. */
const works = (
  name: string,
  lines: readonly string[] | string | ((folder: string) => string),
  arrange: Arrange = () => ({}),
): Benign => ({
  id: `walls/${name}`,
  play: async setup => {
    let failed: string | undefined;
    const commands = [lines].flat().map(l => (typeof l === 'string' ? l : l(setup.folder)));
    const scenario = { ...arrange(setup.folder), script: running(...commands) };
    await throughAction(setup, scenario, ({ ledger, model }) => {
      const calls = ledger.filter(e => e.tool === 'run_command');
      const bad = commands.findIndex((_, i) => exitOf(calls[i]) !== 0);
      const modelInput = JSON.stringify(model.requests.at(-1)?.body.messages).slice(-800);
      failed = bad < 0 ? undefined : `${commands[bad]}: ${calls[bad]?.code ?? modelInput}`;
      return undefined;
    });
    return failed;
  },
});

const exitOf = (call: { readonly facts?: object } | undefined) =>
  (call?.facts as { exit?: number } | undefined)?.exit;

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

const socket = plantedAt('/tmp', 'own.sock');
const shared = plantedAt('/dev/shm', 'x');

/** Commands that need nothing of the host; each starts from the checkout as it was left. */
const plain: readonly Benign[] = [
  works('git', [
    'git log --oneline -1',
    'test -z "$(git status --porcelain)"',
    'git rev-parse --verify HEAD',
    'test "$(git rev-parse --abbrev-ref HEAD)" = main',
    'git ls-files | grep -qx src/price.js',
    'git show HEAD:src/price.js | grep -q orderTotal',
    `node -e 'require("fs").appendFileSync("README.md", "x")'; git diff --name-only | grep -qx README.md`,
    'cd src && test "$(git rev-parse --show-toplevel)" = "$(dirname "$PWD")"',
    'git -c user.name=a -c user.email=a@b commit -qm x --allow-empty',
    'mkdir r && cd r && git init -q . && git status',
    'git archive HEAD | tar -t | grep -qx package.json',
  ]),
  works('system', [
    '/bin/sh -c "ls /usr/bin | sort | head -3 | sed s/a/b/ | awk 1"',
    'id -un && getent passwd "$(id -u)"',
    'getent hosts localhost',
    `nproc && node -e 'process.exit(require("os").cpus().length ? 0 : 1)'`,
    'TZ=Europe/Berlin date && test -e /usr/share/zoneinfo/UTC',
    'test ! -e /etc/ssl/certs || ls /etc/ssl/certs/',
    'test -x /bin/sh && test -d /lib && test -e /var/run',
    'df . && mount | grep -q proc',
    'head -c 8 /dev/urandom > /dev/null',
    'script -qc true /dev/null || true',
  ]),
  works('places', [
    'd=$(mktemp -d) && echo x > "$d/f" && cat "$d/f" && rm -r "$d"',
    'd=$(mktemp -d /var/tmp/xXXXXXX) && touch "$d/f"',
    'mkdir /run/service && echo 1 > /run/service/pid',
    `head -c 1M /dev/zero > ${shared} && rm ${shared}`,
    'mkdir -p ~/.config/tool && echo x > ~/.config/tool/rc && cat ~/.config/tool/rc',
    'mkdir -p build/deep && echo x > build/deep/out && mv build dist && ls dist',
    `node -e 'const n=require("net");const s=n.createServer(c=>c.end()).listen("${socket}",()=>n.connect("${socket}",()=>process.exit(0)))'`,
    `node -e 'const h=require("http");const s=h.createServer((q,r)=>r.end()).listen(0,()=>h.get({port:s.address().port},()=>process.exit(0)))'`,
    'npm --version',
  ]),
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
];

export const everydayWalls: readonly Benign[] = [...plain, ...tools];
