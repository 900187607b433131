/** The form of a row of the detection table, and the search for what shows a tool. Pure. */
import type { ProjectFolder } from './project-files.ts';

/** A tool that runs tests. */
export interface ToolRow {
  readonly tool: string;
  /** Languages; absent for those in the name of the ecosystem. */
  readonly ecosystem?: string;
  /** What shows the tool, in words, for the documentation. */
  readonly shownBy: string;
  /** Undefined if the folder does not show the tool. */
  readonly find: (folder: ProjectFolder) => Promise<Commands | undefined>;
}

/** The CI of the project, which runs the same tests. */
export interface Witness {
  /** The file of the CI. */
  readonly file: string;
  /** The command that it runs. */
  readonly line: string;
  /** Names of services, such as `postgres`. */
  readonly services: readonly string[];
  /** Entries of the setting `services`, as far as they are known. */
  readonly ports?: readonly string[] | undefined;
}

/** `as ci.yml runs it`, or the command that CI runs in its place. */
export function describeWitness({ file, line }: Witness, command: string): string {
  const name = file.split('/').at(-1);
  return line === command ? `as ${name} runs it` : `${name} runs "${line.slice(0, 200)}"`;
}

/** The commands of a tool in one folder. */
export interface Commands {
  /** A shell line that runs the tests. */
  readonly command: string;
  /** A shell line that installs or builds what the tests need; empty for none. */
  readonly setup: string;
  /** The file that shows the tool. */
  readonly because: string;
}

/**
 * A file by its name, by a pattern over the paths of the folder, or by its name and a pattern over its text. A
 * second pattern has to match after the first.
 */
export type Sign = string | RegExp | readonly [string, RegExp, RegExp?];

/** A row that needs no code. */
interface PlainRow extends Omit<ToolRow, 'find'> {
  /** Any of these shows the tool. */
  readonly signs: readonly Sign[];
  /** One of these has to be there, too. */
  readonly also?: readonly Sign[];
  /** None of these may be there. */
  readonly unless?: readonly Sign[];
  readonly command: string;
  readonly setup?: string;
  /** The set-up command by the lock file or wrapper that is there; `setup` otherwise. */
  readonly setups?: Readonly<Record<string, string>>;
  /** The command by the wrapper that is there. */
  readonly commands?: Readonly<Record<string, string>>;
}

/** A row of plain data as a row of the table. */
export function plainRow({ tool, ecosystem, shownBy, ...row }: PlainRow): ToolRow {
  const { command, setup = '', setups = {}, commands = {} } = row;
  const find = async (folder: ProjectFolder): Promise<Commands | undefined> => {
    const because = await findSign(folder, row.signs);
    if (because === undefined) return undefined;
    if (row.also !== undefined && (await findSign(folder, row.also)) === undefined)
      return undefined;
    if (row.unless !== undefined && (await findSign(folder, row.unless)) !== undefined)
      return undefined;
    const byFile = (lines: Readonly<Record<string, string>>, otherwise: string) =>
      Object.entries(lines).find(([name]) => folder.has(name))?.[1] ?? otherwise;
    return { command: byFile(commands, command), setup: byFile(setups, setup), because };
  };
  return { tool, ecosystem, shownBy, find };
}

/** The first file that shows one of the signs, in their order, or undefined. */
export async function findSign(
  folder: ProjectFolder,
  signs: readonly Sign[],
): Promise<string | undefined> {
  for (const sign of signs) {
    if (typeof sign === 'string') {
      if (folder.has(sign)) return sign;
    } else if (sign instanceof RegExp) {
      const path = folder.paths.find(p => sign.test(p));
      if (path !== undefined) return path;
    } else {
      const [path, pattern, after] = sign;
      const text = (await folder.read(path)) ?? '';
      const at = text.search(pattern);
      if (at >= 0 && (after === undefined || after.test(text.slice(at)))) return path;
    }
  }
  return undefined;
}
