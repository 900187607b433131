/**
 * Plays tests: `npm test` the short list of `vitest.config.ts`, or what is named, or with `--related FILE` those that
 * import the file, which is a command of its own in vitest; `npm run test:all` every file, with `--rest` those that `npm test`
 * leaves, and with `--complete` each sweep whole.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const own = new Set(['--all', '--complete', '--related', '--rest']);
const args = process.argv.slice(2);
const isRelated = args.includes('--related');
const isNamed = isRelated || args.some(arg => arg === '-t' || arg.startsWith('test/'));

function nameMode(): string {
  if (args.includes('--complete')) return 'complete';
  if (args.includes('--rest')) return 'rest';
  return args.includes('--all') || isNamed ? 'test' : 'short';
}

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const command = isRelated ? ['related', '--run'] : ['run'];
const { status } = spawnSync(
  process.execPath,
  [vitest, ...command, '--mode', nameMode(), ...args.filter(arg => !own.has(arg))],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
