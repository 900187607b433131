/** Adds a missing guard or base case: `if (…) return …` before a statement, `if (…) continue` in a loop. */
import type { Node } from 'web-tree-sitter';
import { predicatesFor } from '../predicates.ts';
import {
  type EditProposal,
  functionOfStatement,
  getIndent,
  insertBefore,
  replace,
  type Site,
  type Template,
} from '../template.ts';

const risk = 'it adds a special case before the code that fails';

export const guard: Template = {
  id: 'guard',
  title: 'a missing guard or base case',
  source:
    'PAR "Null Pointer Checker", "Range Checker", "Collection Size Checker" (Kim et al. 2013); TBar FP2 and FP4 (Liu et al. 2019); conditional control flow of SPR (Long, Rinard 2015)',
  prior: 0.25,
  *propose(site) {
    const { node, language } = site;
    const around = functionOfStatement(node, language);
    if (around === undefined || language.types.function.has(node.type)) return;
    const isFirst = isFirstStatement(node, around);
    const inLoop = language.types.loop.has(node.parent?.parent?.type ?? '');
    const indent = getIndent(node);
    for (const { text: condition, weight } of predicatesFor(node, site)) {
      const leave = (statement: string, likelihood: number): EditProposal => {
        const text = language.guard(condition, `${statement}${language.tokens.end}`, indent);
        return { ...insertBefore(node, text, likelihood), risk };
      };
      if (isFirst || weight >= 0.8)
        for (const value of valuesFor(site))
          yield leave(`return ${value.text}`, weight * value.weight * (isFirst ? 0.5 : 0.2));
      if (inLoop) yield* [leave('continue', weight * 0.5), leave('break', weight * 0.3)];
      // or it runs only if the condition holds
      if (/^(expression|return)_statement$/.test(node.type) && !node.text.includes('\n'))
        yield {
          ...replace(node, language.guard(condition, node.text, indent), weight * 0.4),
          risk,
        };
    }
  },
};

function isFirstStatement(node: Node, around: Node): boolean {
  const body = around.childForFieldName('body');
  const first = body?.namedChildren.find(
    c => c !== null && c.type !== 'comment' && !/^"""|^'''/.test(c.text),
  );
  return first?.id === node.id;
}

/** Values that the function returns elsewhere, its parameters, and common neutral values. */
function valuesFor({
  node,
  language,
  names,
  ingredients,
}: Site): readonly { text: string; weight: number }[] {
  const { tokens } = language;
  const seen = new Set<string>();
  const own = names(node)
    .filter(n => n.kind === 'parameter' && n.local)
    .map(n => n.name);
  const others = ingredients.statements
    .filter(s => s.text.startsWith('return ') && s.text.length < 30)
    .map(s => s.text.slice('return '.length).replace(/;$/, ''));
  return [
    ...['0', '1', tokens.no, tokens.yes, '[]', "''", tokens.nothing].map(text => ({
      text,
      weight: 0.7,
    })),
    ...others.filter(t => /^[-\w'"[\]{}.]+$/.test(t)).map(text => ({ text, weight: 0.5 })),
    ...own.map(text => ({ text, weight: 0.6 })),
  ].filter(({ text }) => !seen.has(text) && seen.add(text));
}
