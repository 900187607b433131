/** What one natural mistake of a model costs: no refusal and no round, unless a patch depends on it. In strict mode the letter holds. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { begin, done, look, prove, repair, sampleTest } from '../doubles/sample.ts';
import { activate, call, command, giveUp, planOf, replaceLine, turnOf } from '../doubles/steps.ts';
import { playsVariants, sample } from '../seed.ts';
import { probe } from './probe.ts';

const read = (file_path: string, more: object = {}) =>
  call('read_code_block', { requests: [{ file_path, ...more }] });
const grep = (pattern: string) => call('grep', { pattern });

/** A reply with reasoning enough for the letter. */
const twice = ({ text, calls = [] }: ScriptedTurn): ScriptedTurn => ({
  text: `${text} The tests will show it.`,
  calls,
});

describe('finish beside a change that was not made', () => {
  const [repairCall] = repair.calls ?? [];
  const [finishCall] = done.calls ?? [];
  if (repairCall === undefined || finishCall === undefined) throw new Error('no calls');
  const both = turnOf('One line is wrong. I replace it and end the run.', repairCall, finishCall);

  it('waits: the patch lay outside the plan', async () => {
    const elsewhere = turnOf(
      'The wrong file is planned.',
      activate('test-repair'),
      planOf(['src/ship.js']),
    );
    const { refused, results, outcome } = await probe({
      script: [
        elsewhere,
        look,
        both,
        turnOf('The plan is amended.', planOf(['src/price.js'])),
        both,
      ],
    });
    expect(refused).toEqual({ PLAN_SCOPE: 1 });
    expect(results[2]?.[1]).toMatch(/^not run: a change that this reply asks for was not made\. /);
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  });

  it('waits: the patch failed its verification in the same reply', async () => {
    const change = (divisor: number) =>
      replaceLine(
        'src/price.js',
        4,
        `  return Math.round(total * (1 - discountPercent / ${divisor}));`,
      );
    const text = 'The divisor is wrong. I replace it, verify the patch and end the run.';
    const all = (divisor: number) => turnOf(text, change(divisor), call('verify', {}), finishCall);
    const again = turnOf('Percent means a hundred.', change(100), call('verify', {}), finishCall);
    const { refused, results, outcome } = await probe({ script: [begin, look, all(20), again] });
    expect(refused).toEqual({});
    expect(results[2]?.[2]).toMatch(
      /^not run: the patch did not pass the verification of this reply, so change it first\. /,
    );
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });

    const failing = [change(20), call('verify', {}), call('undo', {})];
    const calls = [...failing, change(100), call('verify', {}), finishCall];
    const repaired = await probe({ script: [begin, look, turnOf(text, ...calls)] });
    expect(repaired.outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
  });

  const waits = async (first: ScriptedTurn, cause: string) => {
    const { refused, results, outcome } = await probe({
      script: [
        begin,
        look,
        first,
        turnOf('One line is wrong. I replace it.', repairCall),
        prove,
        done,
      ],
      files: { '.gitignore': 'build/\n' },
    });
    expect(results[2]?.slice(-2)).toEqual(
      Array(2).fill(expect.stringMatching(new RegExp(`^not run: ${cause}\\. `))),
    );
    expect({ refused, status: outcome.status }).toEqual({ refused: {}, status: 'written' });
  };
  const [proveCall] = prove.calls ?? [];
  if (proveCall === undefined) throw new Error('no call');

  it('waits: a command made the change, which was put back, and verify waits, too', async () => {
    const sed = command("sed -i 's:/ 10):/ 100):' src/price.js");
    const first = turnOf('I replace it by a command and end the run.', sed, proveCall, finishCall);
    await waits(first, 'what a command of this reply wrote to project files is not in the patch');
  });

  it.runIf(playsVariants)('waits: the reply took its change back', async () => {
    const first = turnOf('No.', repairCall, call('undo', {}), proveCall, finishCall);
    await waits(
      { ...first, text: 'I replace the line, take that back and end the run.' },
      'this reply took a change back',
    );
  });

  it('a verification without a patch passes nothing, and shows the project as it is', async () => {
    const { results, outcome } = await probe({ script: [begin, look, prove, giveUp] });
    expect(results[2]?.[0]).toMatch(
      /^There is no patch, so nothing was verified\. The project as it is: exit 1/,
    );
    expect(outcome.verification).toBeNull();
  });
});

it('a model that says nothing is refused for ten rounds at most, whatever the number of calls in each', async () => {
  const eight = { calls: Array.from({ length: 8 }, () => command('ls')) };
  const { refused, rounds, outcome } = await probe({
    script: (_body, index) => (index === 0 ? begin : eight),
  });
  expect(outcome).toMatchObject({ status: 'failed', code: 'CORRECTIONS_EXHAUSTED' });
  expect({ refused, rounds }).toEqual({ refused: { THINK_MISSING: 11 }, rounds: 12 });
});

it('an answer in the first reply ends the run; by the letter, it needs a plan', async () => {
  const answer = turnOf(
    'Ten percent are a tenth.',
    call('finish', { reason: 'It is asked.', answer: 'A tenth.' }),
  );
  const task = 'What are ten percent?';
  const { outcome, refused, rounds } = await probe({ script: [answer], task });
  expect(outcome).toMatchObject({ status: 'answered', code: 'TASK_ANSWERED' });
  expect({ refused, rounds }).toEqual({ refused: {}, rounds: 1 });
  const script = [answer, giveUp].map(twice);
  expect((await probe({ script, task, strict: true })).refused).toEqual({ PLAN_MISSING: 1 });
});

