/** Windows. No launcher isolates a command there, and a tree of processes is stopped by `taskkill`. */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { CommandRequest, Platform, ShellSyntax, SpawnRequest } from './platform.ts';

/** What the Windows platform asks its machine, so that tests need no Windows. */
interface WindowsMachine {
  /** The folder of the system, such as `C:\Windows`. */
  readonly systemRoot: string;
  readonly isFile: (path: string) => boolean;
  /** Starts a program of the system and does not wait for it. */
  readonly run: (file: string, args: readonly string[], failed: () => void) => void;
}

const { isFixed, isBelow, isSame } = pathRules();

/** The endings that `cmd.exe` adds to the name of a program, for a machine whose PATHEXT is not known. */
const endings = ['.com', '.exe', '.bat', '.cmd'];

/** The exit status of `cmd.exe` for a program that does not exist. */
const notFoundStatus = 9009;

/** A name, or a path, with each ending that a program can have, unless it has one. */
const programFiles = (name: string) =>
  endings.some(e => name.toLowerCase().endsWith(e)) ? [name] : endings.map(e => `${name}${e}`);

const isBatch = (file: string) => /\.(?:bat|cmd)$/i.test(file);

/** Variables without which programs of Windows do not start or do not find their folders. */
const commandVariables =
  'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP TMPDIR USERPROFILE HOMEDRIVE HOMEPATH USERNAME APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PUBLIC PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER PSMODULEPATH'.split(
    ' ',
  );

/**
 * Without it, `cmd.exe`, Node and Windows look for a program in the working folder first, which is the checkout
 * (Microsoft: NeedCurrentDirectoryForExePathA).
 */
const noCurrentFolder = { NODEFAULTCURRENTDIRECTORYINEXEPATH: '1' };

