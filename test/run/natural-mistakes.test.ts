/** What one natural mistake of a model costs: no refusal and no round, unless a patch depends on it. In strict mode the letter holds. */
import { describe, expect, it } from 'vitest';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';
import { begin, done, look, prove, repair, sampleFiles } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { type Probe, type Probed, probe } from './probe.ts';

const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const turn = (text: string, ...calls: ScriptedCall[]): ScriptedTurn => ({ text, calls });
const read = (file_path: string, more: object = {}) =>
  call('read_code_block', { requests: [{ file_path, ...more }] });
const grep = (pattern: string) => call('grep', { pattern });
const run = (command: string) => call('run_command', { command });
const activate = call('skill_activate', { skill_name: 'test-repair' });
const planOf = (...affected_files: string[]) =>
  call('plan', { entry_symbols: ['orderTotal'], affected_files, scope: 'the discount' });
const patch = (...files: object[]) => call('apply_patch', { files });
const stop = turn(
  'Nothing more is to be seen here.',
  call('abstain', { reason: 'enough was seen' }),
);
const answerWith = (answer: string) =>
  turn(
    'The code answers the question, so I say it.',
    call('finish', { reason: 'it is answered', answer }),
  );

const readPrice = turn(
  'The price is made in one short file. I read it whole.',
  read('src/price.js'),
);

const longLines = (count: number) =>
  Array.from({ length: count }, (_, i) => `export const line${i + 1} = ${i + 1};\n`).join('');
const longFile = { 'src/long.js': longLines(900) };

type Turns = readonly ScriptedTurn[];

/** A conversation that ends where it should, without a refusal and with no more rounds than it has turns. */
async function plays(given: Omit<Probe, 'script'> & { readonly script: Turns }): Promise<Probed> {
  const played = await probe(given);
  expect({ refused: played.refused, rounds: played.rounds }).toEqual({
    refused: {},
    rounds: given.script.length,
  });
  return played;
}

