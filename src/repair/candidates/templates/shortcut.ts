/** Counts a name up or down where it is used: `i` becomes `++i` or `i++`. */
import type { Node } from 'web-tree-sitter';
import { isMemberName } from '../ingredients.ts';
import { functionAround } from '../scope.ts';
import { replace, type Template } from '../template.ts';
import { isCounted } from './update.ts';

const places =
  /^(arguments|subscript_expression|binary_expression|assignment_expression|return_statement|parenthesized_expression)$/;

export const shortcut: Template = {
  id: 'shortcut',
  title: 'a count up or down where a name is used',
  source:
    'short-cut operators, inserted and deleted: AOIS and AODS of MuJava (Ma, Offutt, Kwon 2005); TBar FP9 (Liu et al. 2019)',
  prior: 0.3,
  *propose({ node, language, names }) {
    if (language.name !== 'script') return;
    const { parent } = node;
    if (node.type === 'update_expression' && parent !== null && places.test(parent.type)) {
      const name = node.childForFieldName('argument')?.text ?? '';
      const sign = node.text.includes('++') ? '++' : '--';
      const other = node.text.startsWith(sign) ? name + sign : sign + name;
      yield replace(node, other, 1);
      yield replace(node, name, 0.8);
    }
    if (node.type !== 'identifier' || parent === null || !places.test(parent.type)) return;
    if (isMemberName(node, language)) return;
    const own = names(node).find(n => n.name === node.text);
    if (own?.local !== true || own.kind === 'function') return;
    // only what the function counts anyway
    if (!isCounted(own.name, functionAround(node, language)?.text ?? '')) return;
    const risk = drivesLoop(node) ? skips : undefined;
    for (const [i, text] of [
      `++${node.text}`,
      `${node.text}++`,
      `--${node.text}`,
      `${node.text}--`,
    ].entries())
      yield { ...replace(node, text, i < 2 ? 0.8 : 0.5), risk };
  },
};

const skips = 'it moves the counter of the loop around it, so the loop skips or repeats an element';

/** True for the counter of a loop around, which the head of the loop moves already. */
function drivesLoop(node: Node): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    const moved = at.type === 'for_statement' ? at.childForFieldName('increment') : null;
    if (moved?.childForFieldName('argument')?.text === node.text) return true;
  }
  return false;
}
