/** Replaces an arithmetic or bit operator with another one, also in assignments. */
import { replace } from '../edit.ts';
import type { Template } from '../template.ts';

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

const pythonOnly: Readonly<Record<string, readonly string[]>> = { '/': ['//', '%', '*'] };
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
    for (const child of node.children) {
      if (child === null || child.isNamed) continue;
      const table = language.name === 'python' && child.type === '/' ? pythonOnly : others;
      const found = Object.hasOwn(table, child.type) ? (table[child.type] ?? []) : [];
      const fitting = found.filter(o => fits(o, language.name));
      for (const [i, other] of fitting.entries()) yield replace(child, other, 1 / (i + 1));
    }
  },
};

/** True for an operator of the language. */
function fits(operator: string, language: string): boolean {
  return language === 'python' ? !/^(>>>|&&|\|\|)$/.test(operator) : !operator.startsWith('//');
}
