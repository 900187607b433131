/** Changes the bounds of a slice. */
import { getCall, nodeTypes } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import { type EditProposal, replace, replaceRange, type Site, type Template } from '../template.ts';

export const slice: Template = {
  id: 'slice',
  title: 'other bounds of a slice',
  source:
    'range repair: PAR "Range Checker" and "Parameter Replacer" (Kim et al. 2013); TBar FP10 (Liu et al. 2019); slice bugs of QuixBugs (Lin et al. 2017)',
  prior: 0.5,
  *propose(site) {
    if (site.node.type === 'slice') yield* pythonBounds(site);
    else yield* callBounds(site);
    yield* missing(site);
  },
};

/** Removes or adds a bound, or counts it from the other end. */
function* pythonBounds({ node }: Site): Iterable<EditProposal> {
  const parts = node.text.split(':');
  const [from = '', to = '', ...step] = parts.map(p => p.trim());
  const tail = step.length > 0 ? `:${step.join(':')}` : '';
  const write = (a: string, b: string, rest = tail) => replace(node, `${a}:${b}${rest}`);
  if (parts.length > 3) return;
  if (from !== '') yield write('', to);
  if (to !== '') yield write(from, '');
  if (from === '') yield* ['1', '-1'].map(a => write(a, to));
  if (to === '') yield* ['-1', '1', '-2'].map(b => write(from, b));
  for (const by of ['+ 1', '- 1']) {
    if (from !== '') yield write(`${from} ${by}`, to);
    if (to !== '') yield write(from, `${to} ${by}`);
  }
  if (from !== '' && to !== '') yield write(to, from);
  if ((from === '') !== (to === '')) yield write(to, from);
  if (tail === '') yield { ...write(from, to, '::-1'.slice(1)), weight: 0.3 };
}

const whole = nodeTypes(
  'for_statement for_in_statement for_in_clause arguments argument_list return_statement binary_expression binary_operator assignment assignment_expression variable_declarator spread_element',
);

/** Takes a part of a list or a text: without its first or last element, from or up to a name. */
function* missing({ node, language, names, ingredients }: Site): Iterable<EditProposal> {
  const { parent } = node;
  if (!language.types.name.has(node.type) || parent === null || !whole.has(parent.type)) return;
  if (['left', 'name'].some(f => parent.childForFieldName(f)?.id === node.id)) return;
  const isList =
    ingredients.lists.has(node.text) || /^for_(in_)?(statement|clause)$/.test(parent.type);
  if (!isList) return;
  const bounds = localVariables(names(node))
    .map(n => n.name)
    .filter(name => !ingredients.lists.has(name))
    .slice(0, 5);
  const write = (from: string, to: string, weight: number) =>
    language.name === 'python'
      ? replace(node, `${node.text}[${from}:${to}]`, weight)
      : replace(
          node,
          `${node.text}.slice(${[from === '' ? '0' : from, to].filter(t => t !== '').join(', ')})`,
          weight,
        );
  yield* [write('1', '', 0.5), write('', '-1', 0.5)];
  for (const bound of bounds) yield* [write(bound, '', 0.35), write('', bound, 0.35)];
}

const cutting = /\.(slice|substring|substr|splice|subarray)$/;

function* callBounds({ node }: Site): Iterable<EditProposal> {
  const call = getCall(node);
  if (call === undefined || !cutting.test(call.callee.text)) return;
  const inner: readonly [number, number] = [call.list.startIndex + 1, call.list.endIndex - 1];
  const texts = call.args.map(a => a.text);
  const write = (...args: string[]) => replaceRange(inner, args.join(', '));
  if (texts.length === 0) yield* [write('1'), write('0', '-1')];
  if (texts.length === 1) {
    yield* [
      write(texts[0] ?? '', '-1'),
      write('0', texts[0] ?? ''),
      write(`-${texts[0]}`),
      write(),
    ];
  }
  if (texts.length === 2) {
    yield* [write(texts[0] ?? ''), write(texts[1] ?? ''), write(texts[1] ?? '', texts[0] ?? '')];
    yield write(texts[0] ?? '', `${texts[0]} + ${texts[1]}`);
  }
  for (const [i, text] of texts.entries())
    for (const by of ['+ 1', '- 1'])
      yield write(...texts.map((t, j) => (i === j ? `${text} ${by}` : t)));
}
