/** `photon skills`: lists the allowed skills, checks and creates skills. */
import { basename, join, resolve } from 'node:path';
import { loadSettings } from '../../agent/context/policy.ts';
import { coreTools, toolNames } from '../../agent/context/skills.ts';
import { PhotonError } from '../../base/codes.ts';
import { joinDefined } from '../../base/plural.ts';
import { mcpToolNames } from '../../settings/mcp.ts';
import { checkSkill, judgeReadiness, type SkillCheck } from '../../skills/check-skill.ts';
import { loadSkill, loadSkills, type SkillSource, skillWarnings } from '../../skills/load.ts';
import { findUnready } from '../../skills/requirements.ts';
import {
  isKnowledgeOnly,
  isSkillName,
  maxSkillName,
  type Skill,
  type SkillLocation,
} from '../../skills/skill.ts';
import { readSkillFolder } from '../../skills/skill-manager.ts';
import { describeBounds } from '../../skills/skill-prompt.ts';
import { findSkillFiles, renderNewSkill } from '../../skills/skill-text.ts';
import { requireNoLink } from '../../workspace/files/replace-file.ts';
import { makeNewFolder } from '../../workspace/files/run-folder.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { type Arguments, command, resolveRepo, shared, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  config: shared.config,
  in: value('<dir>', 'Folder for the new skill (default: .photon/skills)'),
};

type SkillsArguments = Arguments<typeof options>;

export const skills = command({
  options,
  usage: [
    ['list [flags]', 'List the allowed skills: versions, tools and limits', list],
    ['check [<dir>...]', 'Check that skills are complete (default: the allowed skills)', check],
    ['new <name> [--in <dir>]', 'Create a skill', create],
  ],
  defaultVerb: 'list',
  examples: ['photon skills list', 'photon skills new release-notes'],
});

async function list(given: SkillsArguments, terminal: Terminal): Promise<number> {
  const { roots, source, tools } = await allowlist(given, terminal);
  const found = await loadSkills(roots, source);
  const unready = await findUnready(found.skills, new Set(tools));
  terminal.print(renderSkills(found.skills, unready));
  for (const warning of skillWarnings(found, tools)) terminal.print(`${warning}\n`);
  return unready.size + found.leftOut.length === 0 ? 0 : 1;
}

/** Checks the named folders, each a skill or a folder of skills. If none is named, the allowed skills. */
async function check(given: SkillsArguments, terminal: Terminal): Promise<number> {
  const folders = given.names;
  const checks = await (folders.length === 0
    ? checkAllowlist(given, terminal)
    : Promise.all(folders.map(checkFolder)).then(all => all.flat()));
  terminal.print(renderSkillChecks(checks));
  return checks.every(c => c.gaps.length === 0) ? 0 : 1;
}

async function checkAllowlist(given: SkillsArguments, terminal: Terminal): Promise<SkillCheck[]> {
  const { roots, source, tools } = await allowlist(given, terminal);
  const found = await loadSkills(roots, source);
  const unready = await findUnready(found.skills, new Set(tools));
  const broken = found.leftOut.map(({ name, path, reason }) => brokenSkill(name, path, reason));
  const checks = found.skills.map(async skill => {
    const checked = await checkOne(skill, source[skill.origin], tools);
    const lacks = unready.get(skill.name);
    return lacks === undefined
      ? checked
      : {
          ...checked,
          gaps: [...checked.gaps, { key: 'photon.requires', reason: lacks, blocks: true }],
        };
  });
  return [...broken, ...(await Promise.all(checks))];
}

function brokenSkill(name: string, path: string, reason: string): SkillCheck {
  const gap = { key: 'file', reason, blocks: true };
  return { name, path, role: undefined, plan: undefined, grants: [], gaps: [gap] };
}

async function checkFolder(folder: string): Promise<SkillCheck[]> {
  const full = resolve(folder);
  const above = openFolderFiles(resolve(full, '..'));
  const name = basename(full);
  const found = findSkillFiles(await above.list(name));
  const near = found.filter(p => p.split('/').length <= 3);
  if (near.length === 0)
    throw new PhotonError(
      'SKILL_INVALID',
      `${folder}: file: expected a SKILL.md in it or below it`,
    );
  const places = near.map((path): SkillLocation => {
    const at = path.slice(0, path.lastIndexOf('/'));
    return { origin: 'repository', folder: at, path: join(folder, path.slice(name.length + 1)) };
  });
  return Promise.all(places.map(place => checkPlace(place, above)));
}

/** The check of a skill, also when it cannot be read. */
async function checkPlace(place: SkillLocation, files: TrustedFiles): Promise<SkillCheck> {
  try {
    return await checkOne(place, files);
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'SKILL_INVALID') throw error;
    return brokenSkill(basename(place.folder), place.path, error.message);
  }
}

