/** Loads the skills of the allowlist: bundled ones as `photon:name`, others as folders of the trusted ref. */
import { PhotonError } from '../codes.ts';
import { matcher } from '../guard/paths.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { invalid, parseBoundary, type SkillLocation } from './boundary.ts';
import { isKnowledgeOnly, missingParts, type Skill, unknownTools } from './skill.ts';
import { decodeVisible, findBoundaryEnd, maxBoundaryBytes, requireSize } from './skill-text.ts';

/** Where the files of skills are; both sources are trusted. */
export interface SkillSource {
  /** The folders of bundled skills, by name. */
  readonly photon: TrustedFiles;
  readonly repository: TrustedFiles;
}

const maxSkills = 5000;
/** Maximum characters of the reason why a skill was left out. */
const maxReason = 500;

/** A skill that cannot be used, because its SKILL.md cannot be read. */
export interface LeftOutSkill {
  /** Name of its folder. */
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

export interface LoadedSkills {
  readonly skills: readonly Skill[];
  readonly leftOut: readonly LeftOutSkill[];
}

/**
 * Reads the metadata of every skill that `roots` allows, and no body. A skill with invalid front matter,
 * or with a name that another one has taken, is left out.
 * @throws PhotonError `SKILL_INVALID` for a root without a skill or outside the repository, and for a link.
 */
export async function loadSkills(
  roots: readonly string[],
  source: SkillSource,
): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const leftOut = new Map<string, LeftOutSkill>();
  for (const root of roots) {
    const found = await findFolders(root, source);
    if (found.length === 0) throw invalid(`agent.skillRoots: "${root}" contains no skill`);
    if (found.length > maxSkills)
      throw invalid(
        `agent.skillRoots: "${root}" contains ${found.length} skills; at most ${maxSkills} are allowed`,
      );
    for (const place of found) {
      const name = place.folder.split('/').at(-1) ?? '';
      const leave = (why: string) => {
        const reason = why.replaceAll('\n', '; ').slice(0, maxReason);
        leftOut.set(place.path, { name, path: place.path, reason });
      };
      const skill = await tryLoad(place, source[place.origin]);
      if (typeof skill === 'string') {
        leave(skill);
        continue;
      }
      const other = skills.get(skill.name);
      if (other === undefined) skills.set(skill.name, skill);
      else if (other.path !== skill.path)
        leave(`${skill.path}: name: ${skill.name} is taken by ${other.path}`);
    }
  }
  return { skills: [...skills.values()], leftOut: [...leftOut.values()] };
}

/** A skill, or why it cannot be loaded. */
async function tryLoad(place: SkillLocation, files: TrustedFiles): Promise<Skill | string> {
  try {
    return await loadSkill(place, files);
  } catch (error) {
    if (error instanceof PhotonError && error.code === 'SKILL_INVALID') return error.message;
    throw error;
  }
}

/** What a maintainer should know of the skills: those left out, tools that do not exist, keys not read. */
export function skillWarnings(
  { skills, leftOut }: LoadedSkills,
  tools: readonly string[],
): readonly string[] {
  const names = new Set(tools);
  return [
    ...leftOut.map(({ name, reason }) => `Skill ${name} was left out: ${reason}`),
    ...skills.flatMap(skill => {
      const unknown = unknownTools(skill, names);
      const missing = missingParts(skill);
      return [
        ...(missing.length === 0 || skill.allowedTools.length === 0
          ? []
          : [
              isKnowledgeOnly(skill)
                ? `Skill ${skill.name}: it has no interface (${missing.join(', ')}), so it is knowledge only and grants no tool.`
                : `Skill ${skill.name}: its interface does not state ${missing.join(', ')}.`,
            ]),
        ...(unknown.length === 0
          ? []
          : [
              `Skill ${skill.name}: allowed-tools names ${unknown.join(', ')}, which grants nothing.`,
            ]),
        ...(skill.ignoredKeys.length === 0
          ? []
          : [`Skill ${skill.name}: Photon does not read ${skill.ignoredKeys.join(', ')}.`]),
      ];
    }),
  ];
}

/**
 * Reads one skill's metadata.
 * @throws PhotonError `SKILL_INVALID`.
 */
export async function loadSkill(place: SkillLocation, files: TrustedFiles): Promise<Skill> {
  const file = `${place.folder}/SKILL.md`;
  const head = await files.head(file, maxBoundaryBytes, b => findBoundaryEnd(b) !== null);
  if (head === null) throw invalid(`${place.path}: file: does not exist`);
  requireSize(head.size, place.path);
  const start = Buffer.from(head.bytes.subarray(0, 6))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (!start.startsWith('---'))
    throw invalid(`${place.path}: front matter: expected --- as the first line`);
  const end = findBoundaryEnd(head.bytes);
  if (end === null)
    throw invalid(
      `${place.path}: front matter: expected a closing --- line in the first ${maxBoundaryBytes} bytes`,
    );
  return parseBoundary(decodeVisible(head.bytes.subarray(0, end), place.path), place);
}

/** The folders that one root names. */
export async function findFolders(
  root: string,
  source: SkillSource,
): Promise<readonly SkillLocation[]> {
  const bundled = /^photon:(.*)$/.exec(root)?.[1];
  if (bundled !== undefined) return findBelow('', bundled, { root, source, origin: 'photon' });
  const path = root.replace(/\/+$/, '');
  if (path === '' || path === '.' || /^[/~]|\\|[\u0000-\u001f]/.test(path) || isOutside(path))
    throw invalid(`agent.skillRoots: "${root}" is outside the repository`);
  const [last = '', ...above] = path.split('/').reverse();
  const folder = above.reverse().join('/');
  const where = { root, source, origin: 'repository' } as const;
  if (/[*?[\]{}]/.test(folder))
    throw invalid(`agent.skillRoots: "${root}": only the last part may be a pattern`);
  if (/[*?[\]{}]/.test(last)) return findBelow(folder, last, where);
  const itself = await findBelow(folder, last, where);
  return itself.length > 0 ? itself : findBelow(path, '*', where);
}

function isOutside(path: string): boolean {
  return path.split('/').some(part => part === '..' || part === '.' || part === '');
}

interface Where {
  readonly root: string;
  readonly source: SkillSource;
  readonly origin: Skill['origin'];
}

/** Skills in the folders below `folder` whose name matches a pattern. */
async function findBelow(
  folder: string,
  pattern: string,
  { root, source, origin }: Where,
): Promise<readonly SkillLocation[]> {
  const files = source[origin];
  const below = folder === '' ? '' : `${folder}/`;
  const fits = matcher([pattern]);
  const isNamed = (path: string) =>
    path.startsWith(below) && fits(path.slice(below.length).split('/')[0] ?? '') !== null;
  const near = pattern.includes('*') ? folder : `${below}${pattern}`;
  const link = (await files.links(near)).find(l => isNamed(l) || folder.startsWith(l));
  if (link !== undefined)
    throw invalid(
      `agent.skillRoots: "${root}": ${link} is a link; a skill may contain regular files only`,
    );
  return (await files.list(near))
    .filter(p => isNamed(p) && /^[^/]+\/SKILL\.md$/.test(p.slice(below.length)))
    .map(path => path.slice(0, -'/SKILL.md'.length))
    .map(at => ({
      origin,
      folder: at,
      path: origin === 'photon' ? `photon:${at}/SKILL.md` : `${at}/SKILL.md`,
    }));
}
