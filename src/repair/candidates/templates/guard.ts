/** Adds a missing guard or base case: `if (…) return …` before a statement, `if (…) continue` in a loop. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import type { EditProposal } from '../edit.ts';
import { predicatesFor } from '../predicates.ts';
import { functionAround } from '../scope.ts';
import type { Site, Template } from '../template.ts';

const risk = 'it adds a special case before the code that fails';

export const guard: Template = {
  id: 'guard',
  title: 'a missing guard or base case',
  source:
    'PAR "Null Pointer Checker", "Range Checker", "Collection Size Checker" (Kim et al. 2013); TBar FP2 and FP4 (Liu et al. 2019); conditional control flow of SPR (Long, Rinard 2015)',
  prior: 0.25,
  *propose(site) {
    const { node, language } = site;
    if (
      !language.types.statement.has(node.type) ||
      !language.types.block.has(node.parent?.type ?? '')
    )
      return;
    const around = functionAround(node, language);
    if (around === undefined || language.types.function.has(node.type)) return;
    const isFirst = isFirstStatement(node, around, language);
    const inLoop = language.types.loop.has(node.parent?.parent?.type ?? '');
    const predicates = predicatesFor(node, site);
    for (const predicate of predicates) {
      if (isFirst || predicate.weight >= 0.8)
        for (const value of valuesFor(site))
          yield before(node, language, {
            condition: predicate.text,
            statement: `return ${value.text}`,
            weight: predicate.weight * value.weight * (isFirst ? 0.5 : 0.2),
          });
      if (inLoop) {
        yield before(node, language, {
          condition: predicate.text,
          statement: 'continue',
          weight: predicate.weight * 0.5,
        });
        yield before(node, language, {
          condition: predicate.text,
          statement: 'break',
          weight: predicate.weight * 0.3,
        });
      }
      const around = wrapped(node, language, predicate.text);
      if (around !== undefined) yield { ...around, weight: predicate.weight * 0.4 };
    }
  },
};

function isFirstStatement(node: Node, around: Node, language: LanguageAdapter): boolean {
  const body = language.getBody(around);
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

interface Guarding {
  readonly condition: string;
  readonly statement: string;
  readonly weight: number;
}

function before(
  node: Node,
  language: LanguageAdapter,
  { condition, statement, weight }: Guarding,
): EditProposal {
  const indent = ' '.repeat(node.startPosition.column);
  const text = language.guard(condition, `${statement}${language.tokens.end}`, indent);
  return {
    edits: [{ start: node.startIndex, end: node.startIndex, text: `${text}\n${indent}` }],
    weight,
    risk,
  };
}

/** Runs the statement only if a condition holds. */
function wrapped(
  node: Node,
  language: LanguageAdapter,
  condition: string,
): EditProposal | undefined {
  if (node.type !== 'expression_statement' && node.type !== 'return_statement') return undefined;
  if (node.text.includes('\n')) return undefined;
  const indent = ' '.repeat(node.startPosition.column);
  const text = language.guard(condition, node.text, indent);
  return { edits: [{ start: node.startIndex, end: node.endIndex, text }], weight: 1, risk };
}
