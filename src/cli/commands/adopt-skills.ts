/** `photon skills adopt`: what skills of other agents lack for Photon, as a diff or written. */
import { basename, resolve } from 'node:path';
import { toolNames } from '../../agent/context/skills.ts';
import { PhotonError } from '../../base/codes.ts';
import { renderAdoptions } from '../../report/terminal/skills-text.ts';
import { type Adoption, adoptSkill } from '../../skills/adopt.ts';
import type { SkillLocation } from '../../skills/skill.ts';
import {
  decodeVisible,
  findBoundaryEnd,
  findSkillFiles,
  requireSize,
} from '../../skills/skill-text.ts';
import { replaceOwnFile } from '../../workspace/files/replace-file.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Reports every skill below a folder, and prints what would be added; `write` adds it.
 * @returns 1 when a skill cannot be used.
 * @throws PhotonError `USAGE`, `SKILL_INVALID`, `DISK`.
 */
export async function adoptSkills(
  folder: string,
  { write, terminal }: { readonly write: boolean; readonly terminal: Terminal },
): Promise<number> {
  const root = resolve(folder);
  const above = resolve(root, '..');
  const files = openFolderFiles(above);
  const name = basename(root);
  const found = [...findSkillFiles(await files.list(name))].sort();
  const links = await files.links(name);
  if (found.length === 0)
    throw new PhotonError('SKILL_INVALID', `${folder}: file: expected a SKILL.md below it`);
  const adoptions: Adoption[] = [];
  const diffs: string[] = [];
  for (const path of found) {
    const at = path.slice(0, path.lastIndexOf('/'));
    const place: SkillLocation = { origin: 'repository', folder: at, path };
    const bytes = (await files.read(path)) ?? new Uint8Array();
    const link = links.find(l => l.startsWith(`${at}/`));
    const adoption =
      link === undefined ? adoptOne(bytes, place) : refusal(place, `${link} is a link`);
    adoptions.push(adoption);
    if (adoption.kind !== 'adopted') continue;
    // a decoded text has no byte order mark
    const mark = Buffer.from(bytes).indexOf('\uFEFF') === 0 ? '\uFEFF' : '';
    const after = Buffer.from(mark + adoption.text);
    const state = (content: Uint8Array) => ({ mode: '100644' as const, bytes: content });
    diffs.push(renderDiff([{ path, before: state(bytes), after: state(after) }]));
    if (write) replaceOwnFile(above, path, after);
  }
  if (!write) terminal.print(diffs.join(''));
  terminal.print(renderAdoptions(adoptions, write));
  return adoptions.some(a => a.kind === 'refused') ? 1 : 0;
}

function adoptOne(bytes: Uint8Array, place: SkillLocation): Adoption {
  try {
    requireSize(bytes.length, place.path);
    const text = decodeVisible(bytes, place.path);
    const end = /^\uFEFF?---/.test(text) ? findBoundaryEnd(bytes) : undefined;
    if (end === undefined) return refusal(place, 'it has no front matter between --- lines');
    const front = decodeVisible(bytes.subarray(0, end), place.path);
    return adoptSkill({ text, end: front.length }, place, new Set(toolNames));
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'SKILL_INVALID') throw error;
    return refusal(place, error.message);
  }
}

function refusal({ folder, path }: SkillLocation, reason: string): Adoption {
  return { kind: 'refused', path, name: basename(folder), reason };
}