describe('reads of one reply', () => {
  const fillers = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`lib/part${i}.js`, `export const part${i} = ${i};\n`]),
  );
  const test = `echo "  at run (file://$PWD/lib/part7.js:1:1)"; ${sampleTest}`;
  const files = {
    ...fillers,
    'package.json': `{"name":"sample","type":"module","scripts":{"test":${JSON.stringify(test)}}}\n`,
  };

  it('of a file that failing tests name, beside one that nothing led to, which alone is refused', async () => {
    const reply = turnOf(
      'I read them.',
      read('lib/part7.js'),
      read('lib/part3.js'),
      read('src/price.js'),
    );
    const { refused, results, requests } = await probe({ script: [begin, reply, giveUp], files });
    expect(JSON.stringify(requests[0])).toMatch(/file:\/\/[^"]*\/lib\/part7\.js/);
    expect(refused).toEqual({ NAVIGATION_MISSING: 1 });
    expect(results[1]?.[0]).toMatch(/NAVIGATION_MISSING.*lib\/part3\.js.*part7 = 7;.*orderTotal/s);
    expect(results[1]?.[0]).not.toContain('part3 = 3;');
  });
});

it('arguments by the names of other agents are read; the right names answer any other', async () => {
  const looks = turnOf(
    'I look for the discount.',
    call('grep', { query: 'discountPercent' }),
    call('find_definition', { name: 'orderTotal' }),
    call('read_code_block', { requests: ['src/price.js'] }),
    call('read_code_block', { file: 'src/price.js', symbol: 'orderTotal' }),
    call('list_project_files', { where: 'src' }),
  );
  const [{ calls = [] }, text] = [repair, 'It is divided by 10.'];
  const both = turnOf(text, ...calls, call('finish', { message: 'A percent is a hundredth.' }));
  const { refused, results, outcome } = await probe({ script: [begin, looks, both] });
  expect(refused).toEqual({ ARGUMENTS_INVALID: 1 });
  expect(results[1]?.at(-1)).toBe(
    'ARGUMENTS_INVALID: there is no key "where" here; the keys are folder, pattern. Correct the arguments and send the call again.',
  );
  expect(outcome).toMatchObject({ status: 'written', summary: 'A percent is a hundredth.' });
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
  it('lets a whole repair through that keeps to it', async () => {
    const found = turnOf('I look for the price.', grep('discountPercent'));
    const lines = turnOf('I read the lines.', read('src/price.js', { start_line: 1, end_line: 6 }));
    const script = [begin, found, lines, repair, prove, done].map(twice);
    const { outcome, patch: made, refused, rounds } = await probe({ script, files });
    expect({ refused, rounds }).toEqual({ refused: {}, rounds: script.length });
    expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
    expect(made).toContain('+  return Math.round(total * (1 - discountPercent / 100));');
    expect(outcome.notes.join('\n')).toContain(
      'constitution.md states the letter of the constitution (lines 3, 4, 5)',
    );
  });
});

describe('a patch in a form that other agents take', () => {
  const wrong = '  return Math.round(total * (1 - discountPercent / 10));';
  const right = wrong.replace('10)', '100)');
  const change = (args: object): ScriptedTurn =>
    turnOf('The percentage is divided by 10 instead of 100.', call('apply_patch', args));
  const envelope = (file: string) =>
    `*** Begin Patch\n*** Update File: ${file}\n@@\n-${wrong}\n+${right}\n*** End Patch`;
  const forms = {
    'a unified diff with wrong numbers': {
      patch: `--- a/src/price.js\n+++ b/src/price.js\n@@ -9,2 +9,2 @@\n-${wrong}\n+${right}\n }\n`,
    },
    'the envelope of codex': { input: envelope('src/price.js') },
    'a part of a line': {
      file_path: 'src/price.js',
      old_string: 'discountPercent / 10)',
      new_string: 'discountPercent / 100)',
    },
  };

  it.each(sample('forms of a patch', Object.entries(forms), 1))(
    '%s is written, and counts as read',
    async (_name, args) => {
      const {
        refused,
        patch: made,
        calls,
        outcome,
      } = await probe({
        script: [begin, look, change(args), prove, done],
      });
      expect({ refused, status: outcome.status }).toEqual({ refused: {}, status: 'written' });
      expect(made).toContain(`\n-${wrong}\n+${right}\n`);
      const written = calls.find(c => c.tool === 'apply_patch');
      expect(written?.facts).toMatchObject({ readBy: 'photon' });
      expect(outcome.notes.filter(note => note.includes('did not fit'))).toEqual([]);
    },
  );

  it('is refused by the letter', async () => {
    const lines = turnOf('I read the lines.', read('src/price.js', { start_line: 1, end_line: 6 }));
    const found = turnOf('I look for the price.', grep('discountPercent'));
    const script = [begin, found, lines, change(forms['the envelope of codex']), giveUp].map(twice);
    const { refused, results } = await probe({ script, strict: true });
    expect(refused).toEqual({ ARGUMENTS_INVALID: 1 });
    expect(results[3]?.[0]).toContain('there is no key "input" here; the keys are files, ');
  });
});
