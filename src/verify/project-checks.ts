/** The type checkers and linters of a project: their commands, and the errors in their output. */
import * as z from 'zod';
import { parseJson } from '../base/schema-issue.ts';
import { shell } from '../process/shell.ts';
import type { CommandEnd } from '../sandbox/sandbox.ts';

/** An error of a tool. */
export interface CheckError {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Name of the rule, such as `TS2322` or `no-undef`. */
  readonly rule: string;
  readonly message: string;
}

export interface ProjectCheck {
  /** Its command for the whole project. */
  readonly command: string;
  /** Errors in the output, with paths as the tool prints them. */
  readonly parse: (output: string) => readonly CheckError[];
}

/** The files of a project, in which its checks are found. */
interface CheckedProject {
  readonly paths: readonly string[];
  /** Text of a file; undefined if it does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
}

interface CheckRow extends ProjectCheck {
  /** Files in the root folder that show that the project uses the tool. */
  readonly configs: RegExp;
  /** A dependency that package.json has to name as well. */
  readonly dependency?: string;
  /** Files that several tools share, each with the section that shows this one. */
  readonly sections?: Readonly<Record<string, RegExp>>;
}

/** The output of each but ruff was recorded from the real tool. */
const rows: readonly CheckRow[] = [
  {
    command: 'tsc --noEmit --pretty false -p .',
    configs: /^tsconfig\.json$/,
    dependency: 'typescript',
    parse: inLines(
      /^(?<path>\S[^(\n]*)\((?<line>\d+),\d+\): error (?<rule>TS\d+): (?<message>.+)$/gm,
    ),
  },
  {
    command: 'eslint --format json .',
    configs: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:json|[cm]?js|ya?ml))?)$/,
    dependency: 'eslint',
    parse: parseEslint,
  },
  {
    command: 'biome lint --reporter=github .',
    configs: /^\.?biome\.jsonc?$/,
    dependency: '@biomejs/biome',
    parse: inLines(
      /^::error title=(?<rule>[^,\n]*),file=(?<path>[^,\n]*),line=(?<line>\d+),[^\n]*?::(?<message>.+)$/gm,
    ),
  },
  {
    command: 'mypy --no-pretty --no-color-output --show-error-codes --hide-error-context .',
    configs: /^\.?mypy\.ini$/,
    sections: { 'pyproject.toml': /^\[tool\.mypy[\].]/m, 'setup.cfg': /^\[mypy\]/m },
    parse: inLines(
      /^(?<path>[^:\r\n\u2028\u2029]+):(?<line>\d+)(?::\d+)?: error: (?<message>.+?) {2}\[(?<rule>[\w-]+)\]$/gm,
    ),
  },
  {
    command: 'ruff check --no-fix --output-format=json .',
    configs: /^\.?ruff\.toml$/,
    sections: { 'pyproject.toml': /^\[tool\.ruff[\].]/m },
    parse: parseRuff,
  },
];

/** The checks of a project whose configuration shows that it uses them. */
export async function detectChecks({
  paths,
  read,
}: CheckedProject): Promise<readonly ProjectCheck[]> {
  const top = new Set(paths.filter(p => !p.includes('/')));
  const readText = async (path: string) => (top.has(path) ? ((await read(path)) ?? '') : '');
  const manifest = await readText('package.json');
  const used = await Promise.all(
    rows.map(async ({ configs, dependency, sections = {} }) => {
      if (dependency !== undefined && !manifest.includes(`"${dependency}"`)) return false;
      if ([...top].some(p => configs.test(p))) return true;
      const shown = Object.entries(sections).map(async ([p, section]) =>
        section.test(await readText(p)),
      );
      return (await Promise.all(shown)).includes(true);
    }),
  );
  return rows.filter((_, i) => used[i]);
}

/** The command as a shell line that prefers the programs of the project to those of the machine. */
export const checkLine = ({ command }: ProjectCheck): string =>
  `${shell.withLocalPrograms}${command}`;

const maxErrors = 500;

/** The errors of a check in files of the project; undefined if it could not run, or failed without one. */
export function errorsIn(
  { parse }: ProjectCheck,
  end: Pick<CommandEnd, 'began' | 'limit' | 'truncated' | 'exitCode' | 'output'>,
  paths: readonly string[],
): readonly CheckError[] | undefined {
  if (!end.began || end.limit !== undefined || end.truncated) return undefined;
  const found = parse(end.output);
  if (found.length === 0 && end.exitCode !== 0) return undefined;
  const longestFirst = paths.toSorted((a, b) => b.length - a.length);
  return found.slice(0, maxErrors).flatMap(error => {
    const printed = error.path.replaceAll('\\', '/');
    const path = longestFirst.find(p => printed === p || printed.endsWith(`/${p}`));
    const { line, rule, message } = error;
    return path === undefined
      ? []
      : [{ path, line, rule: rule.slice(0, 80), message: message.slice(0, 500) }];
  });
}

/** The errors of the head that the base does not have, whatever line they are on there. */
export function newErrors(
  head: readonly CheckError[],
  base: readonly CheckError[],
): readonly CheckError[] {
  const key = ({ path, rule, message }: CheckError) => `${path}\0${rule}\0${message}`;
  const left = Map.groupBy(base, key);
  return head.filter(error => left.get(key(error))?.pop() === undefined);
}

/** A parser for tools that print an error a line; the pattern names the parts. */
function inLines(pattern: RegExp): ProjectCheck['parse'] {
  return output =>
    [...output.matchAll(pattern)].map(({ groups = {} }) => {
      const { path = '', line = '', rule = '', message = '' } = groups;
      return { path, line: Number(line), rule, message };
    });
}

const eslintFiles = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        severity: z.number(),
        line: z.number().optional(),
        ruleId: z.string().nullable(),
        message: z.string(),
      }),
    ),
  }),
);

function parseEslint(output: string): readonly CheckError[] {
  return (readJson(output, eslintFiles) ?? []).flatMap(({ filePath, messages }) =>
    messages
      .filter(m => m.severity === 2)
      .map(({ line = 1, ruleId, message }) => {
        return { path: filePath, line, rule: ruleId ?? 'error', message };
      }),
  );
}

const ruffResult = z.array(
  z.object({
    filename: z.string(),
    code: z.string().nullable(),
    message: z.string(),
    location: z.object({ row: z.number() }),
  }),
);

function parseRuff(output: string): readonly CheckError[] {
  return (readJson(output, ruffResult) ?? []).map(({ filename, code, message, location }) => {
    return { path: filename, line: location.row, rule: code ?? 'syntax', message };
  });
}

/** JSON of a shape in an output that may hold other lines around it; undefined for none. */
function readJson<T>(output: string, shape: z.ZodType<T>): T | undefined {
  const start = output.search(/^[[{]/m);
  const end = Math.max(output.lastIndexOf(']'), output.lastIndexOf('}'));
  return start < 0 ? undefined : shape.safeParse(parseJson(output.slice(start, end + 1))).data;
}
