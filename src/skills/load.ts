/** Loads the skills of the allowlist: bundled ones as `photon:name`, others as folders of the trusted ref. */
import { posix } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import { globTest } from '../base/globs.ts';
import { nearestNames } from '../guard/nearest-names.ts';
import { isUtf16 } from '../guard/policy/policy-text.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { parseBoundary } from './boundary.ts';
import {
  getSkillFile,
  interfaceGap,
  invalid,
  type Skill,
  type SkillLocation,
  unknownTools,
} from './skill.ts';
import {
  decodeVisible,
  findBoundaryEnd,
  findSkillFiles,
  isSkillFile,
  maxBoundaryBytes,
  requireSize,
} from './skill-text.ts';

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
interface LeftOutSkill {
  /** Name of its folder. */
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

interface LoadedSkills {
  readonly skills: readonly Skill[];
  readonly leftOut: readonly LeftOutSkill[];
}

/**
 * Reads the metadata of every skill that `roots` allows, and no body. A skill with invalid front matter,
 * with a link in its folder, or with a name that another one has taken, is left out.
 * @throws PhotonError `SKILL_INVALID` for a root that holds no skill, is outside the repository, or is a link.
 */
export async function loadSkills(
  roots: readonly string[],
  source: SkillSource,
): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const leftOut = new Map<string, LeftOutSkill>();
  for (const root of roots) {
    const { places: found, linked } = await findFolders(root, source);
    for (const skill of linked) leftOut.set(skill.path, skill);
    if (found.length + linked.length === 0)
      throw invalid(`agent.skillRoots: "${root}" contains no skill`);
    if (found.length > maxSkills)
      throw invalid(
        `agent.skillRoots: "${root}" contains ${found.length} skills; at most ${maxSkills} are allowed`,
      );
    for (const place of found) {
      const name = posix.basename(place.folder);
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
      const gap = interfaceGap(skill);
      return [
        gap === '' || skill.allowedTools.length === 0 ? undefined : `Skill ${skill.name}: ${gap}.`,
        ...skill.deviations.map(deviation => `Skill ${skill.name}: ${deviation}.`),
        unknown.length === 0
          ? undefined
          : `Skill ${skill.name}: allowed-tools names ${describeUnknown(unknown, tools)}, which grants nothing.`,
        skill.ignoredKeys.length === 0
          ? undefined
          : `Skill ${skill.name}: Photon does not read ${skill.ignoredKeys.join(', ')}.`,
      ].filter(item => item !== undefined);
    }),
  ];
}

/** Tools that there are not, each with the names that it may be meant for. */
export function describeUnknown(unknown: readonly string[], tools: readonly string[]): string {
  const named = unknown.map(entry => {
    const near = nearestNames(entry.replace(/\(.*/s, ''), tools);
    return near.length === 0 ? entry : `${entry} (did you mean ${near.join(' or ')}?)`;
  });
  return named.join(', ');
}

/** Reads one skill's metadata. @throws PhotonError `SKILL_INVALID`. */
export async function loadSkill(place: SkillLocation, files: TrustedFiles): Promise<Skill> {
  const file = getSkillFile(place);
  const head = await files.head(file, maxBoundaryBytes, b => findBoundaryEnd(b) !== undefined);
  if (head === undefined) throw invalid(`${place.path}: file: does not exist`);
  requireSize(head.size, place.path);
  if (isUtf16(head.bytes)) throw invalid(`${place.path}:1:1: is UTF-16; save the file as UTF-8`);
  const start = Buffer.from(head.bytes.subarray(0, 6))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (!start.startsWith('---'))
    throw invalid(`${place.path}:1: front matter: expected --- as the first line`);
  const end = findBoundaryEnd(head.bytes);
  if (end === undefined)
    throw invalid(
      `${place.path}:1: front matter: expected a closing --- line in the first ${maxBoundaryBytes} bytes`,
    );
  const text = decodeVisible(head.bytes.subarray(0, end), place.path);
  return parseBoundary(text, place);
}

/** The skills that a root names. */
interface FoundSkills {
  readonly places: readonly SkillLocation[];
  /** Skills with a link in their folders, which are not read. */
  readonly linked: readonly LeftOutSkill[];
}

async function findFolders(root: string, source: SkillSource): Promise<FoundSkills> {
  const bundled = /^photon:(.*)$/.exec(root)?.[1];
  if (bundled !== undefined) return findBelow('', bundled, { root, source, origin: 'photon' });
  const path = root.replace(/(?<!\/)\/+$/, '');
  if (path === '' || path === '.' || /^[/~]|\\|[\u0000-\u001f]/.test(path) || isOutside(path))
    throw invalid(`agent.skillRoots: "${root}" is outside the repository`);
  const [last = '', ...above] = path.split('/').reverse();
  const folder = above.reverse().join('/');
  const where = { root, source, origin: 'repository' } as const;
  if (/[*?[\]{}]/.test(folder))
    throw invalid(`agent.skillRoots: "${root}": only the last part may be a pattern`);
  if (/[*?[\]{}]/.test(last)) return findBelow(folder, last, where);
  const itself = await findBelow(folder, last, where);
  const isOne = itself.places.length + itself.linked.length > 0;
  return isOne ? itself : findBelow(path, '*', where);
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
async function findBelow(folder: string, pattern: string, { root, source, origin }: Where) {
  const files = source[origin];
  const below = folder === '' ? '' : `${folder}/`;
  const fits = globTest(pattern, { nocase: true });
  const getSkillName = (path: string) => path.slice(below.length).split('/')[0] ?? '';
  const isNamed = (path: string) => path.startsWith(below) && fits(getSkillName(path));
  const near = pattern.includes('*') ? folder : `${below}${pattern}`;
  const links = await files.links(near);
  const above = links.find(l => near === l || near.startsWith(`${l}/`));
  if (above !== undefined)
    throw invalid(
      `agent.skillRoots: "${root}": ${above} is a link; a skill may contain regular files only`,
    );
  const isOneBelow = (path: string) => path.slice(below.length).split('/').length === 2;
  const skillFile = (path: string) => isOneBelow(path) && isSkillFile(path);
  const found = findSkillFiles((await files.list(near)).filter(p => isNamed(p) && isOneBelow(p)));
  const linkOf = new Map(links.filter(isNamed).map(l => [getSkillName(l), l]));
  // a link among other files of the folder belongs to no skill
  const isSkill = (name: string, link: string) =>
    found.map(getSkillName).includes(name) || link === below + name || skillFile(link);
  const formatSkillPath = (file: string) => (origin === 'photon' ? `photon:${file}` : file);
  const places = found
    .filter(file => !linkOf.has(getSkillName(file)))
    .map(file => ({ origin, folder: below + getSkillName(file), path: formatSkillPath(file) }));
  const linked = [...linkOf]
    .filter(([name, link]) => isSkill(name, link))
    .map(([name, link]) => {
      const path = formatSkillPath(`${below}${name}/SKILL.md`);
      const reason = `${path}: ${link} is a link; a skill may contain regular files only`;
      return { name, path, reason };
    });
  return { places, linked };
}
