/** Replaces an operator with one that it is confused with: a comparison, a boolean connective, or arithmetic, also in assignments. */
import { findOperators, replace, type Template } from '../template.ts';

/** For each operator those that it is confused with, likeliest first. */
type Confused = Readonly<Record<string, readonly string[]>>;

const order: Confused = {
  '<': ['<=', '>', '>='],
  '<=': ['<', '>=', '>'],
  '>': ['>=', '<', '<='],
  '>=': ['>', '<=', '<'],
};

const sums: Confused = {
  '+': ['-', '*', '%'],
  '-': ['+', '*', '/', '%'],
  '*': ['/', '+', '**', '-', '%'],
  '%': ['/', '*', '-', '+'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-=', '*=', '='],
  '-=': ['+=', '/=', '='],
  '*=': ['+=', '/=', '**='],
  '/=': ['*=', '-='],
  '%=': ['/=', '-='],
  '|=': ['&=', '^=', '+='],
  '&=': ['|=', '^='],
  '^=': ['|=', '&='],
};

/** Node types that hold such an operator; in others, `<` and `in` mean something else. */
const holders =
  /^(?:binary_(?:expression|operator)|comparison_operator|boolean_operator|augmented_assignment(?:_expression)?|update_expression)$/;

interface Exchange extends Pick<Template, 'id' | 'title' | 'source' | 'prior'> {
  readonly script: Confused;
  readonly python: Confused;
}

/** A template that exchanges the operators of its tables. */
function exchangeOperators({ script, python, ...about }: Exchange): Template {
  const tables = { script, python };
  return {
    ...about,
    *propose({ node, language }) {
      if (!holders.test(node.type)) return;
      // code that asks whether a value is a text does not mean the order of texts
      const isText = node.namedChildren.some(c => c !== null && language.types.text.has(c.type));
      for (const [operator, others] of findOperators(node, tables[language.name]))
        for (const [i, other] of others.entries())
          if (!isText || /^[<>]/.test(operator.type) || !/^[<>]/.test(other))
            yield replace(operator, other, 1 / (i + 1));
    },
  };
}

export const comparison = exchangeOperators({
  id: 'comparison',
  title: 'another comparison operator',
  source:
    'operator mutation: PAR (Kim et al. 2013); TBar FP11 (Liu et al. 2019); "Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 1,
  script: {
    ...order,
    '==': ['===', '!=', '<=', '>='],
    '===': ['!==', '<=', '>=', '<', '>'],
    '!=': ['!==', '==', '<', '>'],
    '!==': ['===', '<', '>'],
  },
  python: {
    ...order,
    '==': ['!=', '<=', '>=', '<', '>', 'is', 'in'],
    '!=': ['==', '<', '>', 'is not'],
    is: ['is not', '=='],
    'is not': ['is', '!='],
    in: ['not in', '=='],
    'not in': ['in', '!='],
  },
});

export const connective = exchangeOperators({
  id: 'connective',
  title: 'another boolean connective',
  source:
    '"Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP11 (Liu et al. 2019)',
  prior: 0.8,
  script: {
    '&&': ['||'],
    '||': ['&&', '??'],
    '??': ['||', '&&'],
  },
  python: {
    and: ['or'],
    or: ['and'],
  },
});

export const arithmetic = exchangeOperators({
  id: 'arithmetic',
  title: 'another arithmetic operator',
  source:
    'operator mutation: TBar FP11 (Liu et al. 2019); "Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); QuixBugs "incorrect arithmetic operator" (Lin et al. 2017)',
  prior: 0.7,
  script: {
    ...sums,
    '/': ['*', '%', '-', '+'],
    '&': ['|', '^', '&&'],
    '|': ['&', '^', '+', '||'],
    '^': ['|', '&', '**'],
    '>>>': ['>>', '<<'],
    '++': ['--'],
    '--': ['++'],
  },
  python: {
    ...sums,
    '/': ['//', '%', '*'],
    '%': ['/', '//', '*', '-'],
    '//': ['/', '%', '*'],
    '&': ['|', '^'],
    '|': ['&', '^', '+'],
    '^': ['|', '&', '**'],
    '//=': ['/=', '*='],
  },
});
