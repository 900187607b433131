import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { windowsPlatform } from '../../src/process/platform-windows.ts';
import { programFiles } from '../../src/process/programs.ts';
import { platformOf, requirePlatform } from '../../src/process/this-platform.ts';
import { windowsOf } from '../doubles/windows.ts';
import { root } from '../root.ts';

const path = 'C:\\tools;C:\\node;relative;\\\\server\\share;D:bin';
const cmd = 'C:\\Windows\\System32\\cmd.exe';
const { platform: windows, started } = windowsOf([
  'C:\\node\\node.exe',
  'C:\\node\\npm.cmd',
  'C:\\tools\\lint.bat',
  'C:\\work\\node.exe',
  '\\\\server\\share\\evil.exe',
  'C:\\work\\.bin\\own.cmd',
]);

const start = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  windows.start({ argv, cwd: 'C:\\work', env: { PATH: path, ...env } });

describe('a command on Windows', () => {
  it('is a line of cmd.exe at its own path, without AutoRun, and unquoted by Node', () => {
    const { file, args, options } = start(['sh', '-c', 'npm test && echo "a b"']);
    expect(file).toBe(cmd);
    expect(args).toEqual(['/d', '/s', '/c', '"npm test && echo "a b""']);
    expect(options.windowsVerbatimArguments).toBe(true);
    expect(options.detached).toBe(false);
  });

  it('runs every line of several, as `sh` does', () => {
    const { args } = start(['sh', '-c', 'npm ci\n\n  npm test\r\n']);
    expect(args.at(-1)).toBe('"npm ci & npm test"');
  });

  it('can be one of PowerShell', () => {
    expect(start(['sh', '-c', 'pwsh -c "Get-Item ."']).args.at(-1)).toBe('"pwsh -c "Get-Item .""');
  });

  it('is a program of the PATH, and never one of the working folder, of another machine or of the current drive', () => {
    expect(start(['node', '-e', '1 < 2'])).toMatchObject({
      file: 'C:\\node\\node.exe',
      args: ['-e', '1 < 2'],
    });
    expect(start(['evil']).file).toBe('evil');
    expect(start(['own']).file).toBe('own');
  });

  it('gets variables as `env` would set them', () => {
    const { file, env } = start(['env', 'Mode=a=b', 'node'], { CI: 'true' });
    expect(file).toBe('C:\\node\\node.exe');
    expect(env).toMatchObject({ MODE: 'a=b', CI: 'true' });
  });

  it('is a batch file only through cmd.exe, with arguments that cannot end the command', () => {
    const { file, args, options } = start(['npm', 'run', 'a" & calc & "', '%PATH%', 'x y']);
    expect(file).toBe(cmd);
    expect(options.windowsVerbatimArguments).toBe(true);
    const line = args.at(-1) ?? '';
    // what is left when cmd.exe has read the escapes holds no operator and no variable outside of an escape
    const bare = line.replace(/\^[\s\S]/g, '').slice(1, -1);
    expect(bare).not.toMatch(/[&%"<>|]/);
    expect(line).toContain('^^^%PATH^^^%');
  });

  it('is not started as a batch file with an argument of two lines', () => {
    const { file, args } = start(['npm', 'a\nb']);
    expect([file, args]).toEqual(['C:\\node\\npm.cmd', ['a\nb']]); // Node refuses to start it
  });

  it('at a path of the project is found with its ending', () => {
    expect(start(['.\\.bin\\own']).args.at(-1)).toContain('own.cmd');
  });

  it('is stopped with everything that it started, by taskkill at its own path', () => {
    windows.stop(123, 'gently');
    expect(started).toEqual([['C:\\Windows\\System32\\taskkill.exe', '/pid', '123', '/T', '/F']]);
    // the id of a program that has ended can be that of another one
    windows.stopLeft(123);
    expect(started).toHaveLength(1);
  });
});

describe('the shell of Windows', () => {
  const { shell } = windows;

  it.each([
    ['src/a.js', 'src/a.js'],
    ['a b', '"a b"'],
    ['a&b', '"a&b"'],
    ['C:\\a b\\', '"C:\\a b\\\\"'],
    ['', '""'],
    ['100%', '100^%'],
    ['say "hi"', '^"say^ \\^"hi\\^"^"'],
  ])('quotes %s', (word, quoted) => {
    expect(shell.quoted(word)).toBe(quoted);
  });

  it('sets variables before the program', () => {
    expect(shell.line({ env: ['A=1', 'B=x y'], words: ['node', 'a b'] })).toBe(
      'set "A=1" && set "B=x y" && node "a b"',
    );
  });

  it('removes a report, prefers local programs, and has no limit of processor time', () => {
    expect(shell.removing('out/report.xml')).toBe(
      'if exist out\\report.xml del /f /q out\\report.xml\n',
    );
    expect(shell.withLocalPrograms).toContain('%CD%\\node_modules\\.bin;%PATH%');
    expect(shell.limited(3)).toBe('');
    expect(shell.naming('LINES', '.photon-runner/lines')).toBe(
      'set "LINES=%CD%\\.photon-runner\\lines"\n',
    );
  });

  it('says when a program is missing', () => {
    const output =
      "'foo' is not recognized as an internal or external command,\r\noperable program";
    expect(shell.lacksProgram({ exitCode: 1, output })).toBe(true);
    expect(shell.lacksProgram({ exitCode: 9009, output })).toBe(true);
    expect(shell.lacksProgram({ exitCode: 3, output })).toBe(false);
    expect(shell.lacksProgram({ exitCode: 1, output: '1 of 2 tests failed' })).toBe(false);
  });
});

describe('a line that cmd.exe may read as other commands than `sh`', () => {
  it.each([
    ["echo 'a & git push'", 'single quotes do not quote'],
    ['npm test # & git push', 'there are no comments'],
    ['npm test "\\" & git push"', 'a backslash escapes nothing'],
    ['npm ^t^est', 'carets escape'],
    ['%COMSPEC%', 'variables'],
    ['@git push', 'an at sign in front'],
    ['A=1 npm test', 'no assignments'],
    ['npm;test', 'a semicolon is a blank'],
    ['npm test && (git push)', 'parentheses'],
  ])('%s: %s', line => {
    expect(windows.shell.readsAsPosix(line)).toBe(false);
    expect(posixPlatform.shell.readsAsPosix(line)).toBe(true);
  });

  it.each(['npm test', 'npm run lint -- --fix=true && npm test', 'node "a b.js" > out.txt 2>&1'])(
    'and one that both read alike: %s',
    line => {
      expect(windows.shell.readsAsPosix(line)).toBe(true);
    },
  );
});

describe('paths of Windows', () => {
  it.each([
    ['C:\\a', true],
    ['c:/a', true],
    ['\\a', false],
    ['/a', false],
    ['C:a', false],
    ['a', false],
    ['\\\\server\\share', false],
    ['\\\\?\\C:\\a', false],
    ['\\\\.\\pipe\\a', false],
  ])('%s is fixed: %s', (given, fixed) => {
    expect(windows.isFixed(given)).toBe(fixed);
  });

  it.each([
    ['C:\\Work\\a', 'c:\\work', true],
    ['C:/work/a/b', 'C:\\work\\a', true],
    ['\\\\?\\C:\\work\\a', 'C:\\work', true],
    ['C:\\work\\..\\other', 'C:\\work', false],
    ['C:\\workshop', 'C:\\work', false],
    ['C:\\work', 'C:\\work', false],
    ['D:\\work\\a', 'C:\\work', false],
    ['C:\\a', 'C:\\', true],
  ])('%s is below %s: %s', (given, folder, below) => {
    expect(windows.isBelow(given, folder)).toBe(below);
  });

  it('has the form of Unix in what programs print', () => {
    expect(windows.unixPaths('at f (C:\\a\\b.js:3:4) file:///C:/a/c.js')).toBe(
      'at f (/a/b.js:3:4) file:////a/c.js',
    );
  });
});

describe('the environment of Windows', () => {
  const found = windows.environment({
    Path: 'C:\\node',
    UserProfile: 'C:\\Users\\me',
    TEMP: 'C:\\Temp',
    HOME: '/c/Users/me',
    SystemRoot: 'C:\\Windows',
    github_token: 'secret',
    My_Api_Key: 'secret',
    github_ref: 'secret',
    Node_Options: 'secret',
    myVariable: '1',
    other: '2',
  });

  it('has the names that Photon reads', () => {
    expect(found).toMatchObject({ PATH: 'C:\\node', HOME: 'C:\\Users\\me', TMPDIR: 'C:\\Temp' });
  });

  it('keeps Windows from looking for programs in the working folder, for Photon and for its commands', () => {
    const env: NodeJS.ProcessEnv = {};
    windows.environment(env);
    expect(env.NoDefaultCurrentDirectoryInExePath).toBe('1');
    expect(childEnvironment({}, [], windows).NODEFAULTCURRENTDIRECTORYINEXEPATH).toBe('1');
  });

  it('hides the same variables from commands as elsewhere, in whatever case they are written', () => {
    const named = ['github_token', 'github_ref', 'my_api_key', 'Node_Options'];
    const child = childEnvironment(found, [...named, 'myVariable'], windows);
    expect(Object.values(child)).not.toContain('secret');
    expect(child).not.toHaveProperty('NODE_OPTIONS');
    expect(child).not.toHaveProperty('OTHER');
    expect(child).toMatchObject({
      MYVARIABLE: '1',
      PATH: 'C:\\node',
      SYSTEMROOT: 'C:\\Windows',
      COMSPEC: cmd,
    });
  });

  it('never holds a folder of the current drive as home', () => {
    expect(windows.environment({ HOME: '\\home' }).HOME).toBeUndefined();
    expect(windows.environment({ HOME: '\\home', USERPROFILE: 'C:\\u' }).HOME).toBe('C:\\u');
  });
});

describe('the platform of a system', () => {
  it('is one of two', () => {
    expect(platformOf('linux')).toBe(posixPlatform);
    expect(platformOf('darwin')).toBe(posixPlatform);
    expect(platformOf('win32').name).toBe('windows');
  });

  it.each(['linux', 'darwin', 'win32'] as const)('%s is supported', name => {
    expect(() => requirePlatform(name)).not.toThrow();
  });

  it('another one is not', () => {
    expect(() => requirePlatform('aix')).toThrow(
      expect.objectContaining({ code: 'PLATFORM_UNSUPPORTED' }),
    );
  });

  it('takes the usual folder of the system if the variable names none', () => {
    expect(platformOf('win32').nowhere).toMatch(/^C:\\Windows\\System32\\/);
    expect(
      windowsPlatform({ systemRoot: 'D:\\W', isFile: () => false, run: () => {} }).nowhere,
    ).toMatch(/^D:\\W\\/);
  });

  it('is known to one file, so that nothing else asks for the name of the system', () => {
    const source = join(root, 'src');
    const asking = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .filter(file => readFileSync(join(source, file), 'utf8').includes('process.platform'));
    expect(asking).toEqual(['process/this-platform.ts']);
  });
});

describe('programs on Windows', () => {
  it('are looked for by their endings, in absolute folders of this machine', () => {
    const files = programFiles('C:\\tools;bin;\\\\server\\share;\\tools', 'npm', windows);
    expect(files).toEqual(['.com', '.exe', '.bat', '.cmd'].map(e => `C:\\tools\\npm${e}`));
    expect(programFiles('C:\\tools', 'npm.cmd', windows)).toEqual(['C:\\tools\\npm.cmd']);
  });
});
