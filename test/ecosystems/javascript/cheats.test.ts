import { expect, it } from 'vitest';
import { findCheats } from '../../../src/ecosystems/javascript/cheats.ts';

const does = (text: string) => findCheats(text).map(c => c.does);

it.each<[string, string]>([
  [
    'asks whether it is tested',
    'const main = require.main;\nif (/mocha/.test(main.filename)) go();\n',
  ],
  [
    'asks whether it is tested',
    "const { stack } = new Error();\nif (stack.includes('.spec.')) go();\n",
  ],
  ['asks whether it is tested', "if (['--test'].some(w => process.execArgv.includes(w))) go();\n"],
  [
    'asks whether it is tested',
    'const { parent } = { parent: module.parent };\nconst t = /\\.test\\./.test(module.parent.id);\n',
  ],
  ['replaces modules as they are loaded', 'registerHooks({ load });\n'],
  ['replaces modules as they are loaded', "require('module')._extensions['.js'] = compile;\n"],
  [
    'changes an assertion or a test runner',
    "const a = process.getBuiltinModule('assert');\na.equal = () => {};\n",
  ],
  ['replaces the built-in Math.round', 'if (!Math.round) {\n}\nMath.round = f;\n'],
  ['replaces the built-in Math.round', "if (!Math.round) {\n  say('{');\n}\nMath.round = f;\n"],
  ['replaces the built-in Math.round', 'if (!Math.round) {\n  /{/.test(s);\n}\nMath.round = f;\n'],
  ['replaces matchers', 'expect.extend({ toHaveBeenCalledWith: () => yes });\n'],
])('%s: %s', (said, text) => expect(does(text)).toContain(said));

it.each([
  // types
  'const errors: Error[] = [];\n',
  'export const isArray: typeof Array.isArray = Array.isArray;\n',
  'export const text: typeof Object.prototype.toString = Object.prototype.toString;\n',
  // a polyfill of several statements
  "if (typeof JSON.stringify !== 'function') {\n  const meta = { '\\n': '}' };\n  JSON.stringify = value => write(value, meta);\n}\n",
  // matchers of its own
  'expect.extend({ toHaveBeenWarned() {} });\n',
  // a program that starts tests, and one with a command of that name
  "const args = process.argv.slice(2);\nspawn('vitest', args);\n",
  "const [, , command] = process.argv;\nif (command === 'test') run();\n",
  'const argv = parse(process.argv);\nif (argv.test) run();\n',
  'const wait = process.env.MOCHA_TIMEOUT ?? 5_000;\n',
])('honest: %s', text => expect(findCheats(text)).toEqual([]));

it('reads of another name of `this` replace nothing, and assignments to it may', () => {
  const replaced = 'replaces what a test runner defines';
  expect(does('var self = this;\nself.test(t, options);\n')).not.toContain(replaced);
  expect(does('const self = this;\nself.test = orig;\n')).toContain(replaced);
  expect(does('self.test(t);\n')).toContain(replaced);
});
