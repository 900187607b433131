/** `npm test`: all tests, or with `--related FILE` those that import the file, which is a command of its own in vitest. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const command = args.includes('--related')
  ? ['related', ...args.filter(arg => arg !== '--related'), '--run']
  : ['run', ...args];
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, ...command], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
