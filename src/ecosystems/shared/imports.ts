/** Finds the files of the project that a file imports. Pure. */

const specifiers = [
  /\bfrom\s+['"](\.[^'"]*)['"]/g,
  /\b(?:require|import)\(\s*['"](\.[^'"]*)['"]\s*\)/g,
  /^[ \t]*import\s+['"](\.[^'"]*)['"]/gm,
];

/** The paths of the project that a test imports. */
export function importedBy(
  test: string,
  text: string,
  paths: readonly string[],
): readonly string[] {
  const known = new Set(paths);
  const folder = test.split('/').slice(0, -1);
  const named = specifiers.flatMap(s => [...text.matchAll(s)].map(m => join(folder, m[1] ?? '')));
  const modules = [
    ...text.matchAll(/^[ \t]*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/gm),
  ].flatMap(m => ['', 'src/'].map(root => root + (m[1] ?? m[2] ?? '').replaceAll('.', '/')));
  const endings = [
    '',
    '.js',
    '.ts',
    '.tsx',
    '.jsx',
    '.mjs',
    '.cjs',
    '.py',
    '/index.js',
    '/index.ts',
    '/__init__.py',
  ];
  const found = [...named, ...modules].flatMap(p => [
    // the root folder has no name
    ...endings.map(e => (p + e).replace(/^\//, '')),
    p.replace(/\.js$/, '.ts'),
  ]);
  return [...new Set(found)].filter(p => known.has(p));
}

function join(folder: readonly string[], path: string): string {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
