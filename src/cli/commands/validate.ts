/** `photon validate`: checks configuration, constitution, profile, skills and inputs of workflows of the work tree, and shows its instruction files and the lists of paths. */
import { loadPolicy, loadSettings, type Policy } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { pathMatcher } from '../../base/path-patterns.ts';
import { joinDefined, plural } from '../../base/plural.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { findPattern, isPathClass } from '../../guard/paths.ts';
import type { FolderPolicy } from '../../guard/policy/constitution.ts';
import { isKnowledgeOnly, type Skill } from '../../skills/skill.ts';
import { runGit } from '../../workspace/git/git-process.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { resolveCheckout } from '../checkout.ts';
import { type Arguments, command, shared, value } from '../command.ts';
import { type SettingsRequest, tellSettingsSource } from '../settings-source.ts';
import { findTerminalPrograms, type Terminal } from '../terminal.ts';
import { listMissingInputs } from '../workflow-inputs.ts';

const options = {
  repo: shared.repo,
  config: shared.config,
  'agent-profile': value('<profile>', 'Profile to check instead of the configured one'),
};

export const validate = command({
  options,
  usage: [['[flags]', '', checkFiles]],
  examples: ['photon validate'],
});

async function checkFiles({ values }: Arguments<typeof options>, terminal: Terminal) {
  const folder = await resolveCheckout(values, terminal);
  const files = openFolderFiles(folder);
  const given = {
    config: values.config ?? '',
    'agent-profile': values['agent-profile'] ?? '',
  };
  const settings = await loadSettings(given, files);
  const policy = await loadPolicy({
    settings,
    trusted: files,
    shipped: openShipped(terminal.root),
  });
  const tracked = await trackedFiles(folder, terminal);
  const hasConfig = (await files.read(settings.configPath)) !== undefined;
  terminal.print(
    `${renderPolicy(policy, hasConfig)}${renderPathLists(listPathRules(policy), tracked)}`,
  );
  const missing = await listMissingInputs(files);
  if (missing.length > 0) throw new PhotonError('SETTING_INVALID', missing.join('\n'));
  // the files of the work tree were checked, so a file that is not committed is no error here
  await tellUncommitted({ repo: folder, values: {}, terminal, given: { ...given, config: '' } });
  return policy.leftOutSkills.size === 0 ? 0 : 1;
}

function renderPolicy(policy: Policy, hasConfig: boolean) {
  const { settings, constitution, constitutionSha256, notices, profile, skills } = policy;
  const { skillWarnings, leftOutSkills } = policy;
  const knowledge = skills.filter(isKnowledgeOnly);
  const rules = Object.values(constitution.rules);
  const named = constitution.folders.map(f => f.folder);
  const folders = named.length === 0 ? '' : `, folders with their own: ${named.join(', ')}`;
  const { agentName, version, protocol, memory, segments } = profile;
  return joinDefined([
    `configuration: ${settings.configPath}, ${hasConfig ? plural(settings.maintenance.length, 'maintenance task') : 'which does not exist: every setting has its default'}`,
    `constitution:  ${constitution.version}, sha256 ${constitutionSha256}, ${rules.length} rules${folders}`,
    `profile:       ${agentName} ${version} (${settings.agentProfile}), ${protocol}, ${memory}, ${plural(segments.length, 'segment')}`,
    `skills:        ${skills.map(s => s.name).join(', ')}`,
    knowledge.length > 0 &&
      `               knowledge only, no tool: ${knowledge.map(s => s.name).join(', ')}`,
    ...instructionLines(policy),
    ...notices.map(notice => `notice:        ${notice}`),
    ...skillWarnings.map(w => `warning:       ${w}`),
    leftOutSkills.size === 0 ? 'all valid\n' : 'NOT ALL VALID: some skills were left out\n',
  ]);
}

/** The instruction files, what each is about, and why others have no effect. */
function instructionLines({ instructions }: Policy): readonly string[] {
  if (instructions === undefined) return ['instructions:  off (agent.repositoryInstructions)'];
  const { files, ignored } = instructions;
  const lines = [
    ...files.map(({ path, scope }) => `${path}, for ${scope}`),
    ...ignored.map(({ path, reason }) => `ignored: ${path}: ${reason}`),
  ];
  return lines.map((line, i) => `${i === 0 ? 'instructions:' : '             '}  ${line}`);
}

async function trackedFiles(folder: string, terminal: Terminal): Promise<readonly string[]> {
  const programs = findTerminalPrograms(terminal, folder);
  const { stdout } = await runGit({ args: ['ls-files', '-z'], cwd: folder, programs });
  return stdout
    .toString('utf8')
    .split('\0')
    .filter(path => path !== '');
}

/** Says what of the valid files no run reads yet; nothing without a commit. */
async function tellUncommitted(request: SettingsRequest): Promise<void> {
  try {
    await tellSettingsSource(request);
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'CHECKOUT_MISSING') throw error;
    request.terminal.tell(
      'note: the repository has no commit yet, and a run reads its settings from one.\n',
    );
  }
}

