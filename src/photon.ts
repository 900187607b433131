/** Start of the program `photon`: lets V8 keep what it compiled of the program, and then loads it. */
import { realpathSync } from 'node:fs';
// Node 20 has no compile cache
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';

/** The version that package.json asks for. */
const minNode = 24;
if (Number.parseInt(process.versions.node, 10) < minNode) {
  process.stderr.write(
    `error: Photon needs Node.js ${minNode} or newer, and this is ${process.version}.\nhelp: Install a newer version of Node.js. In a clone, npm ci brings one: node_modules/.bin/node dist/photon.js.\n`,
  );
  process.exit(1);
}

/**
 * The cache lies in Photon's own installation: who can write there could as well change the program. A folder that cannot
 * be written is left alone. The variables of Node for its compile cache go first.
 */
function keepCompiled(program: string): void {
  const root = dirname(dirname(realpathSync(program)));
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'photon'));
}

keepCompiled(process.argv[1] ?? '');
// without arguments, the program is the Action
if (process.argv.length === 2) process.argv.push('--help');
await import('./index.ts');
