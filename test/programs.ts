/** What some tests need beside Node and git: told by their titles, counted when it is missing. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findProgram } from '../src/sandbox/probe/machine.ts';

/** By name: the command that installs it on Debian and Ubuntu. */
export const programs = {
  bwrap: 'apt-get install bubblewrap',
  busybox: 'apt-get install busybox-static',
  ctags: 'apt-get install universal-ctags',
  clangd: 'apt-get install clangd',
  python3: 'apt-get install python3',
  pytest: 'apt-get install python3-pytest',
  go: 'apt-get install golang-go',
  ruby: 'apt-get install ruby',
  php: 'apt-get install php-cli',
  chromium: 'apt-get install chromium',
  'redis-server': 'apt-get install redis-server',
  postgres: 'apt-get install postgresql, with its programs on the PATH',
  gopls: 'apt-get install gopls golang-go',
  jest: 'npm install --prefix test/runners',
  root: 'sudo npm test',
  namespaces: 'sysctl -w user.max_user_namespaces=10000, outside of a container',
} as const;

export type Program = keyof typeof programs;

/**
 * True when the program is on the PATH; `root`: when the tests run as root
 * that may mount; `namespaces`: when one can be made, without which `bwrap` is none.
 */
export function has(program: Program): boolean {
  // in a container, root may not mount
  if (program === 'root') return process.getuid?.() === 0 && makesNamespaces();
  if (program === 'bwrap' && !makesNamespaces()) return false;
  if (program === 'namespaces') return makesNamespaces();
  if (program === 'pytest') return pytestPython() !== undefined;
  const own = join(import.meta.dirname, 'runners', 'node_modules', '.bin');
  const env = { PATH: [process.env.PATH ?? '', own].join(delimiter) };
  return findProgram(program, { env, workspacePath: '/nonexistent' }) !== undefined;
}

let foundNamespaces: boolean | undefined;

/** Asked of the kernel, and not of Photon's own probe. */
function makesNamespaces(): boolean {
  foundNamespaces ??= [['--user', '--map-root-user'], []].some(
    as => spawnSync('unshare', [...as, '--mount', '--net', '--pid', '--fork', 'true']).status === 0,
  );
  return foundNamespaces;
}

let foundPytest: string | undefined;

/** An interpreter that has pytest; undefined if there is none. */
export function pytestPython(): string | undefined {
  foundPytest ??= ['python3', '/usr/bin/python3'].find(
    python => spawnSync(python, ['-c', 'import pytest']).status === 0,
  );
  return foundPytest;
}

/** For the title of a test, or of a group, that needs the program: `it.runIf(has('go'))(`… ${needs('go')}`)`. */
export function needs(program: Program): `[needs ${Program}]` {
  return `[needs ${program}]`;
}

/** The programs that the title of a test names and that are not there. */
export function missingFor(title: string): readonly Program[] {
  const named = [...title.matchAll(/\[needs ([\w-]+)\]/g)].map(m => m[1] as Program);
  return named.filter(name => name in programs && !has(name));
}
