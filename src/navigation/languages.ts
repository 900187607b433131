/** Which grammar reads a file, and which query finds its definitions. Data. */

/** Function, class, method, interface, type, enum, variable or constant, namespace. */
export type SymbolKind = 'F' | 'C' | 'M' | 'I' | 'T' | 'E' | 'V' | 'N';

export interface Language {
  /** File `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  /** File `assets/queries/<query>.scm`: what defines a name, what is called. */
  readonly query: string;
}

const language = (grammar: string, query = grammar): Language => ({ grammar, query });

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
const cpp = language('cpp');
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

/** Every grammar that the index can ask for. */
export const grammars: readonly string[] = [
  ...new Set(Object.values(byExtension).map(l => l.grammar)),
];

/** The language of a path by its extension, or null; a header with words of C++ in its text is C++. */
export function languageOf(path: string, text = ''): Language | null {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (!Object.hasOwn(byExtension, extension)) return null;
  return extension === 'h' && onlyInCpp.test(text) ? cpp : (byExtension[extension] ?? null);
}

/**
 * Lines that C does not have: what stands under `#ifdef __cplusplus` alone (`extern "C"`) is no sign,
 * a class, template or namespace at the start of a line is, as is a section or a name of the library.
 */
const onlyInCpp =
  /^[ \t]*(class[ \t]+\w[\w \t]*[:{;\n]|template[ \t]*<|(inline[ \t]+)?namespace\b[ \t\w:]*\{?[ \t]*$|using[ \t]+[\w:]+[ \t]*[=;]|using[ \t]+namespace\b|(public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<(algorithm|array|functional|iostream|map|memory|optional|string|string_view|utility|vector)>|(struct|union)[ \t]+\w+[ \t]*(final[ \t]*)?:[^:])/m;
