/** Linux and macOS. */
import { posix } from 'node:path';
import type { Platform, ShellSyntax } from './platform.ts';

/** Quotes a word for a POSIX shell, if it needs quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The syntax of `sh`. */
export const posixShell: ShellSyntax = {
  quoted,
  line: ({ env, words }) => {
    // a shell would take a quoted assignment for a program
    const setting = env.length > 0 ? ['env', ...env] : [];
    return [...setting, ...words].map(quoted).join(' ');
  },
  without: variable => ['-u', variable],
  removing: path => `rm -f -- ${quoted(path)}\n`,
  limited: cpuSeconds => `ulimit -t ${cpuSeconds}; `,
  naming: (variable, folder) => `export ${variable}="$PWD/${folder}"\n`,
  withLocalPrograms: 'PATH="$PWD/node_modules/.bin:$PATH" ',
  building: build =>
    `built=$( { ${build}; } 2>&1 ) || { code=$?; printf '%s\\n' "$built"; exit $code; }\n`,
  printFolder: 'pwd',
  // the exit status alone says so
  lacksProgram: () => false,
  readsAsPosix: () => true,
};

function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // the group no longer exists
  }
}

/** Linux and macOS. A command leads a process group, by which everything that it started is stopped. */
export const posixPlatform: Platform = {
  name: 'posix',
  isolates: true,
  path: posix,
  isFixed: path => path.startsWith('/'),
  isBelow: (path, folder) => (folder === '/' ? path !== '/' : path.startsWith(`${folder}/`)),
  isSame: (path, other) => path === other,
  temporary: '/tmp',
  nowhere: '/nonexistent',
  noHooks: '/dev/null',
  environment: env => env,
  variableName: name => name,
  commandVariables: [],
  commandDefaults: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', CI: 'true' },
  administration: ['/usr/sbin', '/sbin'],
  programFiles: name => [name],
  ownProgramFiles: name => [name],
  hasModes: true,
  shell: posixShell,
  unixPaths: text => text,
  start: ({ argv: [file = '', ...args], env }) => ({
    file,
    args,
    env,
    options: { detached: true },
  }),
  stop: (pid, how) => killGroup(pid, how === 'gently' ? 'SIGTERM' : 'SIGKILL'),
  stopLeft: pid => killGroup(pid, 'SIGKILL'),
  convertsFiles: false,
  isBusy: () => false,
};