/** A variable in front of a line. The quotation marks are no part of the value. */
const setting = (assignment: string) =>
  /["%!\r\n]/.test(assignment) ? `set ${quotedForCmd(assignment)} && ` : `set "${assignment}" && `;

/** The syntax of `cmd.exe`. PowerShell is a program that a line can start. */
const cmdShell: ShellSyntax = {
  quoted: quotedForCmd,
  line: ({ env, words }) => env.map(setting).join('') + words.map(quotedForCmd).join(' '),
  without: variable => [`${variable}=`],
  removing: path => {
    const file = quotedForCmd(path.replaceAll('/', '\\'));
    return `if exist ${file} del /f /q ${file}\n`;
  },
  limited: () => '',
  naming: (variable, folder) => `set "${variable}=%CD%\\${folder.replaceAll('/', '\\')}"\n`,
  withLocalPrograms: 'set "PATH=%CD%\\node_modules\\.bin;%PATH%" && ',
  building: build => {
    const log = '.photon-build.log';
    return `(${build}) >${log} 2>&1 || (type ${log} & exit 1)\n`;
  },
  printFolder: 'cd',
  lacksProgram: ({ exitCode, output }) =>
    (exitCode === 1 || exitCode === notFoundStatus) &&
    /is not recognized as an internal or external command/.test(output),
  // other quotation marks, escapes, variables, comments and delimiters; and what `sh` takes for an assignment
  readsAsPosix: line =>
    !/['^%!\\`$#;,(){}]/.test(line) && !/(?:^|[&|\n])\s*(?:@|[^\s&|]*=)/.test(line),
};

/** Windows on a machine. */
export function windowsPlatform(machine: WindowsMachine): Platform {
  const system = (name: string) => win32.join(machine.systemRoot, 'System32', name);
  return {
    name: 'windows',
    isolates: false,
    path: win32,
    isFixed,
    isBelow,
    isSame,
    temporary: win32.join(machine.systemRoot, 'Temp'),
    nowhere: system('photon-nonexistent'),
    // `/dev/null` would be a folder of the current drive
    noHooks: system('photon-nonexistent'),
    environment: withKnownNames,
    variableName: name => name.toUpperCase(),
    commandVariables,
    commandDefaults: {
      PATH: [system(''), machine.systemRoot].join(';'),
      CI: 'true',
      SYSTEMROOT: machine.systemRoot,
      COMSPEC: system('cmd.exe'),
      PATHEXT: endings.join(';').toUpperCase(),
      ...noCurrentFolder,
    },
    administration: [],
    programFiles,
    // git is the only one that Photon itself starts here; others of the same name come from a Unix environment
    ownProgramFiles: name => (name === 'git' ? ['git.exe'] : []),
    hasModes: false,
    shell: cmdShell,
    unixPaths: text => text.replace(/(?<!\w)[a-z]:(?=[\\/])/gi, '').replaceAll('\\', '/'),
    start: command => startOn(machine, system('cmd.exe'), command),
    stop: pid => {
      const kill = () => {
        try {
          process.kill(pid);
        } catch {
          // it has ended
        }
      };
      machine.run(system('taskkill.exe'), ['/pid', String(pid), '/T', '/F'], kill);
    },
    // another program can have the id of one that has ended
    stopLeft: () => {},
    convertsFiles: true,
    isBusy: error =>
      /^(?:EPERM|EBUSY|EACCES|ENOTEMPTY)$/.test((error as NodeJS.ErrnoException).code ?? ''),
  };
}

function startOn(
  machine: WindowsMachine,
  cmd: string,
  { argv, cwd, env }: CommandRequest,
): SpawnRequest {
  // `env NAME=value program`, as Photon writes it for every system
  const own = argv[0] === 'env' ? argv.findIndex((word, i) => i > 0 && !word.includes('=')) : 0;
  const given = argv.slice(1, Math.max(1, own)).map(word => word.split(/=(.*)/s));
  const variables = Object.fromEntries(
    given.map(([name = '', value = '']) => [name.toUpperCase(), value]),
  );
  const [program = '', ...args] = argv.slice(Math.max(0, own));
  const options = { detached: false, windowsHide: true };
  const seen = { ...env, ...variables };
  const byCmd = (text: string): SpawnRequest => ({
    file: cmd,
    args: ['/d', '/s', '/c', text],
    env: seen,
    options: { ...options, windowsVerbatimArguments: true },
  });
  if (program === 'sh' && args[0] === '-c' && args.length === 2)
    return byCmd(shellText(args[1] ?? ''));
  const file = findFile(machine, program, { path: seen.PATH ?? '', cwd }) ?? program;
  const line = isBatch(file) ? batchLine(file, args) : undefined;
  return line === undefined ? { file, args, env: seen, options } : byCmd(line);
}

/** The file of a program: in a folder of the PATH, or at the path that its name gives; undefined if there is none. */
function findFile(
  { isFile }: WindowsMachine,
  name: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): string | undefined {
  const folders = /[\\/:]/.test(name)
    ? [win32.resolve(cwd, name)]
    : path
        .split(';')
        .filter(isFixed)
        .map(folder => win32.join(folder, name));
  return folders.flatMap(programFiles).find(isFile);
}

/** Names of variables have no case on Windows: all are in capitals here, and Photon's own names are added. */
function withKnownNames(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  env.NoDefaultCurrentDirectoryInExePath = '1';
  const named: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const home = named.HOME !== undefined && isFixed(named.HOME) ? named.HOME : named.USERPROFILE;
  const temporary = [named.TMPDIR, named.TEMP, named.TMP].find(p => p !== undefined && isFixed(p));
  return {
    ...named,
    HOME: home,
    TMPDIR: temporary,
  };
}

/** The machine that Photon runs on. @param systemRoot the folder of the system; undefined for its usual place. */
export function windowsMachine(systemRoot: string | undefined): WindowsMachine {
  return {
    systemRoot: systemRoot !== undefined && isFixed(systemRoot) ? systemRoot : 'C:\\Windows',
    isFile: path => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    run: (file, args, failed) => {
      const started = spawn(file, args, { stdio: 'ignore', windowsHide: true });
      started.on('error', failed);
      // with another status, such as that of a program that has ended, its id may be that of another one by now
      started.on('exit', code => {
        if (code === 1) failed();
      });
    },
  };
}

function pathRules() {
  // a path of a device or of another machine is no file of this one; a path without a drive depends on the current one
  const isFixed = (path: string) => /^[a-z]:[\\/]/i.test(path);
  const key = (path: string) =>
    win32
      .normalize(path.replace(/^\\\\\?\\(?=[a-z]:\\)/i, ''))
      .replace(/(?<!^[a-z]:)\\+$/i, '')
      .toLowerCase();
  const isBelow = (path: string, folder: string) => {
    const above = key(folder);
    return key(path).startsWith(above.endsWith('\\') ? above : `${above}\\`) && key(path) !== above;
  };
  return { isFixed, isBelow, isSame: (path: string, other: string) => key(path) === key(other) };
}

/** Characters with a meaning for `cmd.exe`. */
const special = /[ !%^&()<>|"]/g;

/**
 * Quotes a word as the C library of Microsoft splits it: a backslash counts only in front of a quotation mark (Microsoft:
 * Parsing C command-line arguments).
 */
export function quotedArgument(word: string): string {
  if (word !== '' && !/[ \t\n\v"]/.test(word)) return word;
  const inside = word.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1');
  return `"${inside}"`;
}

/**
 * Quotes a word for a line of `cmd.exe` that starts a program. A word that holds a quotation mark, a percent sign or an
 * exclamation mark is written without any text that `cmd.exe` takes for quoted, so that its escapes count.
 */
export function quotedForCmd(word: string): string {
  const plain = word.replace(/[\r\n]+/g, ' ');
  if (/^[\w@+=:,./\\-]+$/.test(plain)) return plain;
  if (!/["%!]/.test(plain)) return `"${plain.replace(/(?<!\\)(\\+)$/, '$1$1')}"`;
  return escapedForCmd(quotedArgument(plain));
}

/**
 * The text behind `cmd.exe /d /s /c` that starts a batch file with these arguments. `cmd.exe` reads the arguments twice:
 * when it starts the file, and when the file passes them on, so they are escaped twice (as npm does for its own files).
 * @returns undefined for an argument with a line break, which would end the command.
 */
export function batchLine(file: string, args: readonly string[]): string | undefined {
  if ([file, ...args].some(word => /[\r\n\0]/.test(word))) return undefined;
  const passed = args.map(word => escapedForCmd(escapedForCmd(quotedArgument(word))));
  return `"${[escapedForCmd(`"${file}"`), ...passed].join(' ')}"`;
}

/**
 * The text behind `cmd.exe /d /s /c` for a shell line. `cmd.exe` would read the first of several lines only, so `&`
 * joins them.
 */
export function shellText(line: string): string {
  const lines = line
    .split(/\r?\n/)
    .map(each => each.trim())
    .filter(each => each !== '');
  return `"${lines.join(' & ')}"`;
}

function escapedForCmd(text: string): string {
  return text.replace(special, '^$&');
}
