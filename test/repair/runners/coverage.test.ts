/** The lines of cases: of a bounded number in a large suite, and of a command that runs whole for each candidate, from what V8 writes for every Node process. */
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { localise, type Suspect } from '../../../src/repair/localise/localise.ts';
import { casesToCover, withLeftOut } from '../../../src/repair/runners/coverage.ts';
import { openRunner } from '../../../src/repair/runners/open-runner.ts';
import type {
  CaseResult,
  Coverage,
  RunnerAdapter,
} from '../../../src/repair/runners/test-runner.ts';
import { openLocalRunner } from '../../doubles/runner-context.ts';

const inProcess =
  "const { status, stderr } = spawnSync('node', [file], { encoding: 'utf8' }); print(file, status === 0 ? '' : stderr);";
const inThread =
  "new Worker('./' + file).on('error', e => print(file, e.stack)).on('exit', code => { if (code === 0) print(file, ''); });";

/** A runner that prints TAP, and plays each test file in this way. */
const runner = (play: string, nameOf: string) =>
  [
    "const { spawnSync } = require('node:child_process');",
    "const { readdirSync } = require('node:fs');",
    "const { Worker } = require('node:worker_threads');",
    "const files = readdirSync('test').map(name => 'test/' + name);",
    "console.log('TAP version 13\\n1..' + files.length);",
    'const print = (file, error) => {',
    `  console.log((error ? 'not ok ' : 'ok ') + (files.indexOf(file) + 1) + ' - ' + ${nameOf});`,
    "  if (error) console.log(['  ---', ...error.split('\\n'), '...'].join('\\n  '));",
    '  if (error) process.exitCode = 1;',
    '};',
    `for (const file of files) { ${play} }`,
    '',
  ].join('\n');

const test = (...lines: string[]) =>
  ["const assert = require('node:assert/strict');", ...lines, ''].join('\n');

const files = {
  'src/price.js': [
    "const { plain } = require('./plain.js');",
    'exports.total = prices => {',
    '  if (prices.length > 99) {',
    '    return 0;',
    '  }',
    '  return plain(prices).summ();',
    '};',
    '',
  ].join('\n'),
  'src/plain.js': 'exports.plain = values => values;\n',
  'src/words.js': 'exports.words = text => text.split(" ");\n',
  'test/price.test.js': test(
    "const { total } = require('../src/price.js');",
    'assert.equal(total([2]), 2);',
  ),
  'test/words.test.js': test(
    "const { plain } = require('../src/plain.js');",
    "const { words } = require('../src/words.js');",
    "assert.equal(plain(words('a b')).length, 2);",
  ),
};

async function opened(
  own: Readonly<Record<string, string>>,
  testCommand: string,
  look: (adapter: RunnerAdapter, ran: readonly string[]) => void,
): Promise<void> {
  const local = openLocalRunner({ files: own, testCommand });
  const ran: string[] = [];
  const open = async () => {
    const view = await local.context.open();
    const run: typeof view.run = (line, timeoutMs) => {
      ran.push(line);
      return view.run(line, timeoutMs);
    };
    return { ...view, run };
  };
  try {
    const choice = await openRunner({ ...local.context, open });
    if ('stop' in choice) throw new Error(choice.stop);
    look(choice.adapter, ran);
    choice.adapter.close();
  } finally {
    local.end();
  }
}

const suspectsOf = ({ base: cases, coverage }: RunnerAdapter): readonly Suspect[] =>
  localise({ cases, coverage, mayChange: path => path.startsWith('src/') });

const shown = (suspects: readonly Suspect[]) =>
  suspects.map(s => `${s.path}:${s.line} ${s.score.toFixed(2)}`);

/** The line that threw, the others that only the failing process ran, and those that another process ran, too. */
const expected = [
  'src/price.js:6 1.00',
  'src/price.js:1 0.75',
  'src/price.js:2 0.75',
  'src/price.js:3 0.75',
  'src/plain.js:1 0.53',
];

