/** Bundles the program that runs share, once for each run of the tests: half the memory, so that starting a process costs less. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './root.ts';

/** Called by vitest before the first worker starts. Workers read the path from `PHOTON_TEST_HOST`. */
export default async function bundleHost(): Promise<void> {
  // coverage is told by source file
  if (process.env.NODE_V8_COVERAGE !== undefined || process.env.PHOTON_TEST_HOST) return;
  const bundle = await rolldown({
    input: join(root, 'test', 'doubles', 'action-host.ts'),
    cwd: root,
    platform: 'node',
    resolve: { alias: { esprima: false } },
    onLog: () => {},
  });
  const { output } = await bundle.generate({ format: 'esm' });
  const hash = createHash('sha256');
  for (const part of output) hash.update('code' in part ? part.code : part.source);
  const bundles = join(root, 'node_modules', '.cache', 'photon-host-bundles');
  const folder = join(bundles, hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    removeOld(bundles);
    const made = `${folder}-${process.pid}`;
    mkdirSync(made, { recursive: true });
    writeFileSync(join(made, 'package.json'), '{ "type": "module" }\n');
    for (const part of output)
      writeFileSync(join(made, part.fileName), 'code' in part ? part.code : part.source);
    try {
      renameSync(made, folder);
    } catch {
      rmSync(made, { recursive: true, force: true }); // another run of the tests made the same
    }
  }
  await bundle.close();
  process.env.PHOTON_TEST_HOST = join(folder, 'action-host.js');
}

/** Each edit of the source makes a bundle of its own; those of earlier days are removed. */
function removeOld(bundles: string): void {
  const yesterday = Date.now() - 86_400_000;
  for (const name of existsSync(bundles) ? readdirSync(bundles) : []) {
    const path = join(bundles, name);
    if (statSync(path).mtimeMs < yesterday) rmSync(path, { recursive: true, force: true });
  }
}
