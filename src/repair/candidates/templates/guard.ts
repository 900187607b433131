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
        return insertBefore(node, text, likelihood);
      };
      if (isFirst || weight >= 0.8)
        for (const [value, likelihood] of valuesFor(site))
          yield leave(`return ${value}`, weight * likelihood * (isFirst ? 0.5 : 0.2));
      if (inLoop) yield* [leave('continue', weight * 0.5), leave('break', weight * 0.3)];
      // or it runs only if the condition holds
      if (/^(expression|return)_statement$/.test(node.type) && !node.text.includes('\n'))
        yield replace(node, language.guard(condition, node.text, indent), weight * 0.4);
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

/** Common neutral values, what functions of the file return, and the parameters: each with its likelihood. */
function valuesFor({
  node,
  language: { tokens },
  names,
  ingredients,
}: Site): ReadonlyMap<string, number> {
  const common = ['0', '1', tokens.no, tokens.yes, '[]', "''", tokens.nothing];
  const own = names(node).filter(n => n.kind === 'parameter' && n.local);
  return new Map([
    ...own.map(n => [n.name, 0.6] as const),
    ...[...ingredients.returned].map(text => [text, 0.5] as const),
    ...common.map(text => [text, 0.7] as const),
  ]);
}
