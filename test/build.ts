/** Builds `dist/` before the first test, so that the tests start what ships, from the source as it stands. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.ts';

/** Called by vitest once for each run of the tests. */
export default function build(): void {
  const argv = [join(root, '.ci', 'build.ts'), '--if-changed'];
  execFileSync(process.execPath, argv, { cwd: root, stdio: 'inherit' });
}