async function checkOne(
  place: SkillLocation,
  files: TrustedFiles,
  all: readonly string[] = toolNames,
): Promise<SkillCheck> {
  const skill = await loadSkill(place, files);
  const { kernel, files: others } = await readSkillFolder(skill, files);
  return checkSkill({ skill, kernel, files: others }, { all, core: coreTools });
}

/** Creates a folder with a SKILL.md that passes the check. An existing folder stays unchanged. */
async function create(given: SkillsArguments, terminal: Terminal): Promise<number> {
  const {
    values,
    names: [name = ''],
  } = given;
  if (!isSkillName(name) || name.length > maxSkillName)
    throw new PhotonError('USAGE', `${JSON.stringify(name)} cannot be the name of a skill.`, {
      hint: 'Use lower-case words joined by - or _, at most 64 characters.',
    });
  const path = join(values.in ?? '.photon/skills', name);
  // the default folder is in a checkout, where a link can lead anywhere
  if (values.in === undefined) requireNoLink(resolve('.'), join(path, 'SKILL.md'));
  makeNewFolder(resolve(path), { 'SKILL.md': renderNewSkill(name) });
  // the list replaces the default, which are the shipped skills
  const { roots } = await allowlist(given, terminal);
  const all = JSON.stringify([...new Set([...roots, path])]);
  terminal.print(
    `${join(path, 'SKILL.md')}\nTo allow it besides the others, set "agent": {"skillRoots": ${all}} in .photon/config.json.\n`,
  );
  return 0;
}

/** The skills that the configuration of the work tree allows, and where they are. */
async function allowlist(
  { values }: SkillsArguments,
  terminal: Terminal,
): Promise<{
  readonly roots: readonly string[];
  readonly source: SkillSource;
  /** Names of all tools, with those of MCP servers. */
  readonly tools: readonly string[];
}> {
  const files = openFolderFiles(resolveRepo(values));
  const { skillRoots, mcpServers } = await loadSettings({ config: values.config }, files);
  const source = { photon: openShipped(terminal.root).skills, repository: files };
  return { roots: skillRoots, source, tools: [...toolNames, ...mcpToolNames(mcpServers)] };
}

/** The allowed skills: name, version, tools and path, and why one cannot be activated. */
function renderSkills(skills: readonly Skill[], unready: ReadonlyMap<string, string>): string {
  return skills.map(skill => renderSkill(skill, unready.get(skill.name))).join('');
}

/** Of a skill that names no tools. */
const knowledge = 'none, it is knowledge only (list tools under allowed-tools to grant some)';

function renderSkill(skill: Skill, lacks: string | undefined): string {
  const { name, version, path, description, allowedTools } = skill;
  const bounds = describeBounds(skill);
  return joinDefined([
    `${name} ${version || '(no version)'}  ${path}`,
    `  ${description}`,
    `  tools: ${isKnowledgeOnly(skill) ? knowledge : allowedTools.join(', ')}`,
    bounds.length > 0 && `  enforced: ${bounds.join('; ')}`,
    lacks !== undefined && `  CANNOT BE ACTIVATED: ${lacks}`,
    '',
  ]);
}

/** The result of each check, and how many skills are complete, usable and unusable. */
function renderSkillChecks(checks: readonly SkillCheck[]): string {
  const count = (wanted: string) => checks.filter(c => judgeReadiness(c) === wanted).length;
  const total = `${count('complete')} complete, ${count('usable')} usable as they are, ${count('unusable')} not usable\n`;
  return joinDefined([...checks.map(renderCheck), checks.length > 1 ? total : undefined], '');
}

const heads = { complete: 'complete', usable: 'usable  ', unusable: 'UNUSABLE' } as const;

function renderCheck(check: SkillCheck): string {
  const { name, path, role, plan, grants, gaps } = check;
  const readiness = judgeReadiness(check);
  const built = [
    `role ${role === undefined ? 'cannot be built' : 'can be built'}`,
    `plan ${plan === undefined ? 'cannot be built' : `of ${plan.steps.length} steps can be built`}`,
  ].join(', ');
  const tools = grants.length === 0 ? 'grants no tool' : `grants ${grants.join(', ')}`;
  const missing = gaps.map(g => `  ${g.key}: ${g.reason}`);
  return joinDefined([
    `${heads[readiness]} ${name}  ${path}`,
    readiness === 'unusable' ? undefined : `  as it is: ${tools}`,
    `  from the interface alone: ${built}`,
    readiness === 'usable' ? ['  to be complete, it lacks:', ...missing] : missing,
    '',
  ]);
}
