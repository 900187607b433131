/** From the allowlist to skills: bundled ones as `photon:name`, others as folders of the repository. */
import { PhotonError } from '../codes.ts';
import { parseSkill, type Skill } from './skill.ts';

/** Where SKILL.md files are read from; both sides are trusted. */
export interface SkillSource {
  /** Text of each bundled SKILL.md by skill name. */
  readonly bundled: ReadonlyMap<string, string>;
  /** Paths of the regular files below a folder of the trusted ref. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Text of a file of the trusted ref; null when there is none. */
  readonly read: (path: string) => Promise<string | null>;
}

/**
 * Reads the metadata of every skill that `roots` allows.
 * @throws PhotonError `SKILL_INVALID` for a root that holds none, or two skills of one name.
 */
export async function loadSkills(
  roots: readonly string[],
  source: SkillSource,
): Promise<readonly Skill[]> {
  const skills = new Map<string, { skill: Skill; from: string }>();
  for (const root of roots) {
    const found = root.startsWith('photon:')
      ? bundled(root, source)
      : await fromFolder(root, source);
    if (found.length === 0)
      throw new PhotonError('SKILL_INVALID', `agent.skillRoots: "${root}" names no skill`);
    for (const { path, text } of found) {
      const skill = parseSkill(text, path);
      const other = skills.get(skill.name);
      if (other !== undefined && other.from !== path) {
        throw new PhotonError(
          'SKILL_INVALID',
          `${path}: the name ${skill.name} is taken by ${other.from}`,
        );
      }
      skills.set(skill.name, { skill, from: path });
    }
  }
  return [...skills.values()].map(s => s.skill);
}

interface Found {
  readonly path: string;
  readonly text: string;
}

function bundled(root: string, source: SkillSource): Found[] {
  const wanted = root.slice('photon:'.length);
  return [...source.bundled]
    .filter(([name]) => wanted === '*' || wanted === name)
    .map(([name, text]) => ({ path: `photon:${name}/SKILL.md`, text }));
}

async function fromFolder(root: string, source: SkillSource): Promise<Found[]> {
  const folder = root.replace(/\/(\*)?$/, '');
  if (folder.startsWith('/') || folder.split('/').includes('..')) {
    throw new PhotonError(
      'SKILL_INVALID',
      `agent.skillRoots: "${root}" leads out of the repository`,
    );
  }
  const paths = (await source.list(folder)).filter(p => {
    const rest = p.slice(folder.length + 1).split('/');
    return rest.at(-1) === 'SKILL.md' && rest.length <= 2;
  });
  return Promise.all(paths.map(async path => ({ path, text: (await source.read(path)) ?? '' })));
}
