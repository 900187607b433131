/** Removes an extra call: a conversion, a rounding or a method. */
import { getCall } from '../../languages/language.ts';
import { replace, type Template } from '../template.ts';

export const unwrapCall: Template = {
  id: 'unwrap-call',
  title: 'a call or conversion too many',
  source:
    'TBar FP8 and FP10 (Liu et al. 2019); "Same Function Swap" family of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 0.3,
  *propose({ node, language }) {
    const call = getCall(node);
    if (call === undefined || node.parent?.type === 'expression_statement') return;
    const object = language.types.member.has(call.callee.type)
      ? call.callee.childForFieldName(language.memberFields[0])
      : null;
    if (object !== null) yield replace(node, object.text, call.args.length === 0 ? 1 : 0.3);
    const [only] = call.args;
    if (only !== undefined && call.args.length === 1)
      yield replace(node, only.text, object === null ? 1 : 0.7);
    if (call.args.length > 1) for (const arg of call.args) yield replace(node, arg.text, 0.4);
  },
};
