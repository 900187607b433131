/** The language adapter for JavaScript and TypeScript, by the node types of their tree-sitter grammars. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, negate, nodeTypes } from './language.ts';

const inner = (node: Node | undefined): Node | undefined =>
  node?.type === 'parenthesized_expression' || node?.type === 'expression_statement'
    ? (node.firstNamedChild ?? node)
    : node;

export const script: LanguageAdapter = {
  name: 'script',
  tokens: {
    yes: 'true',
    no: 'false',
    nothing: 'null',
  },
  types: {
    function: nodeTypes(
      'function_declaration function_expression arrow_function method_definition generator_function_declaration generator_function',
    ),
    block: nodeTypes('statement_block program switch_case switch_default class_body'),
    simple: nodeTypes(
      'expression_statement return_statement break_statement continue_statement lexical_declaration variable_declaration throw_statement',
    ),
    statement: nodeTypes(
      'expression_statement return_statement break_statement continue_statement lexical_declaration variable_declaration throw_statement if_statement for_statement for_in_statement while_statement do_statement switch_statement try_statement function_declaration class_declaration export_statement',
    ),
    binary: nodeTypes('binary_expression'),
    number: nodeTypes('number'),
    text: nodeTypes('string template_string'),
    name: nodeTypes('identifier shorthand_property_identifier'),
    call: nodeTypes('call_expression new_expression'),
    member: nodeTypes('member_expression'),
    index: nodeTypes('subscript_expression'),
    return: 'return_statement',
  },
  memberFields: ['object', 'property'],
  siblings: [
    ['min', 'max'],
    ['floor', 'ceil', 'round', 'trunc'],
    ['push', 'unshift', 'concat'],
    ['pop', 'shift'],
    ['indexOf', 'lastIndexOf', 'findIndex', 'search'],
    ['some', 'every'],
    ['find', 'filter', 'findLast'],
    ['map', 'flatMap', 'filter', 'forEach'],
    ['startsWith', 'endsWith', 'includes'],
    ['toLowerCase', 'toUpperCase'],
    ['trim', 'trimStart', 'trimEnd'],
    ['padStart', 'padEnd'],
    ['slice', 'splice', 'substring'],
    ['keys', 'values', 'entries'],
    ['has', 'get', 'delete', 'add', 'set'],
    ['replace', 'replaceAll'],
    ['charAt', 'charCodeAt', 'codePointAt'],
    ['match', 'matchAll', 'test', 'exec'],
    ['reduce', 'reduceRight'],
    ['all', 'allSettled', 'race', 'any'],
    ['isNaN', 'isFinite', 'isInteger'],
    ['getDate', 'getDay', 'getUTCDate', 'getUTCDay'],
    ['getMonth', 'getUTCMonth'],
    ['getFullYear', 'getUTCFullYear', 'getYear'],
    ['getHours', 'getUTCHours'],
    ['length', 'size'],
    ['left', 'right'],
    ['next', 'prev', 'previous'],
    ['first', 'last'],
    ['start', 'end'],
    ['head', 'tail'],
    ['width', 'height'],
    ['key', 'value'],
    ['row', 'col', 'column'],
    ['x', 'y'],
    ['from', 'to'],
    ['low', 'high', 'lo', 'hi'],
    ['parseInt', 'parseFloat', 'Number'],
    ['encodeURI', 'encodeURIComponent', 'escape'],
    ['decodeURI', 'decodeURIComponent', 'unescape'],
    ['sqrt', 'cbrt'],
    ['log', 'log2', 'log10'],
  ],
  getCondition: node =>
    /^(if_statement|while_statement|do_statement|for_statement|ternary_expression)$/.test(node.type)
      ? inner(node.childForFieldName('condition') ?? undefined)
      : undefined,
  not: negate,
};
