/**
 * Stands for `sandbox-exec` of macOS. It reads a profile as strictly as the real one, and enforces it on Linux with
 * bubblewrap. As on macOS, there is no /proc, no program with a set user id starts, and processes outlive the command.
 * Signals to the program that started it fail with EPERM.
 * Facts: threads of projects that use it (exit 65 for unknown words, 71 if nested, at most 65,535 bytes, ASCII only).
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, openSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Word = string | readonly Word[];
export interface Rule {
  readonly action: 'allow' | 'deny';
  readonly operations: readonly string[];
  readonly filters: readonly Word[];
}

/** The operations and filters that the profile of Photon may use; the real one knows more. */
const operations = new Set(
  'default process-exec process-fork process-info* signal dynamic-code-generation sysctl-read mach-lookup ipc-posix-sem ipc-posix-shm file-read* file-read-metadata file-map-executable file-write* file-write-data file-ioctl system-socket network-bind network-inbound network-outbound'.split(
    ' ',
  ),
);
const filters = new Set(
  'literal subpath target sysctl-name sysctl-name-prefix global-name socket-domain local remote ip unix-socket AF_UNIX same-sandbox'.split(
    ' ',
  ),
);

/** An error of the profile, with the exit status and the words of the real one. */
export class ProfileError extends Error {}

/** Reads a profile. Texts keep their opening quote, to tell them from words. */
export function readProfile(text: string): readonly Rule[] {
  if (Buffer.byteLength(text) > 65_535)
    throw new ProfileError(`data object length ${text.length} exceeds maximum (65535)`);
  if (/[^\n\x20-\x7e]/.test(text)) throw new ProfileError('invalid character in profile');
  const tokens = [...text.matchAll(/\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+/g)].map(m => m[0]);
  if (
    tokens.join('').length !== text.replace(/\s+(?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/g, '').length
  )
    throw new ProfileError('unexpected end of input');
  const stack: Word[][] = [[]];
  for (const token of tokens) {
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const list = stack.pop() ?? [];
      const outer = stack.at(-1);
      if (outer === undefined) throw new ProfileError('unexpected )');
      outer.push(list);
    } else
      stack
        .at(-1)
        ?.push(token.startsWith('"') ? `"${token.slice(1, -1).replace(/\\(.)/g, '$1')}` : token);
  }
  const [forms = []] = stack;
  if (stack.length !== 1) throw new ProfileError('unexpected end of input');
  const [version, ...rules] = forms;
  if (JSON.stringify(version) !== '["version","1"]') throw new ProfileError('no version');
  return rules.map(readRule);
}

function readRule(form: Word): Rule {
  if (typeof form === 'string') throw new ProfileError(`unbound variable: ${form}`);
  const [action, ...rest] = form;
  if (action !== 'allow' && action !== 'deny')
    throw new ProfileError(`unbound variable: ${String(action)}`);
  const own = rest.filter(w => typeof w === 'string');
  for (const name of own)
    if (!operations.has(name)) throw new ProfileError(`unbound variable: ${name}`);
  const given = rest.filter(w => typeof w !== 'string');
  given.forEach(checkFilter);
  if (own.length === 0) throw new ProfileError('a rule needs an operation');
  return { action, operations: own, filters: given };
}

function checkFilter(filter: Word): void {
  if (typeof filter === 'string') {
    if (!filter.startsWith('"') && !filters.has(filter))
      throw new ProfileError(`unbound variable: ${filter}`);
  } else filter.forEach(checkFilter);
}

/** What a profile decides about an operation on a path, a name, or an address; the last rule that matches counts. */
export function decide(rules: readonly Rule[], operation: string, value = ''): 'allow' | 'deny' {
  const isFor = (name: string) =>
    name === 'default' ||
    name === operation ||
    (name.endsWith('*') && operation.startsWith(name.slice(0, -1)));
  const found = rules.findLast(
    r =>
      r.operations.some(isFor) &&
      (r.filters.length === 0 || r.filters.some(f => matches(f, value))),
  );
  return found?.action ?? 'deny';
}

