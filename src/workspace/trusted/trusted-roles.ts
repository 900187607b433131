/** The files of the repository that a run follows, by their role: they join the protected or the flagged paths by themselves. */
import { literalPattern } from '../../base/path-patterns.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { Constitution } from '../../guard/policy/constitution.ts';
import type { Settings } from '../../settings/settings.ts';
import type { InstructionFiles } from './instruction-files.ts';
import type { TrustedFiles } from './trusted-files.ts';

/** What the settings name, besides files that the shipped constitution protects by their place. */
type Roles = Pick<
  Settings,
  | 'configPath'
  | 'agentProfile'
  | 'reviewSchema'
  | 'outputSchema'
  | 'taskFile'
  | 'skillRoots'
  | 'mcpServers'
  | 'neverSend'
>;

/**
 * The constitution with what this run trusts. No patch may change its settings, prompts and skills, or a file that the
 * model may not see. A person looks first at the instructions that it reads, and at programs that it starts.
 */
export async function withTrustedRoles(
  constitution: Constitution,
  settings: Roles,
  {
    trusted,
    instructions,
  }: {
    readonly trusted: TrustedFiles;
    readonly instructions: InstructionFiles | undefined;
  },
): Promise<Constitution> {
  const { configPath, agentProfile, reviewSchema, outputSchema, taskFile } = settings;
  const { skillRoots, mcpServers, neverSend } = settings;
  // a name is one that Photon ships
  const profiles = agentProfile.endsWith('.json') ? [agentProfile] : [];
  const files = [configPath, reviewSchema, outputSchema, taskFile, ...profiles];
  const read = instructions?.files.map(file => instructions.read(file.path)) ?? [];
  const programs = Object.values(mcpServers).flatMap(server => server.command);
  const flagged = [
    ...(await Promise.all(read)).flat().map(({ path }) => path),
    ...(await Promise.all(programs.map(word => findFile(word, trusted)))).flat(),
  ];
  return {
    ...constitution,
    protectedPaths: union(constitution.protectedPaths, [
      ...files.flatMap(anchorPath),
      ...skillRoots.filter(root => !root.startsWith('photon:')).map(skillFolder),
      ...neverSend,
    ]),
    flaggedPaths: union(constitution.flaggedPaths, flagged.flatMap(anchorPath)),
  };
}

/** A file of the repository that a word of a command line names. */
async function findFile(word: string, trusted: TrustedFiles): Promise<readonly string[]> {
  const path = normalisePath(word);
  if (path === undefined || path === '') return [];
  return (await trusted.head(path, 0)) === undefined ? [] : [path];
}

function anchorPath(path: string): readonly string[] {
  const plain = normalisePath(path);
  return plain === undefined || plain === '' ? [] : [`/${literalPattern(plain)}`];
}

/** The skills of a root, and any new one; its last part may be a pattern. */
function skillFolder(root: string): string {
  const parts = root.split('/').filter(part => part !== '' && part !== '.');
  const [last = '', ...above] = parts.reverse();
  const folders = above.reverse().map(literalPattern);
  return `/${[...folders, last].join('/')}/**`;
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}
