import { expect, it } from 'vitest';
import type { Node, Query } from 'web-tree-sitter';
import { languageOf } from '../../src/navigation/languages.ts';
import { parsePatterns } from '../../src/navigation/symbol-patterns.ts';
import { randomOf } from '../seed.ts';
import { forms, shipped, symbols } from './definition-forms.ts';

/** The matches of a query that define or open something, without their order. */
const asSet = (matches: readonly { patternIndex: number; captures: readonly Capture[] }[]) =>
  matches
    .filter(({ captures }) => !captures.some(c => c.name.startsWith('reference.')))
    .map(m => `${m.patternIndex} ${m.captures.map(c => `${c.name} ${c.node.id}`).sort()}`)
    .sort();

interface Capture {
  readonly name: string;
  readonly node: Node;
}

it.each(forms)('the patterns match as a query of tree-sitter would: %s', async (name, text) => {
  const library = await shipped.loadParser();
  const source = await shipped.readQuery(languageOf(name, text)?.query ?? '');
  const patterns = parsePatterns(source);
  const random = randomOf(`patterns of ${name}`);
  const broken = Array.from({ length: 2 }, () => {
    const at = Math.floor(random() * text.length);
    return text.slice(0, at) + text.slice(at + Math.floor(random() * 20));
  });
  let query: Query | null = null;
  for (const each of [text, ...broken])
    await symbols.withTree(name, each, top => {
      const compiled = query ?? new library.Query(top.tree.language, source);
      query = compiled;
      const nodes = [top, ...top.descendantsOfType(top.tree.language.types.filter(Boolean))];
      const others = nodes.filter(node => {
        const expected = compiled.matches(node, { maxStartDepth: 1 });
        return node.isNamed && `${asSet(patterns.matches(node))}` !== `${asSet(expected)}`;
      });
      expect(others.map(String), each).toEqual([]);
    });
});
