/** Replaces an arithmetic or bit operator with another one, also in assignments. */
import { findOperators, replace, type Template } from '../template.ts';

const others: Readonly<Record<string, readonly string[]>> = {
  '+': ['-', '*', '|', '%'],
  '-': ['+', '*', '/', '%'],
  '*': ['/', '+', '**', '-', '%'],
  '/': ['*', '%', '-', '+'],
  '//': ['/', '%', '*'],
  '%': ['/', '//', '*', '-', '+'],
  '**': ['*'],
  '&': ['|', '^', '&&'],
  '|': ['&', '^', '+', '||'],
  '^': ['|', '&', '**'],
  '<<': ['>>', '>>>'],
  '>>': ['<<', '>>>'],
  '>>>': ['>>', '<<'],
  '+=': ['-=', '*=', '=', '%='],
  '-=': ['+=', '/=', '='],
  '*=': ['+=', '/=', '**='],
  '/=': ['*=', '-=', '//='],
  '//=': ['/=', '*='],
  '%=': ['/=', '//=', '-='],
  '|=': ['&=', '^=', '+='],
  '&=': ['|=', '^='],
  '^=': ['|=', '&='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '++': ['--'],
  '--': ['++'],
};

const inPython = { ...others, '/': ['//', '%', '*'] };
const holders =
  /^(binary_expression|binary_operator|augmented_assignment(_expression)?|update_expression)$/;

export const arithmetic: Template = {
  id: 'arithmetic',
  title: 'another arithmetic operator',
  source:
    'operator mutation: TBar FP11 (Liu et al. 2019); "Change Binary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); QuixBugs "incorrect arithmetic operator" (Lin et al. 2017)',
  prior: 0.7,
  *propose({ node, language }) {
    if (!holders.test(node.type)) return;
    const table = language.name === 'python' ? inPython : others;
    for (const [operator, found] of findOperators(node, table)) {
      const fitting = found.filter(o => fits(o, language.name));
      for (const [i, other] of fitting.entries()) yield replace(operator, other, 1 / (i + 1));
    }
  },
};

/** True for an operator of the language. */
function fits(operator: string, language: string): boolean {
  return language === 'python' ? !/^(>>>|&&|\|\|)$/.test(operator) : !operator.startsWith('//');
}