type Lists = Pick<FolderPolicy, 'protectedPaths' | 'flaggedPaths'>;

/** Every list of paths that is in force and not empty, without those of shipped skills. */
function listPathRules({ constitution, shipped, skills, settings }: Policy): readonly PathRules[] {
  const listAdditions = (all: readonly string[], base: readonly string[]) =>
    all.filter(pattern => !base.includes(pattern));
  const root: Lists = {
    protectedPaths: listAdditions(constitution.protectedPaths, shipped.protectedPaths),
    flaggedPaths: listAdditions(constitution.flaggedPaths, shipped.flaggedPaths),
  };
  const packages = ownRules('fleet.packages', settings.fleet.packages, 'in a package');
  return [
    ...policyRules("Photon's constitution", shipped).map(list => ({ ...list, isOwn: false })),
    ...policyRules('constitution.md and the settings', root),
    ...constitution.folders.flatMap(f => policyRules(`${f.folder}/constitution.md`, f)),
    ...skills.filter(skill => skill.origin === 'repository').flatMap(guardRules),
    ...settings.maintenance.map(({ name, paths }) =>
      ownRules(`paths of the maintenance task ${name}`, paths, 'allowed'),
    ),
    { ...packages, sides: ['in a package', 'in none'] as const },
  ].filter(list => list.patterns.length > 0);
}

const policyRules = (path: string, { protectedPaths, flaggedPaths }: Lists) => [
  ownRules(`protected_paths of ${path}`, protectedPaths, 'protected'),
  ownRules(`flagged_paths of ${path}`, flaggedPaths, 'flagged'),
];

const guardRules = ({ path, guards }: Skill) => [
  ownRules(`photon.guards.paths of ${path}`, guards.paths, 'allowed'),
  ownRules(`photon.guards.except of ${path}`, guards.except, 'excluded'),
];

/** @param inside what a file in the list is; another one is not. */
function ownRules(title: string, patterns: readonly string[] = [], inside: string): PathRules {
  return { title, patterns, sides: [inside, `not ${inside}`], isOwn: true };
}

interface PathRules {
  /** Key and file, such as `protected_paths of constitution.md`. */
  readonly title: string;
  readonly patterns: readonly string[];
  /** What a file in the list is, and what another one is. */
  readonly sides: readonly [inside: string, outside: string];
  /** True for a list of this repository. Of Photon's own, only the patterns that match a file are shown. */
  readonly isOwn: boolean;
}

const maxInside = 3;
const maxOutside = 2;

/** One block for each list: for each pattern the number of files, and examples of files in the list and outside. */
function renderPathLists(lists: readonly PathRules[], files: readonly string[]): string {
  return lists.map(list => renderList(list, files)).join('');
}

function renderList({ isOwn, ...list }: PathRules, files: readonly string[]): string {
  const byPattern = new Map(list.patterns.map(pattern => [pattern, [] as string[]]));
  const others: string[] = [];
  const classes = list.patterns.filter(isPathClass);
  const isMatched = pathMatcher(list.patterns.filter(pattern => !isPathClass(pattern)));
  // the whole list first: most files match none of its patterns
  for (const file of files)
    if (isMatched(file) === undefined && findPattern(pathClasses, classes, file) === undefined)
      others.push(file);
    else
      for (const [pattern, found] of byPattern)
        if (findPattern(pathClasses, [pattern], file) !== undefined) found.push(file);
  const lines = [...byPattern].flatMap(([pattern, found]) => {
    if (found.length > 0) return renderPattern(list, pattern, { found, others });
    return isOwn ? [`  warning: ${pattern} matches no tracked file`] : [];
  });
  const count = files.length - others.length;
  return `\n${list.title}: ${count} of ${files.length} tracked files ${list.sides[0]}\n${lines.map(line => `${line}\n`).join('')}`;
}

function renderPattern(
  { sides: [inside, outside] }: Pick<PathRules, 'sides'>,
  pattern: string,
  { found, others }: { readonly found: readonly string[]; readonly others: readonly string[] },
): readonly string[] {
  const near = nearest(pattern, others);
  return [
    `  ${pattern} (${found.length})`,
    `    ${inside}: ${found.slice(0, maxInside).join(', ')}${found.length > maxInside ? ', …' : ''}`,
    near.length === 0 ? undefined : `    ${outside}: ${near.join(', ')}`,
  ].filter(item => item !== undefined);
}

/** Files outside the list, first those that a reader of the pattern could believe to be in it. */
function nearest(pattern: string, others: readonly string[]): readonly string[] {
  const words = (pattern.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).toSorted(
    (a, b) => b.length - a.length,
  );
  const near = words.flatMap(word => others.filter(file => file.toLowerCase().includes(word)));
  return [...new Set([...near, ...others])].slice(0, maxOutside);
}
