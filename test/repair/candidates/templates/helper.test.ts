/** The repairs that the template `helper` makes, in each language that it knows. */
import { expect, it } from 'vitest';
import { helper } from '../../../../src/repair/candidates/templates/helper.ts';
import { playRepairs, textsOf } from './repairs.ts';

const script = (value: string) =>
  [
    'function isFlag(key) {',
    '  return flags[key] || (names[key] || []).some(other => flags[other]);',
    '}',
    'function read(name) {',
    `  return ${value} ? true : name;`,
    '}',
    '',
  ].join('\n');
const python = (value: string) =>
  [
    'def is_flag(key):',
    '    return flags.get(key) or any(flags.get(o) for o in names[key])',
    '',
    'def read(name):',
    `    return True if ${value} else name`,
    '',
  ].join('\n');

playRepairs(helper, [
  ['a.js', script('flags[name]'), script('isFlag(name)')],
  ['a.py', python('flags.get(name)'), python('is_flag(name)')],
]);

it('a function does not call itself', async () => {
  const texts = await textsOf('a.js', script('flags[name]'), helper.id);
  expect(texts.filter(text => text.includes('isFlag(other)'))).toEqual([]);
});
