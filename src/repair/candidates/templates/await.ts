/** Adds a missing `await`, or removes an extra one. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { functionAround, isTarget } from '../scope.ts';
import { type EditProposal, insertAt, joinProposals, replace, type Template } from '../template.ts';

const awaitable = /^(return_statement|variable_declarator|assignment|assignment_expression)$/;

const isAsync = ({ text }: Node) => /^(export\s+|static\s+)*async\b/.test(text);

/** `for (const x of y)` becomes `for await (const x of y)`. */
function* loop(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  const around = functionAround(node, language);
  const word = node.child(0);
  if (around !== undefined && isAsync(around) && word?.text === 'for')
    yield replace(word, 'for await', 0.8);
}

export const awaited: Template = {
  id: 'await',
  title: 'a missing await',
  source:
    'missing await: async bugs of BugsJS (Gyimesi et al. 2019) and of concurrency studies of Node.js (Wang et al. 2017)',
  prior: 0.9,
  *propose({ node, language }) {
    if (/^await(_expression)?$/.test(node.type)) {
      yield replace(node, node.firstNamedChild?.text ?? '', 0.3);
      return;
    }
    if (node.type === 'for_in_statement' && node.child(1)?.text !== 'await')
      yield* loop(node, language);
    const isName = language.types.name.has(node.type) && awaitable.test(node.parent?.type ?? '');
    const isCall = language.types.call.has(node.type);
    if (!(isCall || isName) || isTarget(node) || /^await/.test(node.parent?.type ?? '')) return;
    const around = functionAround(node, language);
    if (around === undefined) return;
    if (!isAsync(around)) {
      // the function itself may have to wait
      if (!isCall || /^(method_definition|lambda)$/.test(around.type)) return;
      const added = [insertAt(around.startIndex, 'async '), insertAt(node.startIndex, 'await ')];
      yield joinProposals(added, 0.1);
      return;
    }
    if (isName) {
      yield replace(node, `await ${node.text}`, 0.4);
      return;
    }
    const inMember =
      language.types.member.has(node.parent?.type ?? '') ||
      language.types.index.has(node.parent?.type ?? '');
    yield replace(node, inMember ? `(await ${node.text})` : `await ${node.text}`, 1);
    if (!/\.map\(|^\[/.test(node.text)) return;
    if (language.name === 'script') yield replace(node, `await Promise.all(${node.text})`, 1);
  },
};
