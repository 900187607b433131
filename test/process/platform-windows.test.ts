import { describe, expect, it } from 'vitest';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import {
  batchLine,
  quotedArgument,
  quotedForCmd,
  shellText,
} from '../../src/process/platform-windows.ts';
import { cmd, started, windows } from './on-windows.ts';

const path = 'C:\\tools;C:\\node;relative;\\\\server\\share;D:bin';

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

it.each([
  ['plain', 'plain'],
  ['', '""'],
  ['a b', '"a b"'],
  ['a"b', '"a\\"b"'],
  ['a b\\', '"a b\\\\"'],
  ['a\\"b', '"a\\\\\\"b"'],
])('%j is the argument %s', (word, quoted) => expect(quotedArgument(word)).toBe(quoted));

it.each([
  ['C:\\a\\b', 'C:\\a\\b'],
  ['a & b', '"a & b"'],
  ['100%', '100^%'],
  ['a\nb', '"a b"'],
])('%j is the word %s for cmd.exe', (word, quoted) => expect(quotedForCmd(word)).toBe(quoted));

it('a batch file gets no argument of two lines', () => {
  expect(batchLine('C:\\n.cmd', ['a'])).toBe('"^"C:\\n.cmd^" a"');
  expect(batchLine('C:\\n.cmd', ['a\nb'])).toBeUndefined();
  expect(batchLine('C:\\n.cmd', ['a&b'])).not.toContain('a&b');
});

it('several lines run one after another', () => {
  expect(shellText('npm ci\r\n\n npm test ')).toBe('"npm ci & npm test"');
});
