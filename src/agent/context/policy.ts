/** The policy of a run: configuration, constitution and skills, all read from the trusted ref. */
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import type { Constitution } from '../../guard/policy/constitution.ts';
import { parseConstitution } from '../../guard/policy/parse-constitution.ts';
import { decodePolicyText, maxConstitutionBytes } from '../../guard/policy/policy-text.ts';
import {
  type ConstitutionFile,
  proseNotices,
  resolveConstitution,
} from '../../guard/policy/resolve-constitution.ts';
import { mcpToolNames } from '../../settings/mcp.ts';
import {
  type Config,
  type InputRecord,
  inputs,
  parseConfig,
  parseSettings,
  type Settings,
} from '../../settings/settings.ts';
import { loadSkills, type SkillSource, skillWarnings } from '../../skills/load.ts';
import type { Skill } from '../../skills/skill.ts';
import { tools } from '../../tools/index.ts';
import {
  findInstructionFiles,
  type InstructionFiles,
} from '../../workspace/trusted/instruction-files.ts';
import type { OwnConfig } from '../../workspace/trusted/own-config.ts';
import type { ShippedAssets } from '../../workspace/trusted/shipped.ts';
import {
  type CentralFiles,
  type TrustedFiles,
  withoutPaths,
} from '../../workspace/trusted/trusted-files.ts';
import { withTrustedRoles } from '../../workspace/trusted/trusted-roles.ts';
import { type Profile, parseProfile, type SharedPrompts } from './profile.ts';
import type { PromptFile } from './prompt-file.ts';
import { parseReportSchema, type ReportSchema } from './report-schema.ts';
import { parseTaskTexts, type TaskTexts } from './task-texts.ts';

export interface Policy {
  readonly settings: Settings;
  readonly constitution: Constitution;
  /** The constitution that Photon ships, without the repository's. */
  readonly shipped: Constitution;
  /** sha256 over the texts that the constitution in force was made from. */
  readonly constitutionSha256: string;
  /** What constitutions of the repository state in text that no code enforces. */
  readonly notices: readonly string[];
  readonly skills: readonly Skill[];
  /** Skills that could not be loaded, with the reason. */
  readonly leftOutSkills: ReadonlyMap<string, string>;
  /** What a maintainer should know of the skills. */
  readonly skillWarnings: readonly string[];
  /** Where their files are. */
  readonly skillSource: SkillSource;
  readonly profile: Profile;
  /** Instruction files of the trusted ref; undefined if the settings turn them off. */
  readonly instructions: InstructionFiles | undefined;
  /** The shape of what a review reports; undefined if the settings name none. */
  readonly reviewSchema: ReportSchema | undefined;
  /** The shape of what an answer reports; undefined if the settings name none. */
  readonly outputSchema: ReportSchema | undefined;
}

/**
 * The configuration of the repository; may be empty.
 * @throws PhotonError `CONFIG_INVALID`, `CONFIG_MISSING`.
 */
export async function loadConfig(given: InputRecord, trusted: TrustedFiles): Promise<Config> {
  const path = given.config?.trim() || inputs.config.default;
  const text = await readText(trusted, path, 'CONFIG_INVALID');
  // an Action always passes the default
  if (text === undefined && path !== inputs.config.default)
    throw new PhotonError('CONFIG_MISSING', `config: the repository has no file ${path}.`);
  return text === undefined ? {} : parseConfig(text, path);
}

/**
 * Settings from the inputs, the trusted configuration, and the person's own configuration if there is one.
 * @throws PhotonError `CONFIG_INVALID`, `CONFIG_MISSING`, `CONFIG_WEAKENS`, `SETTING_INVALID`, `PRICE_UNKNOWN`.
 */
export async function loadSettings(
  given: InputRecord,
  trusted: TrustedFiles,
  own?: OwnConfig,
): Promise<Settings> {
  return parseSettings(given, await loadConfig(given, trusted), {
    own: own && parseConfig(own.text, own.path),
    central: trusted.central && (await loadCentralConfig(trusted.central)),
  });
}

async function loadCentralConfig({ name, files }: CentralFiles) {
  const path = inputs.config.default;
  const text = await readText(files, path, 'CONFIG_INVALID');
  const config = text === undefined ? {} : parseConfig(text, `${name}: ${path}`);
  if (config.extends === undefined) return { name, config };
  throw new PhotonError(
    'CONFIG_INVALID',
    `${name}: ${path}: /extends: a central configuration extends no other.`,
  );
}

