/** Replaces a function or member with a similar one, or with another that the same object is used with. */
import { getCall } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import { replace, type Site, type Template } from '../template.ts';
import { likeness } from '../test-values.ts';

/** How much a name has in common with the one that an interpreter did not find, if it was misspelt. */
const leastLikeness = 0.6;

export const callName: Template = {
  id: 'call-name',
  title: 'another function or member',
  source:
    '"Wrong Function Name" of ManySStuBs4J (Karampatsis, Sutton 2020); PAR "Method Replacer" (Kim et al. 2013); TBar FP10 (Liu et al. 2019)',
  prior: 0.6,
  *propose({ node, language, ingredients, names, missing }: Site) {
    const isMember = language.types.member.has(node.type);
    const called = getCall(node.parent ?? node)?.callee.id === node.id;
    const isPlain = language.types.name.has(node.type) && called;
    if (!isMember && !isPlain) return;
    const name = isMember ? node.childForFieldName(language.memberFields[1]) : node;
    const object = isMember ? (node.childForFieldName(language.memberFields[0])?.text ?? '') : '';
    if (name === null) return;
    const seen = new Set([name.text]);
    for (const group of language.siblings) {
      if (!group.includes(name.text)) continue;
      for (const other of group)
        if (!seen.has(other)) {
          seen.add(other);
          yield replace(name, other, 1);
        }
    }
    if (missing.has(name.text)) {
      const known = [...(ingredients.members.get('') ?? []), ...ingredients.functions.keys()];
      for (const other of known) {
        const like = likeness(name.text, other);
        if (like >= leastLikeness && !seen.has(other) && seen.add(other))
          yield replace(name, other, like);
      }
    }
    if (!isMember) return;
    for (const other of ingredients.members.get(object) ?? [])
      if (!seen.has(other) && seen.add(other)) yield replace(name, other, 0.6);
    if (!called)
      for (const other of ingredients.members.get('') ?? [])
        if (!seen.has(other) && seen.add(other)) yield replace(name, other, 0.25);
    const owner = node.childForFieldName(language.memberFields[0]);
    if (owner !== null && language.types.name.has(owner.type))
      for (const { name } of localVariables(names(node)))
        if (!called && name !== object) yield replace(node, name, 0.1);
  },
};
