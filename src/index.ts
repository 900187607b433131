/** The one program that ships: the Action; with arguments, the terminal; in a thread, what judges schemas. Who imports it loads what it wants. */
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

export const loadAction = () => import('./action.ts');
export const loadCommandLine = () => import('./cli/command-line.ts');

const [, program, ...args] = process.argv;
const started = program === undefined ? '' : basename(realpathSync(program));

if (!isMainThread) await import('./process/schema-worker.ts');
else if (started === 'index.js' || started === 'photon.js')
  await (args.length > 0 ? import('./cli.ts') : import('./main.ts'));
