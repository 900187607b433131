/** `photon validate`: checks configuration, constitution, profile and skills of the work tree. */
import { resolve } from 'node:path';
import { loadPolicy, loadSettings, type Policy } from '../agent/context/policy.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { parseArguments } from './arguments.ts';
import type { CommandHandler } from './terminal.ts';

export const validate: CommandHandler = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo', 'config', 'agent-profile']);
  const files = openFolderFiles(resolve(String(values.repo ?? '.')));
  const given = {
    config: String(values.config ?? ''),
    'agent-profile': String(values['agent-profile'] ?? ''),
  };
  const settings = await loadSettings(given, files);
  const policy = await loadPolicy({
    settings,
    trusted: files,
    shipped: openShipped(terminal.root),
  });
  terminal.print(renderPolicy(policy));
  return policy.leftOutSkills.size === 0 ? 0 : 1;
};

function renderPolicy(policy: Policy) {
  const { settings, constitution, constitutionSha256, notices, profile, skills } = policy;
  const { skillWarnings, leftOutSkills } = policy;
  const rules = Object.values(constitution.rules);
  const named = constitution.folders.map(f => f.folder);
  const folders = named.length === 0 ? '' : `, folders with their own: ${named.join(', ')}`;
  const { agentName, version, protocol, memory, segments } = profile;
  return [
    `configuration: ${settings.configPath}, ${settings.maintenance.length} maintenance tasks`,
    `constitution:  ${constitution.version}, sha256 ${constitutionSha256}, ${rules.length} rules${folders}`,
    `profile:       ${agentName} ${version} (${settings.agentProfile}), ${protocol}, ${memory}, ${segments.length} segments`,
    `skills:        ${skills.map(s => s.name).join(', ')}`,
    ...notices.map(notice => `notice:        ${notice}`),
    ...skillWarnings.map(w => `warning:       ${w}`),
    leftOutSkills.size === 0 ? 'all valid\n' : 'NOT ALL VALID: some skills were left out\n',
  ].join('\n');
}
