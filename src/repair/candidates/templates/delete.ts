/** Deletes a statement. This often only hides a failure, so it ranks low and has a warning. */
import { isInBlock, removeLine, replace, type Template } from '../template.ts';

export const deleted: Template = {
  id: 'delete',
  title: 'a statement deleted',
  source:
    'GenProg (Weimer et al. 2009); Kali, which shows how often such patches are wrong (Qi et al. 2015)',
  prior: 0.15,
  risk: 'it deletes a statement, which may hide the failure instead of repairing it',
  *propose({ node, language, text }) {
    const { types } = language;
    if (!isInBlock(node, language)) return;
    if (types.function.has(node.type) || /^(class|export|import|try)/.test(node.type)) return;
    if (language.name === 'python' && node.parent?.namedChildCount === 1) {
      yield replace(node, 'pass', 0.5);
      return;
    }
    const weight = types.simple.has(node.type) ? 1 : 0.3;
    const removal = removeLine(node, text);
    yield removal === undefined
      ? replace(node, language.name === 'python' ? 'pass' : ';', weight)
      : { edits: [removal], weight };
  },
};
