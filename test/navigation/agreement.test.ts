/** Compares the index with a full parser and with Universal Ctags on the same real sources. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { has, needs } from '../programs.ts';
import { root } from '../root.ts';
import { sample } from '../seed.ts';

const symbols = openSymbols(openShipped(root));

const sources = [
  ['zod', 'node_modules/zod/src', '.ts'],
  ['openai', 'node_modules/openai/src', '.ts'],
  ['vitest', 'node_modules/vitest/dist', '.js'],
  ['lodash', 'node_modules/lodash', '.js'],
  ['express', 'node_modules/express', '.js'],
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

/** The top-level names of a file in the index. */
async function indexed(path: string): Promise<Set<string>> {
  const found = await symbols.listSymbols(path, readFileSync(path, 'utf8'));
  return new Set(found.filter(s => s.container === undefined).map(s => s.name));
}

interface Declaration {
  readonly type: string;
  readonly id?: { readonly name?: string };
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[];
  readonly declaration?: Declaration;
}

/** The top-level declarations that a full parser of the language finds. */
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

/** Names that Universal Ctags finds on unindented lines that begin a declaration. */
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

type Shared = ReturnType<typeof share>;

/** The share of names in one set that the other set has, too, and the missing names. */
function share(of: Map<string, Set<string>>, others: Map<string, Set<string>>) {
  const missing: string[] = [];
  let all = 0;
  for (const [path, names] of of)
    for (const name of names) {
      all += 1;
      if (!others.get(path)?.has(name)) missing.push(`${path.slice(root.length + 1)}: ${name}`);
    }
  return { share: 1 - missing.length / Math.max(1, all), all, missing };
}

describe.each(sample('sources', sources, 1))('the definitions of %s', (name, folder, extension) => {
  /** Writes the differences to a file for readers, except those of Photon's own sources, which change too often. */
  const list = async (other: string, found: Shared, right: Shared) => {
    if (folder === 'src') return;
    const text = [
      `# ${name} beside ${other}: ${found.all} names there, ${right.all} in the index`,
      ...found.missing.map(m => `only there: ${m}`),
      ...right.missing.map(m => `only in the index: ${m}`),
    ].join('\n');
    const file = `differences/${name}-${other.replaceAll(' ', '-')}.txt`;
    await expect(`${text}\n`).toMatchFileSnapshot(file);
  };

  it('are those of a full parser, at the top of each file, to 98 in 100 both ways', async () => {
    const paths = filesOf(folder, extension);
    const mine = new Map<string, Set<string>>();
    for (const path of paths) mine.set(path, await indexed(path));
    const theirs = new Map(paths.map(p => [p, parsed(p)]));
    const [found, right] = [share(theirs, mine), share(mine, theirs)];
    await list('a full parser', found, right);
    expect(found.all).toBeGreaterThan(40);
    expect(found.share, found.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
    expect(right.share, right.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
  });

  it.runIf(has('ctags'))(
    `hold those of Universal Ctags to 98 in 100 ${needs('ctags')}`,
    async () => {
      const paths = filesOf(folder, extension);
      const mine = new Map<string, Set<string>>();
      for (const path of paths) mine.set(path, await indexed(path));
      const found = share(tagged(paths), mine);
      expect(found.share, found.missing.join('\n')).toBeGreaterThanOrEqual(0.98);
    },
  );
});