export interface PolicyFiles {
  readonly settings: Settings;
  readonly trusted: TrustedFiles;
  readonly shipped: ShippedAssets;
  /** Files of the repository's skills, when they are not the trusted ones (`--watch-skills`). */
  readonly skillFiles?: TrustedFiles;
}

/**
 * The rest of the policy.
 * @throws PhotonError `CONSTITUTION_*`, `SKILL_INVALID`, `PROMPT_INVALID`, `REVIEW_SCHEMA`.
 */
export async function loadPolicy({
  settings,
  trusted,
  shipped,
  skillFiles = trusted,
}: PolicyFiles): Promise<Policy> {
  const repository = withoutPaths(skillFiles, settings.neverSend);
  const skillSource = { photon: shipped.skills, repository };
  const loaded = await loadSkills(settings.skillRoots, skillSource);
  const profile = await loadProfile(
    settings.agentProfile,
    path => readText(trusted, path, 'PROMPT_INVALID'),
    shipped,
  );
  const { constitution, notices, ...rules } = await loadConstitution(trusted, shipped);
  const seen = withoutPaths(trusted, settings.neverSend);
  const instructions = settings.repositoryInstructions
    ? await findInstructionFiles(seen)
    : undefined;
  return {
    settings: applyDefaults(profile, settings),
    ...rules,
    notices: [...notices, ...centralNotices(settings, trusted)],
    constitution: withReads(
      await withTrustedRoles(constitution, settings, { trusted, instructions }),
      settings.reads,
    ),
    skills: loaded.skills,
    skillWarnings: skillWarnings(loaded, [
      ...tools.map(t => t.name),
      ...mcpToolNames(settings.mcpServers),
    ]),
    leftOutSkills: new Map(loaded.leftOut.map(s => [s.name, s.reason])),
    skillSource,
    profile,
    instructions,
    reviewSchema: await loadReportSchema(settings.reviewSchema, trusted),
    outputSchema: await loadReportSchema(settings.outputSchema, trusted),
  };
}

/** Says whose rules hold besides the repository's. */
function centralNotices(
  { extends: named }: Settings,
  { central }: TrustedFiles,
): readonly string[] {
  if (named === undefined) return [];
  return [
    central === undefined
      ? `The settings and rules of ${named} hold on GitHub only; this run does not read them.`
      : `The settings and rules of ${central.name} hold for this run.`,
  ];
}

/** The constitution under the mode of a setting, which can only tighten it. */
export function withReads(constitution: Constitution, reads: Settings['reads']): Constitution {
  return reads === 'strict' ? { ...constitution, reads } : constitution;
}

async function loadReportSchema(path: string, trusted: TrustedFiles) {
  if (path === '') return undefined;
  return parseReportSchema(await readText(trusted, path, 'REVIEW_SCHEMA'), path);
}

/** Maximum bytes of records in the first prompt of a profile that offers some. */
const defaultAdviceBytes = 1500;

/** Settings of the memory that nobody set are the profile's. */
function applyDefaults(profile: Profile, settings: Settings): Settings {
  return {
    ...settings,
    memoryMode: settings.memoryModeNamed ? settings.memoryMode : profile.defaultMode,
    recordTools: settings.recordTools ?? profile.records,
    adviceBytes: settings.adviceBytes ?? (profile.recordsOnRequest ? 0 : defaultAdviceBytes),
  };
}

/** The constitution that Photon ships, and the one in force. @throws PhotonError `CONSTITUTION_*`. */
export async function loadConstitution(
  trusted: TrustedFiles,
  shipped: ShippedAssets,
): Promise<Pick<Policy, 'constitution' | 'shipped' | 'constitutionSha256' | 'notices'>> {
  const { central } = trusted;
  const own = await findConstitutions(trusted);
  const root = central && (await readConstitution(central.files, 'constitution.md', central.name));
  const above = root === undefined ? [] : [{ ...root, folder: '' }];
  const all = [...above, ...own];
  const base = parseConstitution(shipped.constitution, 'constitution/photon.md');
  return {
    constitution: resolveConstitution(resolveConstitution(base, above), own),
    shipped: base,
    notices: proseNotices(all),
    constitutionSha256: digest(
      [shipped.constitution, ...all.map(f => `${f.path}\0${f.text}`)].join('\0'),
    ),
  };
}

