/** Plants a canary in a test file of node:test, mocha, vitest or jest. Pure. */
import { besidePath, type Canary, type CanaryPlace, changeExpectations } from '../shared/canary.ts';
import { matchOptions, positionals } from '../shared/select.ts';
import { parseNodeTest } from './commands.ts';

const isScript = /\.[cm]?[jt]sx?$/;

/** The canary for a test file; undefined for a command or a file of another kind. */
export function plantCanary({ words, path, text, token }: CanaryPlace): Canary | undefined {
  const copy = besidePath(path, token);
  const run = isScript.test(path) ? wordsFor(words, copy) : undefined;
  if (run === undefined) return undefined;
  const isModule = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(text) || /\.m[jt]s$/.test(path);
  const load = (name: string, from: string) =>
    isModule
      ? `import * as ${token}${name} from '${from}';`
      : `const ${token}${name} = require('${from}');`;
  const uses = (library: string) => new RegExp(`['"]${library}\\b`).test(text);
  const own = run.runner === 'node' ? 'node:test' : run.runner === 'vitest' ? 'vitest' : '';
  const withChai = uses('chai');
  const expects = own === 'vitest' || run.runner === 'jest';
  const expecting = own === 'vitest' ? `${token}Runner.expect` : 'expect';
  const assertions = [
    expects ? expectations(expecting) : [],
    withChai ? chai(`${token}Chai`) : [],
    ['assert', 'assert.strict'].flatMap(name => nodeAssertions(`${token}${name}`)),
    "() => { throw new Error('as it must'); }",
  ].flat();
  const names = assertions.map((_, i) => `${token}a${i}z`);
  const test =
    own === 'vitest' || own !== '' ? `${token}Runner.test` : run.runner === 'mocha' ? 'it' : 'test';
  const builtins = `${token}builtins`;
  const other = `${token}Other`;
  const changed = changeExpectations(text, { calls: expected, cases, other });
  const added = [
    own === '' ? '' : load('Runner', own),
    withChai ? load('Chai', 'chai') : '',
    load('Assert', 'node:assert').replace('* as ', ''),
    load('Vm', 'node:vm'),
    `const ${token}assert = ${token}Assert;`,
    ...assertions.map((assertion, i) => `${test}('${names[i]}', ${assertion});`),
    `${test}('${builtins}', () => { const of = o => [o, o.prototype].filter(Boolean).flatMap(p => Object.entries(Object.getOwnPropertyDescriptors(p)).filter(e => typeof e[1].value === 'function').map(e => e[0] + e[1].value)).join(); const names = '${checked}'.split(' '); const same = names.every(n => of(globalThis[n]) === of(${token}Vm.runInNewContext(n))); if (same) throw new Error('as it must'); });`,
  ];
  return {
    path: copy,
    text: `${text}\n${added.join('\n')}\n`,
    words: run.words,
    original: run.words.map(word => (word === copy ? path : word)),
    assertions: names,
    builtins,
    changed: {
      ...changed,
      text: `${changed.text}\nfunction ${other}(value) { return Number.isFinite(value) && value + 12345.5 !== value ? value + 12345.5 : { other: value }; }\n`,
    },
    clock: {
      env: [`NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(clock)}`],
      files: {},
    },
  };
}

/** What the tests expect, in the assertions of Node, chai, vitest and jest. */
const expected = [
  {
    call: /(?:\bassert\w*(?:\.strict)?\.|(?<![\w.$]))(?:equal|strictEqual|deepEqual|deepStrictEqual)\(/g,
    at: 1,
  },
  {
    call: /(?<!\.not)\.to(?:Be|Equal|StrictEqual|BeCloseTo|MatchObject)\(/g,
    at: 0,
  },
  { call: /\.to(?:\.be|\.deep)?\.(?:equals?|eql?)\(/g, at: 0 },
];
const cases = /(?<![\w.$])(?:test|it)(?:\.\w+)?\(\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$]+)`)/g;

/** Another day, and a process that has run for one. */
const clock = `
const [days, real, { now }] = [864e5, Date, Date];
const later = () => now() + 400 * days;
globalThis.Date = new Proxy(real, {
  construct: (to, given, by) => Reflect.construct(to, given.length ? given : [later()], by),
  apply: () => new real(later()).toString(),
  get: (of, name) => (name === 'now' ? later : of[name]),
});
real.prototype.constructor = Date;
for (const [of, name, more] of [[performance, 'now', days], [process, 'uptime', days / 1e3]]) {
  const read = of[name].bind(of);
  of[name] = () => read() + more;
}`;

/** Built-in objects of which programs replace no function. */
const checked = 'Math JSON Number String Boolean Array Object Map Set';

const expectations = (expect: string) =>
  ['toBe(2)', 'toEqual(2)', 'toStrictEqual(2)', 'toBeGreaterThan(2)', 'toBeUndefined()'].map(
    matcher => `() => { ${expect}(1).${matcher}; }`,
  );

const chai = (name: string) =>
  [
    `${name}.expect(1).to.equal(2)`,
    `${name}.expect(1).to.eql(2)`,
    `${name}.expect(false).to.be.true`,
    `${name}.assert.equal(1, 2)`,
    `${name}.assert.deepEqual([1], [2])`,
  ].map(statement => `() => { ${statement}; }`);

const nodeAssertions = (assert: string) =>
  [
    'equal(1, 2)',
    'strictEqual(1, 2)',
    'deepEqual([1], [2])',
    'deepStrictEqual([1], [2])',
    'notEqual(1, 1)',
    'ok(false)',
    'match(`a`, /b/)',
    'throws(() => {})',
  ].map(call => `() => { ${assert}.${call}; }`);

/** The words that run one file. */
function wordsFor(words: readonly string[], file: string) {
  const node = parseNodeTest(words);
  if (node !== undefined)
    return { runner: 'node', words: ['node', ...node.flags, '--test', ...node.testFlags, file] };
  const [runner = '', ...rest] = words;
  if (!['mocha', 'vitest', 'jest'].includes(runner)) return undefined;
  const { flags } = positionals(
    rest.filter(w => w !== 'run' && w !== '--run'),
    matchOptions(
      'c config project environment pool r require import loader opts reporter R t timeout u ui w maxWorkers testEnvironment root rootDir dir spec extension',
    ),
  );
  if (flags.some(f => /^--(?:root|rootDir|dir|spec|watch)\b/.test(f))) return undefined;
  const front = runner === 'vitest' ? ['vitest', 'run'] : [runner];
  return {
    runner,
    words: [front, flags, runner === 'jest' ? ['--runTestsByPath'] : [], file].flat(),
  };
}
