/** The shipped policy, constitutions of a repository, and why one is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../src/base/codes.ts';
import { parseConstitution } from '../../src/guard/policy/parse-constitution.ts';
import { root } from '../harness.ts';

export const text = readFileSync(join(root, 'constitution', 'photon.md'), 'utf8');

export const policy = parseConstitution(text, 'photon.md');

export const at = (path: string, front: string, prose = '') => ({
  path,
  text: `---\n${front}\n---\n${prose}`,
});

export async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PhotonError) return `${error.code}: ${error.message}`;
    return `plain: ${(error as Error).message}`;
  }
  return 'accepted';
}