function matches(filter: Word, value: string): boolean {
  const [name, first] = filter;
  if (typeof first === 'object') return matches(first, value);
  const text = String(first).replace(/^"/, '');
  if (name === 'literal') return value === text;
  if (name === 'subpath') return value === text || value.startsWith(`${text}/`);
  if (String(name).endsWith('-prefix')) return value.startsWith(text);
  if (first === 'unix-socket') return matches(filter[2] ?? '', value);
  return value === text;
}

/** The arguments of bubblewrap that show and hide the same files. */
function wallsOf(rules: readonly Rule[]): readonly string[] {
  const walls = ['--unshare-user-try', '--dev', '/dev', ...systemLinks()];
  for (const { action, operations: own, filters: given } of rules)
    for (const filter of given) {
      const [kind, quoted] = filter;
      const path = String(quoted).slice(1);
      if (!own.some(o => /^file-(read|write)\*$/.test(o)) || path.startsWith('/dev/')) continue;
      if (kind !== 'subpath') continue;
      const writes = own.includes('file-write*');
      if (action === 'allow') walls.push(writes ? '--bind' : '--ro-bind-try', path, path);
      else if (isFolder(path)) walls.push('--tmpfs', path);
      else walls.push('--ro-bind-try', '/dev/null', path);
    }
  // programs with a set user id never start
  walls.push('--ro-bind-try', '/dev/null', '/usr/bin/ps');
  const isOnline = decide(rules, 'network-outbound', 'ip') === 'allow';
  return [...walls, ...(isOnline ? [] : ['--unshare-net'])];
}

function systemLinks(): readonly string[] {
  return ['/bin', '/sbin', '/lib', '/lib64'].flatMap(path => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : [];
  });
}

const isFolder = (path: string) =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;

/** Number of the system call `kill`. */
const killCall = process.arch === 'arm64' ? 129 : 62;

/** A file with a seccomp filter that refuses signals to a process, as bubblewrap reads it. */
function signalFilter(pid: number): number {
  const code = [
    [0x20, 0, 0, 0], // load the number of the call
    [0x15, 0, 3, killCall],
    [0x20, 0, 0, 16], // load its first argument
    [0x15, 0, 1, pid],
    [0x06, 0, 0, 0x00050001], // fail with EPERM
    [0x06, 0, 0, 0x7fff0000], // allow
  ] as const;
  const bytes = Buffer.alloc(code.length * 8);
  for (const [i, [operation, isTrue, isFalse, value]] of code.entries()) {
    bytes.writeUInt16LE(operation, i * 8);
    bytes.writeUInt8(isTrue, i * 8 + 2);
    bytes.writeUInt8(isFalse, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  }
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  writeFileSync(join(folder, 'filter'), bytes);
  const file = openSync(join(folder, 'filter'), 'r');
  rmSync(folder, { recursive: true });
  return file;
}

function main([option, profile = '', ...argv]: readonly string[]): number {
  const fail = (status: number, words: string) => {
    process.stderr.write(`sandbox-exec: ${words}\n`);
    return status;
  };
  if (option !== '-p') return fail(64, 'usage: sandbox-exec [-p string] command');
  if (process.env.SANDBOX_DOUBLE !== undefined)
    return fail(71, 'sandbox_apply: Operation not permitted');
  try {
    const rules = readProfile(profile);
    const closed = decide(rules, 'signal', 'others') === 'deny';
    const signals = closed ? ['--seccomp', '4'] : [];
    const walls = [...wallsOf(rules), ...signals, '--cap-drop', 'ALL', '--chdir', process.cwd()];
    const { status, signal } = spawnSync('/usr/bin/bwrap', [...walls, '--', ...argv], {
      stdio: [0, 1, 2, 3, ...(closed ? [signalFilter(process.ppid)] : [])],
      env: { ...process.env, SANDBOX_DOUBLE: '1' },
    });
    if (signal !== null) process.kill(process.pid, signal);
    return status ?? 1;
  } catch (error) {
    if (error instanceof ProfileError) return fail(65, `${error.message} at <input string>`);
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = main(process.argv.slice(2));
