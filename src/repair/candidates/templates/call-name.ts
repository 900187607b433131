/** Replaces a function or member with one that it is easily confused with. */
import { getCall } from '../../languages/language.ts';
import { replace, type Template } from '../template.ts';

export const callName: Template = {
  id: 'call-name',
  title: 'another function or member',
  source:
    '"Wrong Function Name" of ManySStuBs4J (Karampatsis, Sutton 2020); PAR "Method Replacer" (Kim et al. 2013); TBar FP10 (Liu et al. 2019)',
  prior: 0.6,
  *propose({ node, language: { types, memberFields, siblings } }) {
    const isCalled = getCall(node.parent ?? node)?.callee.id === node.id;
    const name = types.member.has(node.type)
      ? node.childForFieldName(memberFields[1])
      : types.name.has(node.type) && isCalled
        ? node
        : null;
    if (name === null) return;
    const others = siblings.filter(group => group.includes(name.text)).flat();
    for (const other of new Set(others)) if (other !== name.text) yield replace(name, other);
  },
};
