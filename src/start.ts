/** Entry point of the bundle: the Action, or the terminal when `dist/cli/index.js` was started. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const started = realpathSync(process.argv[1] ?? '');
await (basename(dirname(started)) === 'cli' ? import('./cli.ts') : import('./main.ts'));
