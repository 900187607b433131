#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
const minNode = 24;
if (Number.parseInt(process.versions.node, 10) < minNode) {
    process.stderr.write(`error: Photon needs Node.js ${minNode} or newer, and this is ${process.version}.\nhelp: Install a newer version of Node.js. In a clone, npm ci brings one: node_modules/.bin/node dist/photon.js.\n`);
    process.exit(1);
}
function keepCompiled(program) {
    const root = dirname(dirname(realpathSync(program)));
    nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'photon'));
}
keepCompiled(process.argv[1] ?? '');
if (process.argv.length === 2)
    process.argv.push('--help');
await import('./index.js');
