/** What an ecosystem finds in a project that a test describes by its files. */
import type { Ecosystem } from '../../src/ecosystems/ecosystem.ts';
import { openProjectFolder } from '../../src/ecosystems/shared/project-files.ts';

/** The commands of each tool that shows in these files, in the order of the table: `tool: command (set-up)`. */
export async function findTools(
  { detection: { configured = [], tools = [], guessed = [] } }: Ecosystem,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const paths = Object.keys(files);
  const has = (path: string) => Object.hasOwn(files, path);
  const folder = openProjectFolder({ paths, has, read: async path => files[path] ?? '' }, '');
  const found: string[] = [];
  for (const { tool, find } of [...configured, ...tools, ...guessed]) {
    const { command, setup, because } = (await find(folder)) ?? {};
    if (command !== undefined) found.push(`${tool}: ${command} (${setup}) by ${because}`);
  }
  return found;
}
