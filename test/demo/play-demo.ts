/** `photon demo` as a process. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness.ts';

export interface Played {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Plays `photon demo` as a person does, in an empty folder, with a temporary folder of its own. */
export async function playDemo(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  { at = root, onOutput }: { at?: string; onOutput?: (text: string, pid: number) => void } = {},
): Promise<Played> {
  const temp = join(folder, 'tmp');
  mkdirSync(temp, { recursive: true });
  const child = spawn(process.execPath, [join(at, 'dist', 'photon.js'), 'demo'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: temp, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = { out: '', err: '' };
  child.stdout.on('data', text => {
    end.out += text;
    onOutput?.(String(text), child.pid ?? 0);
  });
  child.stderr.on('data', text => (end.err += text));
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, ...end };
}
