/** Replaces "and" with "or", and the reverse. */
import { findOperators, replace, type Template } from '../template.ts';

const others: Readonly<Record<string, readonly string[]>> = {
  '&&': ['||'],
  '||': ['&&', '??'],
  '??': ['||', '&&'],
  and: ['or'],
  or: ['and'],
};

export const connective: Template = {
  id: 'connective',
  title: 'another boolean connective',
  source:
    '"Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP11 (Liu et al. 2019)',
  prior: 0.8,
  *propose({ node, language }) {
    if (!language.types.binary.has(node.type)) return;
    for (const [operator, found] of findOperators(node, others))
      for (const [i, other] of found.entries()) yield replace(operator, other, 1 / (i + 1));
  },
};
