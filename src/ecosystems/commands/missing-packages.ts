/** Finds what a test command needs that is not installed, by what the files of the project show. */
import { listFirst } from '../../base/plural.ts';
import type { InstalledSoftware } from '../../process/programs.ts';
import { ecosystems } from '../index.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import { listLines } from './ci-tests.ts';
import { listSteps } from './command-files.ts';

interface Machine extends InstalledSoftware {
  /** What a program of the machine prints; undefined if it fails. */
  readonly ask: (program: string, words: readonly string[]) => Promise<string | undefined>;
}

/** Names the program or the packages that are missing; undefined if none is known to be. */
export async function findMissingPackages(
  command: string,
  files: ProjectFiles,
  { hasProgram, exists, ask }: Machine,
): Promise<string | undefined> {
  const written = (await listSteps(command, '', files)).map(({ words }) => words.join(' '));
  const lines = await listLines(command, '', files);
  for (const packages of ecosystems.flatMap(each => each.packages ?? [])) {
    const { starts, program, places, needs, unless } = packages;
    const line = lines.find(text => starts.test(text));
    if (line === undefined) continue;
    if (unless !== undefined && [command, ...written].some(text => unless.test(text))) continue;
    if (!hasProgram(program)) return `"${line}" needs ${program}, which is not on the PATH.`;
    if (places.some(exists)) continue;
    const names = (await needs(files)).slice(0, 200);
    const printed = packages.ask && (await ask(program, [...packages.ask, ...names]));
    const lacking = packages.ask ? (printed ?? '').split(/\s+/).filter(Boolean) : names;
    if (lacking.length > 0)
      return `"${line}" needs packages that are not installed: ${listFirst(lacking, name => name, { most: 5 })}.`;
  }
  return undefined;
}

/** How to install what is missing. */
export const install =
  'Install the packages in a step before Photon, or set setup-command to the command that installs them, and network to setup.';

/** Says which packages a failed run lacks; undefined if it names none but those of the project, which may be the fault itself. */
export function explainMissing(text: string, paths: readonly string[]): string | undefined {
  const files = paths.filter(path => /\.(?:py|rb)$/.test(path));
  const own = new Set(files.flatMap(path => path.slice(0, -3).split('/')));
  const names = ecosystems
    .flatMap(({ missing = [] }) => missing)
    .flatMap(pattern => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const lacking = [...new Set(names)].filter(name => !own.has(name.split(/[./]/)[0] ?? ''));
  if (lacking.length === 0) return undefined;
  const quoted = listFirst(lacking, name => `"${name}"`, { most: 5 });
  return `The ${lacking.length > 1 ? 'packages' : 'package'} ${quoted} ${lacking.length > 1 ? 'are' : 'is'} not installed.`;
}
