/** Changes the control flow: break or continue, if or while, swapped branches, in or of. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import {
  type EditProposal,
  exchange,
  insertAt,
  joinProposals,
  replace,
  replaceRange,
  type Template,
} from '../template.ts';

export const flow: Template = {
  id: 'flow',
  title: 'another way of control',
  source:
    'control flow mutation: TBar FP6 and FP12 (Liu et al. 2019); SPR abort and control insertion (Long, Rinard 2015); loop bugs of QuixBugs (Lin et al. 2017)',
  prior: 0.4,
  *propose({ node, language, text }) {
    const word = node.child(0);
    if (word === null) return;
    if (/^(break|continue)_statement$/.test(node.type)) {
      const other = word.text === 'break' ? 'continue' : 'break';
      yield replace(word, other, 1);
      return;
    }
    if (node.type === 'if_statement' && node.childForFieldName('alternative') === null)
      yield replace(word, 'while', 0.7);
    if (node.type === 'while_statement') yield replace(word, 'if', 0.3);
    if (node.type === 'elif_clause') yield replace(word, 'if', 0.8);
    if (node.type === 'else_clause' && node.firstNamedChild?.type === 'if_statement')
      yield replaceRange([word.startIndex, node.firstNamedChild.startIndex], '', 0.6);
    if (node.type === 'if_statement') yield* joinIfs(node, text, language);
    for (const child of node.type === 'for_in_statement' ? node.children : [])
      if (child !== null && /^(in|of)$/.test(child.type))
        yield replace(child, child.type === 'in' ? 'of' : 'in', 1);
    yield* branches(node);
    yield* earlier(node);
  },
};

/** Turns two ifs in a row into if and else-if. */
function* joinIfs(node: Node, text: string, language: LanguageAdapter): Iterable<EditProposal> {
  const before = node.previousNamedSibling;
  if (before?.type !== 'if_statement' || before.childForFieldName('alternative') !== null) return;
  if (text.slice(before.endIndex, node.startIndex).trim() !== '') return;
  const word = language.name === 'python' ? 'el' : 'else ';
  yield insertAt(node.startIndex, word, 0.6);
}

/** Swaps the two branches of a decision. */
function* branches(node: Node): Iterable<EditProposal> {
  const isTernary = node.type === 'ternary_expression';
  if (!isTernary && node.type !== 'conditional_expression') return;
  const yes = isTernary ? node.childForFieldName('consequence') : node.namedChild(0);
  const no = isTernary ? node.childForFieldName('alternative') : node.namedChild(2);
  if (yes === null || no === null) return;
  yield exchange(yes, no, 0.6);
  yield* [replace(node, yes.text, 0.3), replace(node, no.text, 0.3)];
}

/**
 * Asks the condition of the next branch first: exchanges two branches with their conditions. Tests run the condition in front,
 * and perhaps not the one behind it.
 */
function* earlier(node: Node): Iterable<EditProposal> {
  const [before, own] = [branchParts(node), branchParts(findNextBranch(node))];
  if (before === undefined || own === undefined) return;
  const conditions = exchange(before.condition, own.condition);
  yield joinProposals([conditions, exchange(before.block, own.block)], 1);
}

function branchParts(node: Node | null) {
  const block = node?.childForFieldName('consequence');
  const condition = node?.childForFieldName('condition');
  return block && condition ? { block, condition } : undefined;
}

/** The branch that is tried when the condition of this one is false, if it has a condition. */
function findNextBranch(node: Node): Node | null {
  if (node.type === 'if_statement') {
    const next = node.childForFieldName('alternative');
    return next?.type === 'else_clause' ? (next.firstNamedChild ?? null) : next;
  }
  return node.type === 'elif_clause' ? node.nextNamedSibling : null;
}
