/** Each shipped skill, through the built engine on a real small repository, to a real outcome. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repairScript, sampleFiles } from '../doubles/sample.ts';
import { activate, call, command, planOf, readLines, say } from '../doubles/steps.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { sample } from '../seed.ts';
import { type Played, play, type Scenario } from './scenario.ts';

const begin = (skill: string, files: readonly string[], lines = 40) =>
  say(activate(skill), planOf(files, lines), call('list_project_files', {}));
const edit = (path: string, line: number, content: string, end = line) => ({
  path,
  edits: [{ start_line: line, end_line: end, content }],
});
const patch = (...files: object[]) => call('apply_patch', { files });
const end = [say(call('verify', {})), say(call('finish', { reason: 'It is done as asked.' }))];

/** The sample with its defect repaired. */
const sound: Record<string, string> = {
  ...sampleFiles,
  'src/price.js': (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)'),
};

const answers = (run: Played): string =>
  (run.model.requests.at(-1)?.body.messages ?? [])
    .filter(m => m.role === 'tool')
    .map(m => String(m.content))
    .join('\n');

/** Text of a file on the branch that the run made. */
const delivered = ({ github, outcome }: Played, path: string): string =>
  github.store.git(['show', `${outcome.delivered.branch}:${path}`]);

const changed = ({ outcome }: Played) => outcome.patch.files.map(f => f.path);

