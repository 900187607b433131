/** Bundles the program that runs share, once for each run of the tests: half the memory, so that starting a process costs less. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  const folder = join(
    root,
    'node_modules',
    '.cache',
    'photon-hosts',
    hash.digest('hex').slice(0, 16),
  );
  if (!existsSync(folder)) {
    const made = `${folder}-${process.pid}`;
    mkdirSync(dirname(made), { recursive: true });
    await bundle.write({ dir: made, format: 'esm' });
    try {
      renameSync(made, folder);
    } catch {
      rmSync(made, { recursive: true, force: true }); // another run of the tests made the same
    }
  }
  await bundle.close();
  process.env.PHOTON_TEST_HOST = join(folder, 'action-host.js');
}
