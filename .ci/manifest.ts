/**
 * Makes the package.json of the package, which `npm pack` runs before and after its work: `dist/` holds every
 * dependency, so that npx installs none. Usage: `node .ci/manifest.ts strip|restore`.
 */
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const manifest = join(root, 'package.json');
const kept = join(root, 'build', 'package.json');

/** What only the repository needs. */
const own = new Set(['dependencies', 'devDependencies', 'scripts', 'allowScripts', 'private']);

if (process.argv[2] === 'restore') renameSync(kept, manifest);
else {
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(manifest, kept);
  const all = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  const shipped = Object.fromEntries(Object.entries(all).filter(([name]) => !own.has(name)));
  writeFileSync(manifest, `${JSON.stringify(shipped, null, 2)}\n`);
}
