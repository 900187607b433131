/** Start of the program `photon`: lets V8 keep what it compiled of the program, and then loads it. */
import { realpathSync } from 'node:fs';
// Node 20 has no compile cache
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The cache lies in Photon's own installation: who can write there could as well change the program. A folder that cannot
 * be written is left alone. The variables of Node for its compile cache go first.
 */
function keepCompiled(program: string): void {
  const root = dirname(dirname(dirname(realpathSync(program))));
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'photon'));
}

keepCompiled(process.argv[1] ?? '');
await import('./cli.ts');
