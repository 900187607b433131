/** The language adapter for Python, by the node types of its tree-sitter grammar. */
import { type LanguageAdapter, nodeTypes } from './language.ts';

export const python: LanguageAdapter = {
  name: 'python',
  tokens: {
    yes: 'True',
    no: 'False',
    nothing: 'None',
  },
  types: {
    function: nodeTypes('function_definition lambda'),
    block: nodeTypes('block module'),
    simple: nodeTypes(
      'expression_statement return_statement break_statement continue_statement raise_statement pass_statement delete_statement',
    ),
    statement: nodeTypes(
      'expression_statement return_statement break_statement continue_statement raise_statement pass_statement delete_statement if_statement for_statement while_statement try_statement with_statement function_definition class_definition decorated_definition',
    ),
    binary: nodeTypes('binary_operator comparison_operator boolean_operator'),
    number: nodeTypes('integer float'),
    text: nodeTypes('string'),
    name: nodeTypes('identifier'),
    call: nodeTypes('call'),
    member: nodeTypes('attribute'),
    index: nodeTypes('subscript'),
    return: 'return_statement',
  },
  memberFields: ['object', 'attribute'],
  siblings: [
    ['min', 'max'],
    ['floor', 'ceil', 'trunc'],
    ['append', 'appendleft', 'insert', 'extend', 'add', 'update'],
    ['pop', 'popleft', 'popitem'],
    ['heappush', 'heappop', 'heappushpop'],
    ['find', 'rfind', 'index'],
    ['any', 'all'],
    ['startswith', 'endswith'],
    ['lower', 'upper', 'title', 'capitalize', 'casefold'],
    ['strip', 'lstrip', 'rstrip'],
    ['ljust', 'rjust', 'center', 'zfill'],
    ['split', 'rsplit', 'splitlines'],
    ['partition', 'rpartition'],
    ['keys', 'values', 'items'],
    ['remove', 'discard', 'pop'],
    ['isdigit', 'isalpha', 'isalnum', 'isspace'],
    ['isupper', 'islower'],
    ['bisect_left', 'bisect_right', 'bisect'],
    ['sorted', 'reversed', 'list'],
    ['int', 'float', 'round'],
    ['list', 'set', 'tuple'],
    ['union', 'intersection', 'difference', 'symmetric_difference'],
    ['issubset', 'issuperset', 'isdisjoint'],
    ['match', 'search', 'fullmatch', 'findall'],
    ['weekday', 'isoweekday'],
    ['left', 'right'],
    ['next', 'prev', 'previous'],
    ['first', 'last'],
    ['start', 'end', 'stop'],
    ['head', 'tail'],
    ['key', 'value'],
    ['row', 'col', 'column'],
    ['x', 'y'],
    ['lo', 'hi', 'low', 'high'],
    ['days', 'seconds', 'total_seconds'],
    ['year', 'month', 'day'],
    ['log', 'log2', 'log10'],
    ['permutations', 'combinations', 'combinations_with_replacement', 'product'],
  ],
  getCondition: node => {
    if (node.type === 'conditional_expression') return node.namedChild(1) ?? undefined;
    if (node.type === 'if_clause') return node.firstNamedChild ?? undefined;
    const decides = /^(if_statement|elif_clause|while_statement)$/.test(node.type);
    const condition = decides ? node.childForFieldName('condition') : undefined;
    return condition?.type === 'parenthesized_expression'
      ? (condition.firstNamedChild ?? undefined)
      : (condition ?? undefined);
  },
  not: condition =>
    condition.startsWith('not ')
      ? condition.slice(4)
      : /^[\w.]+(\([^()]*\))?$/.test(condition)
        ? `not ${condition}`
        : `not (${condition})`,
};
