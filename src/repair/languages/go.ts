/** The language adapter for Go, by the node types of its tree-sitter grammar. */
import { type LanguageAdapter, negate, nodeTypes } from './language.ts';

export const go: LanguageAdapter = {
  name: 'go',
  // a refused candidate costs a compilation, so only templates whose edits mostly compile
  templates: nodeTypes(
    'comparison off-by-one connective arithmetic variable constant negation arguments',
  ),
  refused:
    /===|!==|\*\*|>>>|Infinity|\bnull\b|undefined|\[\[\]\]|^\{\}$|^\[\]$|^''$|instanceof|\?\?/,
  tokens: {
    and: '&&',
    or: '||',
    equal: '==',
    unequal: '!=',
    yes: 'true',
    no: 'false',
    nothing: 'nil',
    end: '',
  },
  types: {
    function: nodeTypes('function_declaration method_declaration func_literal'),
    loop: nodeTypes('for_statement'),
    block: nodeTypes('block statement_list source_file'),
    simple: nodeTypes(
      'expression_statement return_statement break_statement continue_statement assignment_statement inc_statement dec_statement short_var_declaration',
    ),
    statement: nodeTypes(
      'expression_statement return_statement break_statement continue_statement assignment_statement inc_statement dec_statement short_var_declaration if_statement for_statement expression_switch_statement',
    ),
    binary: nodeTypes('binary_expression'),
    number: nodeTypes('int_literal float_literal'),
    text: nodeTypes('interpreted_string_literal'),
    name: nodeTypes('identifier'),
    call: nodeTypes('call_expression'),
    member: nodeTypes('selector_expression'),
    index: nodeTypes('index_expression'),
    return: 'return_statement',
  },
  memberFields: ['operand', 'field'],
  conversions: ['int', 'float64', 'string', 'len'],
  methods: [],
  siblings: [],
  getCondition: node =>
    (/^(if_statement|for_clause)$/.test(node.type)
      ? node.childForFieldName('condition')
      : node.type === 'for_statement' && node.firstNamedChild?.type === 'binary_expression'
        ? node.firstNamedChild
        : undefined) ?? undefined,
  not: negate,
  lengthOf: name => `len(${name})`,
  copies: () => [],
  isEmpty: name => `len(${name}) == 0`,
  guard: (condition, statement, indent) => `if ${condition} {\n${indent}\t${statement}\n${indent}}`,
};