async function repairs(
  script: readonly ScriptedTurn[],
  more: Partial<Omit<Probe, 'script'>> = {},
): Promise<Probed> {
  const played = await plays({ script, ...more });
  expect(played.outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  expect(played.patch).toContain('+  return Math.round(total * (1 - discountPercent / 100));');
  return played;
}

describe('a file that no look has led to', () => {
  it('is refused with the answer of its lookup when it is tracked, which costs one round', async () => {
    const guess = turn('The manifest may name the unit.', read('package.json'));
    const { calls, refused, results, outcome } = await probe({
      script: [begin, guess, guess, readPrice, repair, prove, done],
    });
    expect({ refused, status: outcome.status }).toEqual({
      refused: { NAVIGATION_MISSING: 1 },
      status: 'written',
    });
    expect(results[1]?.[0]).toMatch(/^NAVIGATION_MISSING: [\s\S]*package\.json/);
    const made = calls.filter(c => c.facts?.by === 'photon');
    expect(made.map(c => c.call?.events)).toMatchObject([
      [{ kind: 'navigated', files: ['package.json'] }],
    ]);
  });

  it.each([
    ['the plan', []],
    ['a command', [turn('I see what is there.', run('git ls-files'))]],
  ])('is none after %s has named it', async (_name, before) => {
    await repairs([begin, ...before, readPrice, repair, prove, done]);
  });

  it('is refused alone, with similar names, when it does not exist', async () => {
    const { refused, results, rounds } = await probe({
      script: [
        begin,
        turn('I read the price.', read('src/prices.js')),
        readPrice,
        repair,
        prove,
        done,
      ],
    });
    expect({ refused, rounds }).toEqual({ refused: { NAVIGATION_MISSING: 1 }, rounds: 6 });
    expect(results[1]?.[0]).toContain('src/prices.js does not exist; similar paths: src/price.js');
  });
});

it('an edit that ends before its start is refused, and not taken for an insertion', async () => {
  const backwards = patch({
    path: 'src/price.js',
    edits: [{ start_line: 5, end_line: 2, content: 'x' }],
  });
  const { refused, results, outcome } = await probe({
    script: [begin, readPrice, turn('I put a line before it.', backwards), repair, prove, done],
  });
  expect({ refused, status: outcome.status }).toEqual({
    refused: { ARGUMENTS_INVALID: 1 },
    status: 'written',
  });
  expect(results[2]?.[0]).toContain('only start_line - 1 inserts');
});

describe('looking before there is a plan', () => {
  it('leads to what a file is made in', async () => {
    const { patch: made } = await plays({
      script: [
        turn('Is there such a file already?', call('list_project_files', { folder: 'src' })),
        turn('It is not there, so I plan it.', activate, planOf('src/tax.js', 'src/price.js')),
        turn(
          'The rate goes into its file.',
          patch({ path: 'src/tax.js', content: 'export {};\n' }),
        ),
        look,
        repair,
        prove,
        done,
      ],
    });
    expect(made).toContain('src/tax.js');
  });

  it.runIf(playsVariants)('finds the file that is read after the plan', async () => {
    await repairs([
      turn('I search at once.', grep('discountPercent')),
      begin,
      readPrice,
      repair,
      prove,
      done,
    ]);
  });
});

describe('a plan that is refused', () => {
  it.runIf(!isXml)('counts once: what follows it in the reply is not run', async () => {
    const broken = call('plan', {
      entry_symbols: ['x'],
      affected_files: 7,
      scope: 'x',
    });
    const { refused, results } = await probe({
      script: [
        turn(
          'I plan the change and read on.',
          activate,
          broken,
          grep('discount'),
          patch({ path: 'src/price.js', content: 'export {};\n' }),
          call('undo', {}),
        ),
        stop,
      ],
    });
    expect(refused).toEqual({ ARGUMENTS_INVALID: 1 });
    expect(results[0]?.[2]).toContain('src/price.js');
    expect(results[0]?.slice(3)).toEqual([
      expect.stringMatching(/^not run: the plan before it was refused/),
      expect.stringMatching(/^not run: the plan before it was refused/),
    ]);
  });

  it('may name no file, and the schema that is sent says so: the answer to a question changes none', async () => {
    const { outcome, requests } = await plays({
      task: 'Where is the discount of an order computed?',
      script: [
        turn(
          'The question is about one function. I try a command, too.',
          planOf(),
          grep('discount'),
          read('src/price.js'),
          { name: 'run_command', arguments: { command: 'echo tried' } },
        ),
        answerWith('In `orderTotal`, src/price.js:4.'),
      ],
    });
    expect(outcome).toMatchObject({ status: 'answered', decisions: [] });
    if (isXml) return;
    const plan = requests[0]?.tools?.find(t => t.type === 'function' && t.function.name === 'plan');
    expect(JSON.stringify(plan)).toMatch(/"entry_symbols":\{"minItems":1,/);
    expect(JSON.stringify(plan)).not.toMatch(/"affected_files":\{[^}]*minItems/);
  });
});

describe('finish beside a change that was not made', () => {
  const [repairCall] = repair.calls ?? [];
  const [finishCall] = done.calls ?? [];
  if (repairCall === undefined || finishCall === undefined) throw new Error('no calls');
  const both = turn('One line is wrong. I replace it and end the run.', repairCall, finishCall);

  it('waits: the patch lay outside the plan', async () => {
    const elsewhere = turn('The wrong file is planned.', activate, planOf('src/ship.js'));
    const { refused, results, outcome } = await probe({
      script: [elsewhere, look, both, turn('The plan is amended.', planOf('src/price.js')), both],
    });
    expect(refused).toEqual({ PLAN_SCOPE: 1 });
    expect(results[2]?.[1]).toMatch(/^not run: a change that this reply asks for was not made\. /);
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  });

  it('waits: the patch failed its verification in the same reply', async () => {
    const change = (divisor: number) =>
      call('apply_patch', {
        files: [
          {
            path: 'src/price.js',
            edits: [
              {
                start_line: 4,
                content: `  return Math.round(total * (1 - discountPercent / ${divisor}));`,
              },
            ],
          },
        ],
      });
    const text = 'The divisor is wrong. I replace it, verify the patch and end the run.';
    const all = (divisor: number) => turn(text, change(divisor), call('verify', {}), finishCall);
    const again = turn('Percent means a hundred.', change(100), call('verify', {}), finishCall);
    const { refused, results, outcome } = await probe({ script: [begin, look, all(20), again] });
    expect(refused).toEqual({});
    expect(results[2]?.[2]).toMatch(
      /^not run: the patch did not pass the verification of this reply\. /,
    );
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });

    const failing = [change(20), call('verify', {}), call('undo', {})];
    const calls = [...failing, change(100), call('verify', {}), finishCall];
    const repaired = await probe({ script: [begin, look, turn(text, ...calls)] });
    expect(repaired.outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  });

  it('waits: the places were shown first', async () => {
    const replace = [{ old: 'discountPercent / 10)', new: 'discountPercent / 100)' }];
    const all = turn(
      'The divisor is wrong in two places. I replace it and end the run.',
      call('apply_patch', { replace }),
      finishCall,
    );
    const price = `${sampleFiles['src/price.js']}\nexport const note = 'discountPercent / 10)';\n`;
    const files = { 'src/price.js': price };
    const { refused, results, outcome } = await probe({ files, script: [begin, look, all, all] });
    expect(refused).toEqual({});
    expect(results[2]?.[0]).toContain('Nothing was changed yet.');
    expect(results[2]?.[1]).toMatch(/^not run: /);
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  });

  it('a verification without a patch says that it is of the project as it is', async () => {
    const { results } = await probe({ script: [begin, look, prove, stop] });
    expect(results[2]?.[0]).toMatch(
      /^Nothing is changed yet, so this is the project without a patch\. /,
    );
  });
});

describe('a patch of a protected file', () => {
  const alone = turn(
    'The workflow is mended.',
    patch({ path: '.github/x.yml', content: 'on: push\n' }),
  );

  it('alone is told once and ends the run at the second try', async () => {
    const {
      refused,
      outcome,
      patch: made,
    } = await probe({ script: [begin, look, alone, alone, stop] });
    expect(refused).toEqual({ PATH_PROTECTED: 2 });
    expect(outcome).toMatchObject({ status: 'failed', code: 'PATH_PROTECTED' });
    expect(made).toBe('');
  });
});

describe('a read of too much', () => {
  it('gives what a round may show, and where to go on', async () => {
    const { results } = await plays({
      files: longFile,
      script: [
        begin,
        turn(
          'All of it may matter.',
          grep('line899 '),
          read('src/long.js', { start_line: 1, end_line: 900 }),
        ),
        stop,
      ],
    });
    const text = results[1]?.[1] ?? '';
    expect(text).toMatch(/^L1-\d+ of 900/);
    expect(text).toMatch(
      /\[cut: L\d+-900 not shown; a result holds 12,000 bytes, so read them in another call\]$/,
    );
  });
});

describe('a command', () => {
  const sed = turn(
    'One line is replaced.',
    run("sed -i 's/ 10)/ 100)/' src/price.js && cat src/price.js"),
  );

  it('that changes a project file is put back, and ends nothing', async () => {
    const { results, calls } = await repairs([begin, look, sed, repair, prove, done]);
    const text = results[2]?.[0] ?? '';
    expect(text).toContain('not in the patch; apply_patch changes files');
    expect(calls.find(c => c.tool === 'run_command')).toMatchObject({
      decision: 'pass',
      paths: ['src/price.js'],
    });
  });

  it('that prints a tracked file counts with the reads of its round, and makes nothing editable', async () => {
    const { results, refused } = await probe({
      files: longFile,
      script: [
        begin,
        turn(
          'I print a part and read on.',
          call('list_project_files', { folder: 'src' }),
          run('sed -n 1,300p src/long.js; cat -n src/lo*.js | tail -n 100'),
          read('src/long.js', { start_line: 301, end_line: 700 }),
        ),
        repairOf('src/long.js'),
        stop,
      ],
    });
    expect(results[1]?.[2]).toContain('L301-400 of 900');
    expect(refused).toEqual({ PLAN_SCOPE: 1 });
  });
});

function repairOf(path: string): ScriptedTurn {
  return turn(
    'The first line is wrong.',
    patch({ path, edits: [{ start_line: 1, content: 'x' }] }),
  );
}

describe('a model that says nothing', () => {
  const silent = ({ calls = [] }: ScriptedTurn): ScriptedTurn => ({ calls });
  const withReason = ({ calls = [] }: ScriptedTurn): ScriptedTurn => ({
    calls: calls.map((c, i) => ({
      ...c,
      arguments:
        i === 0
          ? { reason: `Step ${c.name} is what the repair needs now.`, ...(c.arguments as object) }
          : c.arguments,
    })),
  });

  it.runIf(!isXml)(
    'with three calls at once reaches its end: looks run, and reason is asked for from then on',
    async () => {
      const first: ScriptedTurn = { calls: [...(begin.calls ?? []), grep('orderTotal')] };
      const { requests } = await repairs([
        first,
        ...[readPrice, repair, prove, done].map(withReason),
      ]);
      const asks = requests.map(r => /"name":"grep"[^}]*?\{"reason"/.test(JSON.stringify(r.tools)));
      expect(asks).toEqual([false, true, true, true, true]);
    },
  );

  it('is refused once a round where it acts, and the other acts of the reply are not run', async () => {
    const three = silent(
      turn('', ...(repair.calls ?? []), run('ls'), ...(prove.calls ?? []), grep('total')),
    );
    const { refused, results } = await probe({ script: [begin, look, three, repair, prove, done] });
    expect(refused).toEqual({ THINK_MISSING: 1 });
    expect(results[2]?.map(r => r.slice(0, 14))).toEqual([
      'THINK_MISSING:',
      'not run: the r',
      'not run: the r',
      expect.stringMatching(/^src\/price/),
    ]);
  });

  it('is refused for ten rounds at most, whatever the number of calls in each', async () => {
    const eight = { calls: Array.from({ length: 8 }, () => run('ls')) };
    const { refused, rounds, outcome } = await probe({
      script: (_body, index) => (index === 0 ? begin : eight),
    });
    expect(outcome).toMatchObject({ status: 'failed', code: 'CORRECTIONS_EXHAUSTED' });
    expect({ refused, rounds }).toEqual({ refused: { THINK_MISSING: 11 }, rounds: 12 });
  });
});

describe('a constitution whose text states the letter', () => {
  const letter = [
    '# Our rules',
    '',
    '- Planning is mandatory before any read or write.',
    '- All code access must be preceded by navigation. Guessing a file is forbidden.',
    '- Violations abort the execution.',
    '',
  ].join('\n');
  const files = { 'constitution.md': letter };
  const twice = ({ text, calls = [] }: ScriptedTurn): ScriptedTurn => ({
    text: `${text} The tests will show it.`,
    calls,
  });

  it('lets a whole repair through that keeps to it', async () => {
    const found = turn('I look for the price.', grep('discountPercent'));
    const lines = turn('I read the lines.', read('src/price.js', { start_line: 1, end_line: 6 }));
    const script = [begin, found, lines, repair, prove, done].map(twice);
    const { outcome } = await repairs(script, { files });
    expect(outcome.notes.join('\n')).toContain(
      'constitution.md states the letter of the constitution (lines 3, 4, 5)',
    );
  });

  it.runIf(!isXml)(
    'refuses a guess, a word too few, arguments of another type, and tools before their skill',
    async () => {
      const odd = turn('I read it. Then I mend it.', {
        name: 'read_code_block',
        arguments: { requests: '[{"file_path": "src/price.js"}]' },
      });
      const { refused, requests, outcome } = await probe({
        files,
        script: [
          turn('I plan.', planOf('src/price.js')),
          twice(turn('I plan.', planOf('src/price.js'))),
          twice(readPrice),
          odd,
          twice(stop),
        ],
      });
      expect(refused).toEqual({ THINK_MISSING: 1, NAVIGATION_MISSING: 1, ARGUMENTS_INVALID: 1 });
      expect(JSON.stringify(requests[0]?.tools)).not.toContain('apply_patch');
      expect(outcome.status).toBe('abstained');
    },
  );

  it('lets a question of a repository of Markdown end', async () => {
    const { outcome } = await probe({
      repository: { 'README.md': '# Prices\n', 'constitution.md': letter },
      options: ['--verify=none'],
      script: [
        turn(
          'I plan to look. Nothing changes.',
          call('plan', { entry_symbols: ['Prices'], affected_files: [], scope: 'a look' }),
        ),
        twice(turn('I list it.', call('list_project_files', {}))),
        twice(turn('I read it.', read('README.md'))),
        twice(answerWith('It is about prices.')),
      ],
      task: 'What is this project about?',
    });
    expect(outcome.status).toBe('answered');
  });
});
