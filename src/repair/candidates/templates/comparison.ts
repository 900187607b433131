/** Replaces a comparison operator with another one. */
import { findOperators, replace, type Template } from '../template.ts';

/** The operators with which each is confused, most likely first. */
const order = {
  '<': ['<=', '>', '>='],
  '<=': ['<', '>=', '>'],
  '>': ['>=', '<', '<='],
  '>=': ['>', '<=', '<'],
};

const script: Readonly<Record<string, readonly string[]>> = {
  ...order,
  '==': ['===', '!=', '<=', '>='],
  '===': ['!==', '<=', '>=', '<', '>'],
  '!=': ['!==', '==', '<', '>'],
  '!==': ['===', '<', '>'],
  in: ['instanceof'],
  instanceof: ['in'],
};

const python: Readonly<Record<string, readonly string[]>> = {
  ...order,
  '==': ['!=', '<=', '>=', '<', '>', 'is', 'in'],
  '!=': ['==', '<', '>', 'is not'],
  is: ['is not', '=='],
  'is not': ['is', '!='],
  in: ['not in', '=='],
  'not in': ['in', '!='],
};

const weights = [1, 0.5, 0.4, 0.25, 0.2];

export const comparison: Template = {
  id: 'comparison',
  title: 'another comparison operator',
  source:
    'operator mutation: PAR (Kim et al. 2013); TBar FP11 (Liu et al. 2019); "Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 1,
  *propose({ node, language }) {
    if (!language.types.binary.has(node.type)) return;
    const table = language.name === 'python' ? python : script;
    // code that asks whether a value is a text does not mean the order of texts
    const isText = node.namedChildren.some(c => c !== null && language.types.text.has(c.type));
    for (const [operator, others] of findOperators(node, table))
      for (const [i, other] of others.entries())
        if (!isText || /^[<>]/.test(operator.type) || !/^[<>]/.test(other))
          yield replace(operator, other, weights[i]);
  },
};