describe('a whole command has the lines of', () => {
  it.each([
    ['processes whose files the report names', inProcess, 'file', 'node run.js --all'],
    ['processes behind a shell', inProcess, 'file', 'node run.js || exit 1'],
    ['threads', inThread, 'file', 'node run.js --all'],
    [
      'cases without a file, by the stacks of the failing ones',
      inProcess,
      "'case ' + files.indexOf(file)",
      'node run.js --all',
    ],
  ])(
    '%s',
    (_, play, nameOf, command) =>
      opened({ ...files, 'run.js': runner(play, nameOf) }, command, adapter => {
        expect(adapter.name).toBe('the whole test command for each candidate');
        expect(shown(suspectsOf(adapter))).toEqual(expected);
      }),
    60_000,
  );

  const play = inProcess.replace('stderr)', "'failed')");

  it('the failing file, if only the names of cases show it, as those of ava do', () => {
    const own = { ...files, 'run.js': runner(play, "file.slice(5, -8) + ' › case'") };
    return opened(own, 'node run.js --all', adapter =>
      expect(shown(suspectsOf(adapter))).toEqual([
        ...[1, 2, 3, 6].map(line => `src/price.js:${line} 0.75`),
        'src/plain.js:1 0.53',
      ]),
    );
  }, 60_000);

  it('every process, if a failing case has neither a file nor a stack', () => {
    const own = { ...files, 'run.js': runner(play, "'case ' + files.indexOf(file)") };
    return opened(own, 'node run.js --all', adapter => {
      const paths = suspectsOf(adapter).map(s => s.path);
      expect([...new Set(paths)]).toEqual(['src/plain.js', 'src/price.js', 'src/words.js']);
      expect(adapter.coverage.every(c => !('run.js' in c.files))).toBe(true);
    });
  }, 60_000);

  it('the only process, if no other ran a test', () => {
    const own = {
      'src/price.js': files['src/price.js'],
      'src/plain.js': files['src/plain.js'],
      'check.js': [
        "const { total } = require('./src/price.js');",
        "console.log('TAP version 13\\n1..1');",
        "try { total([]); console.log('ok 1 - total'); } catch (e) { console.log('not ok 1 - total'); process.exitCode = 1; }",
        '',
      ].join('\n'),
    };
    return opened(own, 'node check.js --all', adapter =>
      expect(shown(suspectsOf(adapter))).toEqual([
        'src/plain.js:1 0.75',
        ...[1, 2, 3, 6].map(line => `src/price.js:${line} 0.75`),
      ]),
    );
  }, 60_000);

  it('sources, through the maps of what ran', () => {
    const source = [
      'enum Kind { A, B }',
      'export const kindOf = (n: number): Kind => {',
      '  if (n > 1) {',
      '    return Kind.B;',
      '  }',
      '  return Kind.B;',
      '};',
      '',
    ].join('\n');
    const options = { mode: 'transform', sourceMap: true, sourceUrl: '../src/kind.ts' } as const;
    const own = {
      'src/kind.ts': source,
      'lib/kind.mjs': stripTypeScriptTypes(source, options),
      'test/kind.test.mjs': [
        "import assert from 'node:assert/strict';",
        "import { kindOf } from '../lib/kind.mjs';",
        'assert.equal(kindOf(0), 0);',
        '',
      ].join('\n'),
      'run.js': runner(inProcess, 'file'),
    };
    return opened(own, 'node run.js --all', adapter =>
      expect(shown(suspectsOf(adapter))).toEqual(
        [1, 2, 3, 6].map(line => `src/kind.ts:${line} 0.75`),
      ),
    );
  }, 60_000);

  it('TypeScript that Node runs without its types', () => {
    const own = {
      'src/price.ts':
        'interface Price { cents: number }\nexport const cents = (p: Price): number =>\n  p.cents + 1;\n',
      'test/price.test.mjs': [
        "import assert from 'node:assert/strict';",
        "import { cents } from '../src/price.ts';",
        'assert.equal(cents({ cents: 1 }), 1);',
        '',
      ].join('\n'),
      'run.js': runner(inProcess, 'file'),
    };
    return opened(own, 'node run.js --all', adapter =>
      expect(shown(suspectsOf(adapter))).toEqual(['src/price.ts:2 0.75', 'src/price.ts:3 0.75']),
    );
  }, 60_000);
});

describe('a whole command has no lines', () => {
  const printed =
    "printf 'TAP version 13\\n1..2\\nnot ok 1 - test/price.test.js\\nok 2 - words\\n'";

  it.each([
    ['of what is no Node', `${printed}; exit 1`],
    [
      'if the failing process ends before it writes any',
      `node test/words.test.js; ${printed}; exit 1`,
    ],
  ])(
    '%s',
    (_, command) => opened(files, command, adapter => expect(adapter.coverage).toEqual([])),
    60_000,
  );

  it('and does not run once more, if no case fails', () => {
    const command = 'node test/words.test.js; printf "TAP version 13\\n1..1\\nok 1 - words\\n"';
    return opened(files, command, ({ coverage }, ran) => {
      expect(coverage).toEqual([]);
      expect(ran.filter(line => line.includes(command))).toHaveLength(1);
    });
  }, 60_000);
});

describe('node:test, a process for each candidate', () => {
  it('has the lines of each test file', () => {
    const cased = (name: string, text: string) =>
      `const test = require('node:test');\n${text.replace(/^assert.*$/m, line => `test('${name}', () => ${line.slice(0, -1)});`)}`;
    const own = {
      ...files,
      'test/price.test.js': cased('sums', files['test/price.test.js']),
      'test/words.test.js': cased('splits', files['test/words.test.js']),
    };
    return opened(own, 'node --test --test-name-pattern="sums|splits"', adapter => {
      expect(adapter.name).toBe('node:test, a process for each candidate');
      expect(shown(suspectsOf(adapter))).toEqual(expected);
    });
  }, 60_000);
});

const suite = (count: number, failing: (i: number) => boolean): readonly CaseResult[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `t${i % 2}.js > ${i}`,
    file: `t${i % 2}.js`,
    status: failing(i) ? 'failed' : 'passed',
  }));

describe('the cases whose lines are recorded', () => {
  it('are all of a small suite', () => {
    expect(casesToCover(suite(1000, i => i === 1))).toBeUndefined();
  });

  it('are the failing ones of a large suite, and a share of the others from every file', () => {
    const chosen = casesToCover(suite(20_000, i => i === 19_999)) ?? [];
    expect(chosen[0]).toBe('t1.js > 19999');
    expect(chosen).toHaveLength(401);
    expect(new Set(chosen).size).toBe(401);
    expect(chosen.filter(id => id.startsWith('t0.js'))).toHaveLength(200);
  });

  it('bound the work if every case fails, and the others lead nowhere', () => {
    const cases = suite(20_000, () => true);
    const chosen = casesToCover(cases);
    expect(chosen).toHaveLength(200);
    const ran = (chosen ?? []).map(
      (id): Coverage => ({ id, file: id.split(' > ')[0] ?? '', files: { 'src/a.js': [1, 2] } }),
    );
    const coverage = withLeftOut(ran, cases, chosen);
    const suspects = localise({ cases, coverage, mayChange: path => path.startsWith('src/') });
    expect(suspects).toEqual([1, 2].map(line => ({ path: 'src/a.js', line, score: 1 })));
  });
});
