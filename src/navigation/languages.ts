/** The grammar and the query for each file extension. Data. */

/** Function, class, method, interface, type, enum, variable or constant, namespace. */
export type SymbolKind = 'F' | 'C' | 'M' | 'I' | 'T' | 'E' | 'V' | 'N';

export interface Language {
  /** File `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  /** Files `assets/queries/<query>.scm`, which find definitions together: what the first ones find counts. */
  readonly queries: readonly string[];
}

const language = (grammar: string, ...queries: readonly string[]): Language => ({
  grammar,
  queries: queries.length === 0 ? [grammar] : queries,
});

const javascript = language('javascript');
const typescript = language('typescript');
const tsx = language('tsx', 'typescript');
const python = language('python');
const go = language('go');
const rust = language('rust');
const java = language('java');
const kotlin = language('kotlin');
const swift = language('swift');
const ruby = language('ruby');
const php = language('php');
const bash = language('bash');
const c = language('c');
const cpp = language('cpp', 'cpp', 'c');
const csharp = language('c-sharp');

const byExtension: Readonly<Record<string, Language>> = {
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: javascript,
  ts: typescript,
  mts: typescript,
  cts: typescript,
  tsx,
  py: python,
  pyi: python,
  go,
  rs: rust,
  java,
  rb: ruby,
  rake: ruby,
  php,
  sh: bash,
  bash,
  c,
  h: c,
  cc: cpp,
  cpp,
  cxx: cpp,
  hh: cpp,
  hpp: cpp,
  hxx: cpp,
  cs: csharp,
  kt: kotlin,
  kts: kotlin,
  swift,
};

/** Every grammar that the index uses. */
export const grammars: readonly string[] = [
  ...new Set(Object.values(byExtension).map(l => l.grammar)),
];

/** The language of a path by its extension, or undefined. A header is C++ if its text shows it. */
export function detectLanguage(path: string, text = ''): Language | undefined {
  const extension = getExtension(path);
  if (!Object.hasOwn(byExtension, extension)) return undefined;
  return extension === 'h' && onlyInCpp.some(line => line.test(text))
    ? cpp
    : byExtension[extension];
}

/** The extension of a path in lower case; empty if it has none. */
export function getExtension(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Lines that only C++ has. `extern "C"` is no sign of it: C headers hold it behind `#ifdef __cplusplus`. */
const onlyInCpp: readonly RegExp[] = [
  /^[ \t]*class[ \t]+\w[\w \t]*[:{;\n]/m,
  /^[ \t]*template[ \t]*</m,
  /^[ \t]*(inline[ \t]+)?namespace\b[ \t\w:]*\{?[ \t]*$/m,
  /^[ \t]*using[ \t]+[\w:]+[ \t]*[=;]/m,
  /^[ \t]*using[ \t]+namespace\b/m,
  /^[ \t]*(public|private|protected)[ \t]*:/m,
  /^[ \t]*#[ \t]*include[ \t]*<(algorithm|array|functional|iostream|map|memory)>/m,
  /^[ \t]*#[ \t]*include[ \t]*<(optional|string|string_view|utility|vector)>/m,
  /^[ \t]*(struct|union)[ \t]+\w+[ \t]*(final[ \t]*)?:[^:]/m,
];
