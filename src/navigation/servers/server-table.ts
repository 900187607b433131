/** The supported language servers, and the languages of each. Data. */

export interface ServerEntry {
  /** Name of the program, searched in the project, then on the PATH. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** `initializationOptions` of the protocol. */
  readonly options?: object;
  /** A file of the project that shows that this program is not a server there. */
  readonly unless?: string;
  /** Language identifier of the protocol by extension. */
  readonly languages: Readonly<Record<string, string>>;
}

const script = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
};
const c = { c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', hxx: 'cpp' };

/** The first installed server for an extension is used. */
export const serverTable: readonly ServerEntry[] = [
  {
    program: 'tsc', // TypeScript 7 and later
    arguments: ['--lsp', '--stdio'],
    unless: 'node_modules/typescript/lib/tsserver.js',
    languages: script,
  },
  {
    program: 'typescript-language-server',
    arguments: ['--stdio'],
    // its syntax server replies before it has read the project, from open files only
    options: { tsserver: { useSyntaxServer: 'never' } },
    languages: script,
  },
  {
    program: 'pyright-langserver',
    arguments: ['--stdio'],
    languages: { py: 'python', pyi: 'python' },
  },
  { program: 'gopls', arguments: [], languages: { go: 'go' } },
  { program: 'rust-analyzer', arguments: [], languages: { rs: 'rust' } },
  { program: 'clangd', arguments: [], languages: c },
  { program: 'jdtls', arguments: [], languages: { java: 'java' } },
  { program: 'ruby-lsp', arguments: [], languages: { rb: 'ruby', rake: 'ruby' } },
];

/** The extension of a path in lower case; empty if it has none. */
export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