function expectProven(run: Played, skill: string): void {
  const { outcome } = run;
  expect(outcome, run.log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
  expect(outcome.verification).toMatchObject({ passed: true, after: { exitCode: 0 } });
  expect(outcome.verification?.patchDigest).toBe(outcome.patch.digest);
  expect(outcome.skills).toEqual([
    expect.objectContaining({
      name: skill,
      activations: 1,
      version: expect.stringMatching(/^1\./),
    }),
  ]);
}

/** Plays it with the project's tests counted, unless the scenario has a command of its own. */
const runs = (scenario: Scenario, check: (run: Played) => void | Promise<void>) => {
  const counted = { 'test-command': 'node --test --test-reporter=tap', verify: 'no-regression' };
  return play({ ...scenario, inputs: scenario.inputs ?? counted }, check);
};

const chosen = sample('skills', readdirSync(join(root, 'skills')).sort(), 1);
const shows = (title: string, test: () => Promise<void>) =>
  it.runIf(chosen.some(name => title.startsWith(`${name} `)))(title, test);

describe('each shipped skill, on a real small repository', () => {
  shows('code-modify changes one behaviour', async () => {
    const scenario = {
      files: sound,
      task: 'shipsFree in src/price.js must take an amount for which shipping is free, 5000 by default.',
      script: [
        begin('code-modify', ['src/price.js']),
        say(call('find_references', { symbol: 'shipsFree' }), readLines('src/price.js', 7, 10)),
        say(
          patch(
            edit(
              'src/price.js',
              8,
              'export function shipsFree(total, from = 5000) {\n  return total >= from;',
              9,
            ),
          ),
        ),
        say(
          command(
            'node -e "import(\'./src/price.js\').then(p => console.log(p.shipsFree(70, 60)))"',
          ),
        ),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'code-modify');
      expect(answers(run)).toContain('true');
      expect(delivered(run, 'src/price.js')).toContain('total >= from');
      expect(changed(run)).toEqual(['src/price.js']);
    });
  });

  shows('test-repair repairs the code, and is not let near the tests', async () => {
    const [first, ...rest] = repairScript;
    const cheat = say(
      planOf(['test/price.test.js', 'src/price.js'], 9),
      call('list_project_files', {}),
      readLines('test/price.test.js', 1, 12),
      patch(edit('test/price.test.js', 6, '  assert.ok(true);')),
    );
    await runs({ script: [first ?? cheat, cheat, ...rest] }, run => {
      expectProven(run, 'test-repair');
      expect(answers(run)).toContain('SKILL_GUARD: test-repair: test/price.test.js is in @tests');
      expect(run.outcome.decisions).toContainEqual(
        expect.objectContaining({
          code: 'SKILL_GUARD',
          state: 'abstain',
          section: '§5.1',
          count: 1,
        }),
      );
      expect(changed(run)).toEqual(['src/price.js']);
    });
  });

  shows('test-writing adds tests that run, and changes no code', async () => {
    const test = [
      "import assert from 'node:assert/strict';",
      "import test from 'node:test';",
      "import { shipsFree } from '../src/price.js';",
      '',
      "test('below the limit an order pays for shipping', () => {",
      '  assert.equal(shipsFree(4999), false);',
      '});',
      '',
    ].join('\n');
    const scenario = {
      files: sound,
      task: 'Write tests for shipsFree in src/price.js below its limit.',
      script: [
        begin('test-writing', ['src/price.js', 'test/ships.test.js']),
        say(readLines('src/price.js', 7, 10), readLines('test/price.test.js', 1, 12)),
        say(patch(edit('src/price.js', 9, '  return total > 5000;'))),
        say(patch({ path: 'test/ships.test.js', content: test.replace('false', 'true') })),
        say(command('node --test test/ships.test.js')),
        say(patch({ path: 'test/ships.test.js', content: test })),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'test-writing');
      expect(answers(run)).toContain('SKILL_GUARD: test-writing: src/price.js is outside @tests');
      // seen to fail once: against a wrong value
      expect(answers(run)).toMatch(/exit 1[\s\S]*below the limit/);
      const { baseline, after } = run.outcome.verification ?? {};
      expect(after?.cases?.passed).toBe((baseline?.cases?.passed ?? 0) + 1);
      expect(changed(run)).toEqual(['test/ships.test.js']);
    });
  });

  shows('lint-repair repairs findings, and switches no rule off', async () => {
    const lint = [
      "import { readFileSync } from 'node:fs';",
      "const bad = readFileSync('src/price.js', 'utf8').split('\\n')",
      "  .map((l, i) => [i + 1, l]).filter(([, l]) => /\\bvar\\b/.test(l) && !l.includes('eslint-disable'));",
      "for (const [n] of bad) console.log('src/price.js:' + n + ' no-var');",
      'process.exit(bad.length === 0 ? 0 : 1);',
      '',
    ].join('\n');
    const scripts = { test: 'node --test', lint: 'node tools/lint.js' };
    const scenario = {
      files: {
        ...sound,
        'package.json': JSON.stringify({
          name: 'sample',
          version: '1.0.0',
          type: 'module',
          scripts,
        }),
        'tools/lint.js': lint,
        'src/price.js': (sound['src/price.js'] ?? '').replace('const total', 'var total'),
      },
      inputs: { 'test-command': 'node --test && node tools/lint.js' },
      task: 'Repair what the linter reports (npm run lint).',
      script: [
        begin('lint-repair', ['src/price.js', 'package.json', 'src/new.js']),
        say(
          command('node tools/lint.js'),
          readLines('src/price.js', 1, 5),
          readLines('package.json', 1, 1),
        ),
        say(
          patch(
            edit(
              'src/price.js',
              3,
              '  var total = items.reduce((sum, item) => sum + item.price * item.count, 0); // eslint-disable-line',
            ),
          ),
        ),
        say(patch(edit('package.json', 1, '{}'))),
        say(patch({ path: 'src/new.js', content: 'export {};\n' })),
        say(
          patch(
            edit(
              'src/price.js',
              3,
              '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
            ),
          ),
        ),
        say(command('node tools/lint.js')),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'lint-repair');
      const told = answers(run);
      expect(told).toContain('src/price.js:3 no-var');
      expect(told).toContain(
        'SKILL_GUARD: lint-repair: src/price.js would silence a check with eslint-disable',
      );
      expect(told).toContain('SKILL_GUARD: lint-repair: package.json is in @manifests');
      expect(told).toContain('SKILL_GUARD: lint-repair: src/new.js would be a new file');
      expect(changed(run)).toEqual(['src/price.js']);
      expect(delivered(run, 'src/price.js')).not.toContain('eslint');
    });
  });

  shows('type-repair makes the checker silent by saying the truth', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const code = 'export function first(names: string[]): string {\n  return names[0];\n}\n';
    const files = {
      'package.json': JSON.stringify({ name: 'typed', type: 'module' }),
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"noUncheckedIndexedAccess":true,"noEmit":true,"types":[],"module":"nodenext"},"include":["src"]}\n',
      'src/names.ts': code,
    };
    const check = `${JSON.stringify(process.execPath)} ${tsc} -p .`;
    const scenario = {
      files,
      inputs: { 'test-command': check },
      task: 'The type checker reports an error in src/names.ts; repair it.',
      script: [
        begin('type-repair', ['src/names.ts', 'tsconfig.json']),
        say(command(check), readLines('src/names.ts', 1, 3), readLines('tsconfig.json', 1, 1)),
        say(patch(edit('src/names.ts', 2, '  return names[0] as any;'))),
        say(patch(edit('src/names.ts', 2, '  // @ts-ignore\n  return names[0];'))),
        say(patch({ path: 'tsconfig.json', content: '{}' })),
        say(
          patch(
            edit('src/names.ts', 1, 'export function first(names: string[]): string | undefined {'),
          ),
        ),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'type-repair');
      const told = answers(run);
      expect(told).toContain('TS2322');
      expect(told).toContain('would silence a check with as any');
      expect(told).toContain('would silence a check with @ts-ignore');
      expect(told).toContain('tsconfig.json is in @check-config');
      expect(run.outcome.verification?.baseline?.exitCode).not.toBe(0);
      expect(delivered(run, 'src/names.ts')).toContain('string | undefined');
    });
  });

  shows('dependency-update moves manifest, lock file and code together', async () => {
    const manifest = (n: number) =>
      `${JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', scripts: { test: 'node --test' }, dependencies: { pad: `file:deps/pad-${n}` } }, null, 2)}\n`;
    const lock = (n: number) =>
      `${JSON.stringify(
        {
          name: 'app',
          version: '1.0.0',
          lockfileVersion: 3,
          requires: true,
          packages: {
            '': { name: 'app', version: '1.0.0', dependencies: { pad: `file:deps/pad-${n}` } },
            [`deps/pad-${n}`]: { name: 'pad', version: `${n}.0.0` },
            'node_modules/pad': { resolved: `deps/pad-${n}`, link: true },
          },
        },
        null,
        2,
      )}\n`;
    const pad = (n: number, code: string) => ({
      [`deps/pad-${n}/package.json`]: JSON.stringify({
        name: 'pad',
        version: `${n}.0.0`,
        type: 'module',
        exports: './index.js',
      }),
      [`deps/pad-${n}/index.js`]: code,
    });
    // what a package manager does with a lock file, without one
    const install = [
      "import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';",
      "const read = path => JSON.parse(readFileSync(path, 'utf8'));",
      "const { resolved } = readLines('package-lock.json').packages['node_modules/pad'];",
      "if (readLines('package.json').dependencies.pad !== 'file:' + resolved) throw new Error('not in sync');",
      "mkdirSync('node_modules', { recursive: true });",
      "symlinkSync('../' + resolved, 'node_modules/pad');",
      '',
    ].join('\n');
    const files = {
      'tools/install.js': install,
      'package.json': manifest(1),
      'package-lock.json': lock(1),
      ...pad(1, 'export const pad = (text, width) => text.padStart(width);\n'),
      ...pad(2, 'export const pad = (text, { width }) => text.padStart(width);\n'),
      'src/price.js':
        "import { pad } from 'pad';\n\nexport const column = cents => pad(String(cents), 8);\n",
      'test/price.test.js':
        "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { column } from '../src/price.js';\n\ntest('eight wide', () => assert.equal(column(5), '       5'));\n",
    };
    const scenario = {
      files,
      inputs: { 'setup-command': 'node tools/install.js', 'test-command': 'node --test' },
      task: 'Update the dependency pad to 2.0.0 (deps/pad-2).',
      script: [
        begin('dependency-update', [
          'package.json',
          'package-lock.json',
          'src/price.js',
          'test/price.test.js',
        ]),
        say(
          readLines('photon:dependency-update/references/ecosystems.md', 1, 20),
          readLines('package.json', 1, 12),
          readLines('package-lock.json', 1, 24),
          readLines('src/price.js', 1, 3),
          command('cat deps/pad-2/index.js'),
        ),
        say(patch({ path: 'test/price.test.js', content: '' })),
        say(
          patch(
            { path: 'package.json', content: manifest(2) },
            { path: 'package-lock.json', content: lock(2) },
            edit(
              'src/price.js',
              3,
              'export const column = cents => pad(String(cents), { width: 8 });',
            ),
          ),
        ),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'dependency-update');
      expect(answers(run)).toContain('npm install --package-lock-only');
      expect(answers(run)).toContain(
        'SKILL_GUARD: dependency-update: test/price.test.js is in @tests',
      );
      expect(changed(run)).toEqual(['package-lock.json', 'package.json', 'src/price.js']);
      // a manifest is flagged, so that people look first
      expect(run.outcome.patch.files.find(f => f.path === 'package.json')?.flag).toContain(
        'steers',
      );
      expect([...run.github.state.pulls.values()][0]).toMatchObject({ draft: true });
    });
  });

  shows('docs-sync corrects documents, and no code', async () => {
    const scenario = {
      files: { ...sound, 'README.md': '# Sample\n\nOrders of 40.00 and more ship for free.\n' },
      task: 'Bring README.md in line with src/price.js.',
      script: [
        begin('docs-sync', ['README.md', 'src/price.js']),
        say(
          call('grep', { pattern: '5000' }),
          readLines('src/price.js', 7, 10),
          readLines('README.md', 1, 3),
        ),
        say(patch(edit('src/price.js', 9, '  return total >= 4000;'))),
        say(patch(edit('src/price.js', 7, '/** True when an order of 50.00 ships for free. */'))),
        say(patch(edit('README.md', 3, 'Orders of 50.00 and more ship for free.'))),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'docs-sync');
      expect(answers(run)).toContain('SKILL_GUARD: docs-sync: src/price.js is outside @docs');
      expect(changed(run)).toEqual(['README.md', 'src/price.js']);
      expect(delivered(run, 'README.md')).toContain('50.00');
    });
  });

  shows('dead-code-removal removes what nothing reaches', async () => {
    const scenario = {
      files: {
        ...sound,
        'src/price.js': `${sound['src/price.js']}\nfunction oldTotal(items) {\n  return items.length;\n}\n`,
      },
      task: 'Remove the dead code in src/price.js.',
      script: [
        begin('dead-code-removal', ['src/price.js', 'src/other.js']),
        say(
          call('find_references', { symbol: 'oldTotal' }),
          call('grep', { pattern: 'oldTotal' }),
          readLines('src/price.js', 7, 14),
        ),
        say(patch({ path: 'src/other.js', content: 'export {};\n' })),
        say(
          patch({ path: 'src/price.js', edits: [{ start_line: 11, end_line: 14, content: '' }] }),
        ),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'dead-code-removal');
      expect(answers(run)).toContain('src/other.js would be a new file');
      expect(delivered(run, 'src/price.js')).not.toContain('oldTotal');
      expect(run.outcome.patch.files[0]).toMatchObject({ path: 'src/price.js', removed: 4 });
    });
  });

  shows(
    'ci-repair finds the failed step in the log of a workflow, and repairs its cause',
    async () => {
      const time = '2026-02-01T12:00:00.0000000Z';
      const log = [
        `test\tUNKNOWN STEP\t${time} ##[group]Run npm ci`,
        `test\tUNKNOWN STEP\t${time} ##[endgroup]`,
        `test\tRun tests\t${time} ##[group]Run npm test`,
        `test\tRun tests\t${time} ##[endgroup]`,
        `test\tRun tests\t${time} \u001b[31mnot ok\u001b[0m 1 - a discount is taken off in percent`,
        `test\tRun tests\t${time}   expected: 1800`,
        `test\tRun tests\t${time}   actual: 0`,
        `test\tRun tests\t${time} ##[error]Process completed with exit code 1.`,
        '',
      ].join('\n');
      const [, look, repair] = repairScript;
      const scenario = {
        inputs: { 'sandbox-read': '.ci-logs' },
        cloned: (workspace: string) => {
          mkdirSync(join(workspace, '.ci-logs'));
          writeFileSync(join(workspace, '.ci-logs/failed.txt'), log);
        },
        task: 'The last CI run failed; its log is in .ci-logs/failed.txt. Repair the cause.',
        script: [
          begin('ci-repair', ['src/price.js']),
          say(
            command(
              'node .photon/active-skills/ci-repair/scripts/failed-steps.mjs .ci-logs/failed.txt',
            ),
          ),
          say(command('node --test')),
          look ?? say(),
          repair ?? say(),
          ...end,
        ],
      };
      await runs(scenario, run => {
        expectProven(run, 'ci-repair');
        const told = answers(run);
        expect(told).toContain('step: test / Run tests\ncommand: npm test\nexit: 1\n');
        expect(told).toContain('  | not ok 1 - a discount is taken off in percent');
        expect(told).toContain('error: Process completed with exit code 1.');
        // the script was lent to the command and is in no patch
        expect(changed(run)).toEqual(['src/price.js']);
      });
    },
  );

  shows('review-repair carries out each comment', async () => {
    const scenario = {
      files: sound,
      task: 'Carry out the review: (1) src/price.js:4, name the factor; (2) src/price.js:7, say that total is in cents.',
      script: [
        begin('review-repair', ['src/price.js']),
        say(call('grep', { pattern: 'discountPercent' }), readLines('src/price.js', 1, 10)),
        say(
          patch({
            path: 'src/price.js',
            edits: [
              {
                start_line: 4,
                content:
                  '  const factor = 1 - discountPercent / 100;\n  return Math.round(total * factor);',
              },
              {
                start_line: 7,
                content: '/** True when an order of this total, in cents, ships for free. */',
              },
            ],
          }),
        ),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'review-repair');
      expect(delivered(run, 'src/price.js')).toContain('total * factor');
      expect(delivered(run, 'src/price.js')).toContain('in cents, ships');
    });
  });

  shows('todo-to-issue-plan writes every note into one document, and changes no code', async () => {
    const notes = {
      'src/price.js': `${sound['src/price.js']}// TODO(ann): refuse a negative discount\n`,
      'src/tax.py':
        'def tax(total):\n    # FIXME: rounds half to even\n    return round(total * 0.2)\n',
    };
    const plan = [
      '# Plan',
      '',
      '## Refuse a negative discount',
      'Where: src/price.js:11. Done when orderTotal throws for it. Small.',
      '',
      '## Round tax half up',
      'Where: src/tax.py:2. Done when a tax of 0.5 becomes 1. Small.',
      '',
    ].join('\n');
    const scenario = {
      files: { ...sound, ...notes },
      task: 'Make a plan of issues out of the TODO notes.',
      script: [
        begin('todo-to-issue-plan', ['docs/todo-plan.md', 'docs/more.md', 'src/tax.py']),
        say(command('node .photon/active-skills/todo-to-issue-plan/scripts/list-todos.mjs')),
        say(readLines('src/tax.py', 1, 3), patch(edit('src/tax.py', 2, '    pass'))),
        say(
          patch(
            { path: 'docs/todo-plan.md', content: plan },
            { path: 'docs/more.md', content: '# More\n' },
          ),
        ),
        say(patch({ path: 'docs/todo-plan.md', content: plan })),
        ...end,
      ],
    };
    await runs(scenario, run => {
      expectProven(run, 'todo-to-issue-plan');
      const told = answers(run);
      const listed = [...told.matchAll(/^\{"path".*\}$/gm)].map(
        m =>
          JSON.parse(m[0]) as {
            path: string;
            line: number;
            tag: string;
            who: string;
            above: string;
          },
      );
      expect(listed).toEqual([
        expect.objectContaining({
          path: 'src/price.js',
          line: 11,
          tag: 'TODO',
          who: 'ann',
          above: 'shipsFree',
        }),
        expect.objectContaining({ path: 'src/tax.py', line: 2, tag: 'FIXME', above: 'tax' }),
      ]);
      const document = delivered(run, 'docs/todo-plan.md');
      for (const { path, line } of listed) expect(document).toContain(`${path}:${line}`);
      expect(told).toContain('src/tax.py is outside @docs');
      expect(told).toContain('the patch would change 2 files; the skill allows at most 1');
      expect(changed(run)).toEqual(['docs/todo-plan.md']);
    });
  });

  shows(
    'security-advisory-repair closes a weakness, with a test that fails without it',
    async () => {
      const weak =
        "import { readFileSync } from 'node:fs';\nimport { join } from 'node:path';\n\nexport const page = name => readFileSync(join('pages', name), 'utf8');\n";
      const closed = [
        "import { readFileSync } from 'node:fs';",
        "import { resolve, sep } from 'node:path';",
        '',
        "const root = resolve('pages');",
        'export const page = name => {',
        '  const path = resolve(root, name);',
        "  if (!path.startsWith(root + sep)) throw new Error('no such page');",
        "  return readFileSync(path, 'utf8');",
        '};',
        '',
      ].join('\n');
      const test = [
        "import assert from 'node:assert/strict';",
        "import test from 'node:test';",
        "import { page } from '../src/page.js';",
        '',
        "test('a page is read', () => assert.equal(page('a.txt'), 'A'));",
        "test('what lies outside is no page', () => assert.throws(() => page('../package.json')));",
        '',
      ].join('\n');
      const files = { ...sound, 'src/page.js': weak, 'pages/a.txt': 'A' };
      const scenario = {
        files,
        task: 'Security advisory: CWE-22, page() in src/page.js reads files outside of pages. Repair it with tests.',
        script: [
          begin('security-advisory-repair', ['src/page.js', 'test/page.test.js']),
          say(
            call('find_references', { symbol: 'page' }),
            readLines('src/page.js', 1, 4),
            readLines('photon:security-advisory-repair/references/weaknesses.md', 1, 10),
          ),
          say(
            patch(
              { path: 'src/page.js', content: closed },
              { path: 'test/page.test.js', content: test },
            ),
          ),
          say(command('node --test test/page.test.js')),
          ...end,
        ],
      };
      await runs(scenario, run => {
        expectProven(run, 'security-advisory-repair');
        expect(answers(run)).toContain('22 path traversal');
        expect(run.outcome.verification?.after?.cases?.passed).toBe(4);
        expect(changed(run)).toEqual(['src/page.js', 'test/page.test.js']);
        expect(
          failsWithout(files, { 'test/page.test.js': delivered(run, 'test/page.test.js') }),
        ).toBe(true);
      });
    },
  );
});

/** Does a new test fail on the files as they were? */
function failsWithout(files: Record<string, string>, tests: Record<string, string>): boolean {
  const folder = makeFolder();
  try {
    for (const [path, text] of Object.entries({ ...files, ...tests })) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    execFileSync(process.execPath, ['--test'], {
      cwd: folder,
      stdio: 'pipe',
      env: { PATH: process.env.PATH ?? '' },
    });
    return false;
  } catch {
    return true;
  } finally {
    discard(folder);
  }
}
