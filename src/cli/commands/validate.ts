/** `photon validate`: checks configuration, constitution, profile, skills and inputs of workflows of the work tree, and shows its instruction files and the lists of paths. */
import { loadPolicy, loadSettings, type Policy } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { pathMatcher } from '../../base/path-patterns.ts';
import { joinDefined, listFirst, plural } from '../../base/plural.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { findPattern, isPathClass } from '../../guard/paths.ts';
import type { FolderPolicy } from '../../guard/policy/constitution.ts';
import { isKnowledgeOnly, type Skill } from '../../skills/skill.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { listTracked, resolveCheckout } from '../checkout.ts';
import { type Arguments, command, shared, value } from '../command.ts';
import { type SettingsRequest, tellSettingsSource } from '../settings-source.ts';
import type { Terminal } from '../terminal.ts';
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
  const tracked = await listTracked(folder, terminal);
  const hasConfig = (await files.read(settings.configPath)) !== undefined;
  terminal.print(
    `${renderPolicy(policy, hasConfig)}${listPathRules(policy)
      .map(list => renderList(list, tracked))
      .join('')}`,
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
  return [
    ...policyRules("Photon's constitution", shipped).map(list => ({ ...list, isOwn: false })),
    ...policyRules('constitution.md and the settings', root),
    ...constitution.folders.flatMap(f => policyRules(`${f.folder}/constitution.md`, f)),
    ...skills.filter(skill => skill.origin === 'repository').flatMap(guardRules),
    ...settings.maintenance.map(({ name, paths }) =>
      ownRules(`paths of the maintenance task ${name}`, paths, 'allowed'),
    ),
    ownRules('fleet.packages', settings.fleet.packages, 'in a package'),
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

function ownRules(title: string, patterns: readonly string[] = [], inside: string): PathRules {
  return { title, patterns, inside, isOwn: true };
}

interface PathRules {
  /** Key and file, such as `protected_paths of constitution.md`. */
  readonly title: string;
  readonly patterns: readonly string[];
  /** What a file in the list is. */
  readonly inside: string;
  /** True for a list of this repository. Of Photon's own, only the patterns that match a file are shown. */
  readonly isOwn: boolean;
}

/** The list: for each pattern the number of files, and examples. */
function renderList({ title, patterns, inside, isOwn }: PathRules, files: readonly string[]) {
  const isPath = pathMatcher(patterns.filter(pattern => !isPathClass(pattern)));
  const classes = patterns.filter(isPathClass);
  // the whole list first: most files match none of its patterns
  const listed = files.filter(
    file => isPath(file) !== undefined || findPattern(pathClasses, classes, file) !== undefined,
  );
  const lines = patterns.flatMap(pattern => {
    const found = listed.filter(file => findPattern(pathClasses, [pattern], file) !== undefined);
    if (found.length > 0) return [`  ${pattern} (${found.length}): ${listFirst(found)}\n`];
    return isOwn ? [`  warning: ${pattern} matches no tracked file\n`] : [];
  });
  const count = `${listed.length} of ${files.length} tracked files ${inside}`;
  return `\n${title}: ${count}\n${lines.join('')}`;
}
