/** Deletes a statement. This often only hides a failure, so it ranks low and has a warning. */
import { replace } from '../edit.ts';
import type { Template } from '../template.ts';

export const deleted: Template = {
  id: 'delete',
  title: 'a statement deleted',
  source:
    'GenProg (Weimer et al. 2009); Kali, which shows how often such patches are wrong (Qi et al. 2015)',
  prior: 0.15,
  risk: 'it deletes a statement, which may hide the failure instead of repairing it',
  *propose({ node, language, text }) {
    const { types } = language;
    if (!types.statement.has(node.type) || !types.block.has(node.parent?.type ?? '')) return;
    if (types.function.has(node.type) || /^(class|export|import|try)/.test(node.type)) return;
    if (language.name === 'python' && node.parent?.namedChildCount === 1) {
      yield replace(node, 'pass', 0.5);
      return;
    }
    const start = text.lastIndexOf('\n', node.startIndex - 1) + 1;
    const end = text.indexOf('\n', node.endIndex) + 1 || text.length;
    const alone = text.slice(start, node.startIndex).trim() === '';
    const weight = types.simple.has(node.type) ? 1 : 0.3;
    if (alone) yield { edits: [{ start, end, text: '' }], weight };
    else yield replace(node, language.name === 'python' ? 'pass' : ';', weight);
  },
};
