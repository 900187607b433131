/** What decides in a repository, for the terminal: configuration, constitution, profile, skills. Pure. */
import type { Policy } from '../agent/context/policy.ts';

/** Lines of `photon validate`, when everything could be read. */
export function renderPolicy({
  settings,
  constitution,
  constitutionSha256,
  profile,
  skills,
}: Policy) {
  const rules = Object.values(constitution.rules);
  const named = constitution.folders.map(f => f.folder);
  const folders = named.length === 0 ? '' : `, folders of their own: ${named.join(', ')}`;
  const { agentName, version, protocol, memory, segments } = profile;
  return [
    `configuration: ${settings.configPath}, ${settings.maintenance.length} maintenance tasks`,
    `constitution:  ${constitution.version}, sha256 ${constitutionSha256}, ${rules.length} rules${folders}`,
    `profile:       ${agentName} ${version} (${settings.agentProfile}), ${protocol}, ${memory}, ${segments.length} segments`,
    `skills:        ${skills.map(s => s.name).join(', ')}`,
    'all valid\n',
  ].join('\n');
}
