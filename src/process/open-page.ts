/** Opens a file in the browser of the user. */
import { spawn } from 'node:child_process';
import type { Environment } from './environment.ts';
import { systemName } from './system.ts';

/** How long a program that opens a page may take to fail, in milliseconds: some stay as long as the browser. */
const waitMs = 2_000;

/** Opens a file with the program that the system has for it, which outlives this one. @returns false if that failed. */
export function openPage(path: string, env: Environment): Promise<boolean> {
  const program = systemName === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [path], { detached: true, stdio: 'ignore', env });
  child.unref();
  return new Promise(resolve => {
    const timer = setTimeout(resolve, waitMs, true);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once('error', () => end(false));
    child.once('exit', code => end(code === 0));
  });
}
