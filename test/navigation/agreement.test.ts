/** The index beside other readers of the same real sources: a full parser, and Universal Ctags. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { openLanguageServer } from '../../src/navigation/language-server.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { startProcess } from '../../src/session/process.ts';
import { openShipped } from '../../src/session/shipped.ts';
import { root } from '../harness.ts';

const symbols = openSymbols(openShipped(root));

const sources = [
  ['zod', 'node_modules/zod/src', '.ts'],
  ['openai', 'node_modules/openai/src', '.ts'],
  ['vitest', 'node_modules/vitest/dist', '.js'],
  ['lodash', 'node_modules/lodash', '.js'],
  ['micromark', 'node_modules/micromark', '.js'],
  ['web-tree-sitter', 'node_modules/web-tree-sitter', '.js'],
  ['Photon itself', 'src', '.ts'],
] as const;

function filesOf(folder: string, extension: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => join(root, folder, name))
    .filter(p => p.endsWith(extension) && !p.endsWith('.min.js'))
    .filter(p => statSync(p).isFile() && statSync(p).size < 500_000)
    .sort();
}

/** Names that the index has at the top of a file. */
async function indexed(path: string): Promise<Set<string>> {
  const found = await symbols.symbolsOf(path, readFileSync(path, 'utf8'));
  return new Set(found.filter(s => s.container === undefined).map(s => s.name));
}

interface Declaration {
  readonly type: string;
  readonly id?: { readonly name?: string } | null;
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[];
  readonly declaration?: Declaration | null;
}

/** Names that a full parser of the language finds declared at the top of a file. */
function parsed(path: string): Set<string> {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const namesOf = (node: Declaration): readonly (string | undefined)[] => {
    if (node.declaration) return namesOf(node.declaration);
    if (node.declarations) return node.declarations.map(d => d.id.name);
    return /Declaration$/.test(node.type) ? [node.id?.name] : [];
  };
  const names = (program.body as readonly Declaration[]).flatMap(namesOf);
  return new Set(names.filter(n => n !== undefined));
}

/** Names that a file has from others, or gives on to others. */
function imported(path: string): Set<string> {
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  const names = [
    ...module.staticImports.flatMap(i => i.entries.map(e => e.localName.value)),
    ...module.staticExports
      .flatMap(e => e.entries)
      .flatMap(e =>
        e.moduleRequest === null && e.exportName.name === e.localName.name
          ? []
          : [e.exportName.name],
      ),
  ];
  return new Set(names.filter(n => n !== null && n !== undefined));
}

/** Names that Universal Ctags finds on lines that begin a declaration at the left border. */
function tagged(paths: readonly string[]): Map<string, Set<string>> {
  const options = ['--output-format=json', '--fields=+nKs', '-f', '-', '-L', '-'];
  const out = execFileSync('ctags', options, {
    input: paths.join('\n'),
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const kinds = /^(function|generator|class|interface|enum)$/;
  const found = new Map(paths.map(p => [p, new Set<string>()]));
  for (const line of out.split('\n').filter(Boolean)) {
    const tag = JSON.parse(line) as { path: string; name: string; kind: string; pattern: string };
    const text = tag.pattern.replace(/^\/\^/, '');
    if (
      kinds.test(tag.kind) &&
      /^(export |default |async |abstract |declare )*(function|class|interface|enum)\b/.test(text)
    )
      found.get(tag.path)?.add(tag.name);
  }
  return found;
}

/** Share of names in one set of files that the other has, too; those that it has not. */
function share(of: Map<string, Set<string>>, others: Map<string, Set<string>>) {
  const missing: string[] = [];
  let all = 0;
  for (const [path, names] of of)
    for (const name of names) {
      all += 1;
      if (!others.get(path)?.has(name)) missing.push(`${path.slice(root.length + 1)}: ${name}`);
    }
  return { share: 1 - missing.length / Math.max(1, all), all, missing: missing.slice(0, 40) };
}

describe.each(sources)('the definitions of %s', (_name, folder, extension) => {
  it('are those of a full parser, at the top of each file, to 98 in 100 both ways', async () => {
    const paths = filesOf(folder, extension);
    const mine = new Map<string, Set<string>>();
    for (const path of paths) mine.set(path, await indexed(path));
    const theirs = new Map(paths.map(p => [p, parsed(p)]));
    const [found, right] = [share(theirs, mine), share(mine, theirs)];
    expect(found.all).toBeGreaterThan(40);
    expect(found.share, found.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
    expect(right.share, right.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
  });

  it.runIf(extension === '.ts')(
    "hold those of TypeScript's own language server to 98 in 100 both ways",
    async () => {
      const paths = filesOf(folder, extension).slice(0, 150);
      const server = await openLanguageServer({
        ...{ name: 'tsc', root: join(root, folder), initializationOptions: {} },
        running: startProcess({
          argv: [
            process.execPath,
            join(root, 'node_modules/typescript/bin/tsc'),
            '--lsp',
            '--stdio',
          ],
          ...{ cwd: root, env: { PATH: process.env.PATH ?? '' } },
        }),
        languageOf: () => 'typescript',
        limits: { startMs: 60_000, answerMs: 60_000, reportMs: 1000 },
      });
      const [mine, theirs] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
      for (const path of paths) {
        const name = path.slice(join(root, folder).length + 1);
        server.show(new Map([[name, readFileSync(path, 'utf8')]]));
        // an import, a call or an `export` alone is a symbol there, and no definition
        const foreign = imported(path);
        const named = (await server.topSymbols(name)).filter(
          n => /^[\w$]+$/.test(n) && n !== 'default' && !foreign.has(n),
        );
        theirs.set(path, new Set(named));
        mine.set(path, await indexed(path));
      }
      await server.close();
      const [found, right] = [share(theirs, mine), share(mine, theirs)];
      expect(found.all).toBeGreaterThan(40);
      expect(found.share, found.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
      expect(right.share, right.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
    },
  );

  it('hold those of Universal Ctags to 98 in 100 (apt-get install universal-ctags)', async () => {
    const paths = filesOf(folder, extension);
    const mine = new Map<string, Set<string>>();
    for (const path of paths) mine.set(path, await indexed(path));
    const found = share(tagged(paths), mine);
    expect(found.share, found.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
  });
});
