/** Verifies patches over real runners in folders of this machine, without a sandbox. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { openVerifier } from '../../src/verify/verify.ts';
import { mayCheat } from '../../src/verify/watch-canary.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { plainSearchPath } from '../doubles/installed.ts';
import { makeFolder, root } from '../harness.ts';
import { changeOf, type Files, noFiles, runOptions } from './changes.ts';

const env = { CI: 'true', HOME: '/nonexistent', PYTHONDONTWRITEBYTECODE: '1' };

interface Given {
  readonly command: string;
  readonly task?: string;
  readonly require?: 'pass' | 'no-regression';
  readonly report?: string;
}

/** Verifies new texts of files over a project. */
export async function verify(files: Files, patch: Files, given: string | Given) {
  const {
    command,
    task = 'Repair the total.',
    require = 'pass',
    report = '',
  } = typeof given === 'string' ? { command: given } : given;
  const opened: string[] = [];
  const installed = command.startsWith('jest') ? join(root, 'test', 'runners') : root;
  const PATH = [plainSearchPath(), join(installed, 'node_modules', '.bin')].join(delimiter);
  const open = async (changes: readonly FileChange[]) => {
    const folder = makeFolder();
    opened.push(folder);
    const texts = { ...files };
    for (const { path, after } of changes) texts[path] = String(Buffer.from(after?.bytes ?? []));
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
    // in a sandbox, each view has the same path
    const atOnePlace = (text: string) => text.replaceAll(folder, '/work');
    const run = async ({ argv: [program = '', ...words] }: { argv: readonly string[] }) => {
      const { status, stdout, stderr } = spawnSync(program, words, {
        cwd: folder,
        env: { ...env, PATH },
      });
      const output = atOnePlace(`${stdout}${stderr}`);
      return { began: true, exitCode: status, output, durationMs: 10, truncated: false };
    };
    const readReport = (path: string) =>
      existsSync(join(folder, path))
        ? atOnePlace(readFileSync(join(folder, path), 'utf8'))
        : undefined;
    return { sandbox: { run }, view: { path: '/work', close: () => {}, readReport } };
  };
  const verifier = openVerifier({
    ...runOptions,
    command,
    open,
    require,
    report,
    testChanges: 'asked',
    reruns: 1,
    measure: undefined,
    task,
    approved: [],
    setUpFiles: undefined,
    commandFiles: async () => noFiles,
    readBase: async (path: string) => files[path],
    readInstalled: () => undefined,
    paths: async () => Object.keys(files),
    timeoutMs: 60_000,
  } as unknown as Parameters<typeof openVerifier>[0]);
  const changes = Object.entries(patch).map(([path, text]) => changeOf(path, files[path], text));
  try {
    return await verifier.verify(changes, 'digest of the patch');
  } finally {
    for (const folder of opened) rmSync(folder, { recursive: true });
  }
}

/** How a verification ends: its code, or how its first warning begins. */
export function endOf({ verification, code }: Awaited<ReturnType<typeof verify>>): string {
  const [first = ''] = verification.warnings ?? [];
  if (code !== undefined) return code;
  return first.startsWith(mayCheat) ? 'draft' : `passed${first && `: ${first}`}`;
}

export const judged = async (files: Files, patch: Files, command: string) =>
  endOf(await verify(files, patch, command));
