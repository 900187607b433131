/** Swaps, removes or adds arguments of a call. */
import { type Call, getCall, type LanguageAdapter } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import {
  type EditProposal,
  exchange,
  replaceRange,
  type Site,
  type Template,
} from '../template.ts';

export const callArguments: Template = {
  id: 'arguments',
  title: 'other arguments of a call',
  source:
    '"Swap Arguments", "Same Function More Args", "Same Function Less Args" of ManySStuBs4J (Karampatsis, Sutton 2020); PAR "Parameter Replacer", "Parameter Adder and Remover" (Kim et al. 2013); TBar FP10 (Liu et al. 2019)',
  prior: 0.5,
  *propose(site) {
    const call = getCall(site.node);
    if (call === undefined) return;
    for (let i = 0; i < call.args.length; i++)
      for (let j = i + 1; j < Math.min(call.args.length, 5); j++) {
        const [one, other] = [call.args[i], call.args[j]];
        if (one && other && one.text !== other.text)
          yield exchange(one, other, j === i + 1 ? 1 : 0.5);
      }
    yield* bySignature(call, site);
    yield* fewer(call);
    yield* more(call, site);
  },
};

function getInnerRange({ list }: Call): readonly [number, number] {
  return [list.startIndex + 1, list.endIndex - 1];
}

function* fewer(call: Call): Iterable<EditProposal> {
  const texts = call.args.map(a => a.text);
  if (texts.length < 2) return;
  for (const i of texts.keys())
    yield replaceRange(getInnerRange(call), texts.filter((_, j) => j !== i).join(', '), 0.3);
}

/** Arguments in the order of the parameters that have their names, and missing ones by keyword. */
function* bySignature(
  call: Call,
  { node, names, ingredients, language }: Site,
): Iterable<EditProposal> {
  const name = call.callee.text.replace(/^(new\s{1,99})?.*\./, '');
  const parameters = ingredients.signatures.get(name) ?? [];
  const texts = call.args.map(a => a.text);
  const wanted = parameters.map(p => texts.find(t => lastName(t) === p));
  const rest = texts.filter(t => !wanted.includes(t));
  const ordered = texts.map((_, i) => wanted[i] ?? rest.shift() ?? '');
  if (!ordered.includes('') && ordered.join() !== texts.join())
    yield replaceRange(getInnerRange(call), ordered.join(', '), 1);
  const here = new Set(names(node).map(n => n.name));
  for (const [i, parameter] of parameters.entries()) {
    if (
      !here.has(parameter) ||
      texts.some(t => lastName(t) === parameter || t.startsWith(`${parameter}=`))
    )
      continue;
    if (i === texts.length)
      yield replaceRange(getInnerRange(call), [...texts, parameter].join(', '), 1);
    if (language.name === 'python')
      yield replaceRange(
        getInnerRange(call),
        [...texts, `${parameter}=${parameter}`].join(', '),
        0.8,
      );
  }
}

/** The last name of an argument: `size` for `options.size`. */
const lastName = (text: string) => /(?<![\w$])([\w$]+)$/.exec(text)?.[1];

/** Arguments that calls of known functions often lack. */
const known: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bsort$|\btoSorted$/, ['(a, b) => a - b', '(a, b) => b - a']],
  [
    /^sorted$|\.sort$/,
    [
      'reverse=True',
      'key=len',
      'key=lambda item: item[0]',
      'key=lambda item: item[1]',
      'key=lambda item: item[2]',
      'key=lambda item: item[-1]',
      'key=str.lower',
      'key=abs',
    ],
  ],
  [/\bparseInt$/, ['10', '2', '16']],
  [/\breduce$/, ['0', '1', '[]', '{}', "''"]],
  [/\b(round|toFixed)$/, ['2', '1', '0']],
  [/\b(split|join)$/, ["''", "' '", "','"]],
  [/\b(padStart|padEnd)$/, ["'0'", "' '"]],
  [/\bflat$/, ['Infinity', '2']],
  [/\b(max|min)$/, ['default=0', '0', '1']],
  [/\b(get|setdefault)$/, ['0', '[]', "''", '{}']],
  [/\bsum$/, ['[]', '1']],
  [/\b(int)$/, ['2', '16']],
  [/\benumerate$/, ['1', 'start=1']],
  [/\b(stringify|dumps)$/, ['null, 2']],
  [/\bpop$/, ['0', '-1', 'None']],
  [/\b(fill|from)$/, ['0', '() => 0']],
];

function* more(call: Call, { node, names, ingredients, language }: Site): Iterable<EditProposal> {
  const texts = call.args.map(a => a.text);
  const write = (args: readonly string[], weight: number) =>
    replaceRange(getInnerRange(call), args.join(', '), weight);
  for (const [pattern, added] of known)
    if (pattern.test(call.callee.text))
      for (const a of added) if (fits(a, language)) yield write([...texts, a], 0.5);
  const declared = ingredients.functions.get(call.callee.text.replace(/^.*\./, ''));
  const ownCall = declared !== undefined && declared > texts.length;
  const isRange = call.callee.text === 'range' && texts.length < 3;
  if (!ownCall && !isRange && texts.length > 2) return;
  const usable = localVariables(names(node)).slice(0, 8);
  const extra = [...usable.map(n => n.name), '0', '1'];
  if (isRange) extra.push('-1');
  const weight = ownCall || isRange ? 0.8 : 0.1;
  for (const a of extra) {
    yield write([...texts, a], weight);
    if (texts.length > 0) yield write([a, ...texts], weight * 0.7);
  }
}

/** `key=` is Python, `=>` is JavaScript. */
function fits(argument: string, language: LanguageAdapter): boolean {
  return language.name === 'python'
    ? !/=>|^null|Infinity/.test(argument)
    : !/^\w+=/.test(argument) && argument !== 'None';
}