/** A shipped profile by its name, or a file of the trusted ref by its path. @throws PhotonError `PROMPT_INVALID`. */
async function loadProfile(
  name: string,
  read: (path: string) => Promise<string | undefined>,
  shipped: ShippedAssets,
): Promise<Profile> {
  const own = name.endsWith('.json');
  const text = own ? await read(name) : shipped.prompt(name);
  if (text === undefined)
    throw new PhotonError(
      'PROMPT_INVALID',
      `agent-profile: there is no ${name}${own ? ' on the trusted ref' : ' among the shipped ones'}.`,
    );
  return parseProfile(
    own ? { path: name, text } : promptFile(shipped, name),
    sharedPrompts(shipped),
    tools.map(t => t.name),
  );
}

/** The texts of Photon that every profile shares. */
export function sharedPrompts(shipped: ShippedAssets): SharedPrompts {
  return {
    templates: promptFile(shipped, 'templates'),
    tasks: promptFile(shipped, 'tasks'),
  };
}

function promptFile({ prompt }: ShippedAssets, name: string): PromptFile {
  return { path: `prompts/${name}.json`, text: prompt(name) ?? '' };
}

/** The texts that a trigger adds to a task. @throws PhotonError `PROMPT_INVALID`. */
export function loadTaskTexts(shipped: ShippedAssets): TaskTexts {
  return parseTaskTexts(sharedPrompts(shipped).tasks);
}

const maxConstitutions = 100;

/** Every `constitution.md` of the trusted ref: the root's, and those of sub-folders. */
async function findConstitutions(trusted: TrustedFiles): Promise<readonly ConstitutionFile[]> {
  const isOne = (path: string) => path === 'constitution.md' || path.endsWith('/constitution.md');
  const link = (await trusted.links('')).find(isOne);
  if (link !== undefined) throw noRegularFile(link, 'CONSTITUTION_INVALID');
  const all = await trusted.list('');
  const folder = all.map(folderInPlace).find(path => path !== '');
  if (folder !== undefined) throw noRegularFile(folder, 'CONSTITUTION_INVALID');
  const paths = all.filter(isOne).sort();
  if (paths.length > maxConstitutions)
    throw new PhotonError(
      'CONSTITUTION_INVALID',
      `${paths.length} files are named constitution.md; at most ${maxConstitutions} are read.`,
    );
  const files = await Promise.all(paths.map(path => readConstitution(trusted, path)));
  return files.filter(file => file !== undefined);
}

/** The folder above a path that has the name of a constitution; may be empty. */
function folderInPlace(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, folders.indexOf('constitution.md') + 1).join('/');
}

async function readConstitution(
  trusted: TrustedFiles,
  name: string,
  source?: string,
): Promise<ConstitutionFile | undefined> {
  const bytes = await readBytes(trusted, name, 'CONSTITUTION_INVALID');
  if (bytes === undefined) return undefined;
  const path = source === undefined ? name : `${source}: ${name}`;
  if (bytes.length > maxConstitutionBytes)
    throw new PhotonError(
      'CONSTITUTION_INVALID',
      `${path}: ${bytes.length} bytes; at most ${maxConstitutionBytes} are allowed, because the text is in every request. Move what is no rule to another file.`,
    );
  try {
    return { path, text: decodePolicyText(bytes, path) };
  } catch (error) {
    throw new PhotonError('CONSTITUTION_INVALID', (error as Error).message);
  }
}

/** Why a policy file that is a link is refused. */
type Refusal = 'CONFIG_INVALID' | 'CONSTITUTION_INVALID' | 'PROMPT_INVALID' | 'REVIEW_SCHEMA';

/**
 * Text of a policy file, or undefined.
 * @throws PhotonError `code` for a link in its path: skipping the file would skip a rule.
 */
async function readText(
  trusted: TrustedFiles,
  path: string,
  code: Refusal,
): Promise<string | undefined> {
  const bytes = await readBytes(trusted, path, code);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

/** Content of a policy file, or undefined. @throws PhotonError `code` for a link in its path. */
async function readBytes(
  trusted: TrustedFiles,
  path: string,
  code: Refusal,
): Promise<Uint8Array | undefined> {
  const bytes = await trusted.read(path);
  if (bytes !== undefined) return bytes;
  const found = (await trusted.links(path)).find(p => path === p || path.startsWith(`${p}/`));
  const hasFiles = (await trusted.list(path)).some(p => p.startsWith(`${path}/`));
  if (found !== undefined || hasFiles) throw noRegularFile(found ?? path, code);
  return undefined;
}

function noRegularFile(path: string, code: Refusal): PhotonError {
  return new PhotonError(
    code,
    `${path} is a link, a folder or another thing that is no regular file, and is not followed.`,
    { hint: `Put the file itself at ${path}.` },
  );
}
