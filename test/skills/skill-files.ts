/** Skills in a folder of their own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { loadSkills } from '../../src/skills/load.ts';
import type { Skill } from '../../src/skills/skill.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { discard, makeFolder, root } from '../harness.ts';

export let folder: string;

export const photon = openShipped(root).skills;

export function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

export const loadAll = (...roots: string[]) =>
  loadSkills(roots, { photon, repository: openFolderFiles(folder) });

/** Every skill of the roots; the reason when one is left out. */
export async function load(...roots: string[]): Promise<readonly Skill[]> {
  const { skills, leftOut } = await loadAll(...roots);
  const [bad] = leftOut;
  if (bad !== undefined) throw new PhotonError('SKILL_INVALID', bad.reason);
  return skills;
}

/** The one skill of `skills/x`, with this front matter. */
export async function read(front: string, body = 'The kernel.\n'): Promise<Skill> {
  put('skills/x/SKILL.md', `---\n${front}\n---\n${body}`);
  const [skill] = await load('skills');
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

export async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    expect(error.code).toBe('SKILL_INVALID');
    return error.message;
  }
  throw new Error('it was loaded');
}

export const plain = 'name: x\ndescription: Does it.';

/** Opens and closes it for the tests of a file. */
export function useSkillFolder(): void {
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => discard(folder));
}
