/** The type checker and the linter of a project: their commands, and the errors in their output. Pure. */

/** An error of a tool. */
export interface CheckError {
  readonly path: string;
  readonly line: number;
  /** Name of the rule, such as `TS2322` or `no-undef`. */
  readonly rule: string;
  readonly message: string;
}

export interface ProjectCheck {
  readonly command: string;
  readonly parse: (output: string, paths: readonly string[]) => readonly CheckError[];
}

const eslintConfigs = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:json|[cm]?js|ya?ml))?)$/;

/** The checks of a project whose files show that it uses them. */
export function checksOf(paths: readonly string[], manifest: string): readonly ProjectCheck[] {
  const uses = (name: string) => manifest.includes(`"${name}"`);
  return [
    ...(paths.includes('tsconfig.json') && uses('typescript')
      ? [{ command: 'node_modules/.bin/tsc --noEmit --pretty false -p .', parse: parseTsc }]
      : []),
    ...(paths.some(p => eslintConfigs.test(p)) && uses('eslint')
      ? [{ command: 'node_modules/.bin/eslint --format json .', parse: parseEslint }]
      : []),
  ];
}

const maxErrors = 500;

/** `src/a.ts(3,7): error TS2322: Type …` */
function parseTsc(output: string, paths: readonly string[]): readonly CheckError[] {
  const known = new Set(paths);
  return [...output.matchAll(/^(\S[^(\n]*)\((\d+),\d+\): error (TS\d+): (.+)$/gm)]
    .slice(0, maxErrors)
    .map(([, path = '', line, rule = '', message = '']) => {
      return { path, line: Number(line), rule, message: message.slice(0, 500) };
    })
    .filter(e => known.has(e.path));
}

interface EslintFile {
  readonly filePath?: unknown;
  readonly messages?: unknown;
}

function parseEslint(output: string, paths: readonly string[]): readonly CheckError[] {
  let files: unknown;
  try {
    files = JSON.parse(output.slice(output.indexOf('[')));
  } catch {
    return [];
  }
  if (!Array.isArray(files)) return [];
  const found = (files as readonly (EslintFile | null)[]).flatMap(file => {
    const { filePath, messages } = file ?? {};
    const path = paths.find(p => typeof filePath === 'string' && filePath.endsWith(`/${p}`));
    return path === undefined || !Array.isArray(messages)
      ? []
      : messages.flatMap(m => errorOf(path, m));
  });
  return found.slice(0, maxErrors);
}

function errorOf(path: string, found: unknown): readonly CheckError[] {
  const { severity, line, ruleId, message } = (found ?? {}) as Record<string, unknown>;
  if (severity !== 2 || typeof line !== 'number' || typeof message !== 'string') return [];
  const rule = typeof ruleId === 'string' ? ruleId.slice(0, 80) : 'error';
  return [{ path, line, rule, message: message.slice(0, 500) }];
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
