/** Entry point of the bundle: the terminal if `dist/cli/index.js` was started, otherwise the Action. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const started = realpathSync(process.argv[1] ?? '');
await (basename(dirname(started)) === 'cli' ? import('./cli.ts') : import('./main.ts'));
