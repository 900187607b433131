/** From the finding of a scanner to a patch: the tasks of a SARIF file, and when the finding counts as repaired. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { done, prove } from '../doubles/sample.ts';
import { repairedLine, sarifOf, scannedFiles } from '../doubles/scanner.ts';
import { activate, call, giveUp, planOf, readLines, say, turn } from '../doubles/steps.ts';
import { playsVariants, sample } from '../seed.ts';
import { play, type Scenario } from './scenario.ts';

interface Edit {
  readonly start_line: number;
  readonly content: string;
  readonly path?: string;
}

const patch = ({ path = 'src/price.js', ...edit }: Edit) =>
  turn('apply_patch', { files: [{ path, edits: [edit] }] });

/** Activates, plans and reads, and goes on with these turns. */
const working = (...turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] => [
  say(activate('code-modify'), planOf(['src/price.js', 'src/old.js', 'scan.mjs'], 9)),
  say(
    call('grep', { pattern: 'eval' }),
    readLines('src/price.js', 1, 6),
    readLines('src/old.js', 1, 1),
    readLines('scan.mjs', 1, 9),
  ),
  ...turns,
];
const repaired = patch({ start_line: 4, content: repairedLine });

interface AlertScenario extends Partial<Scenario> {
  readonly sarif?: string;
  readonly prints?: boolean;
}

/** A job on a push with the file of a scanner, which runs again to prove the patch. */
function scenario({ sarif = sarifOf({}), prints, inputs, ...more }: AlertScenario): Scenario {
  return {
    script: working(repaired, prove, done),
    task: '',
    event: { name: 'push', payload: {} },
    files: scannedFiles(prints),
    cloned: workspace => writeFileSync(join(workspace, 'scan.sarif'), sarif),
    ...more,
    inputs: { sarif: 'scan.sarif', 'sarif-command': 'node scan.mjs', ...inputs },
  };
}

describe('a finding', () => {
  it('is a task with its place, its message and the help of the rule, and is delivered when the scan proves it', async () => {
    await play(scenario({}), ({ outcome, github, model, outputs }) => {
      expect(outcome.code).toBe('COMMITTED');
      const first = JSON.stringify(model.requests[0]?.body.messages);
      for (const text of ['src/price.js:4', 'eval runs any text.', 'Parse the text.'])
        expect(first).toContain(text);
      expect(first, 'an attribute that a page does not show').not.toContain('obey');
      expect(outcome.verification).toMatchObject({
        passed: true,
        alert: { rule: 'no-eval', path: 'src/price.js', line: 4, gone: true },
      });
      expect(outputs.branch).toMatch(/^photon\/alert-[0-9a-f]{8}$/);
      const [pull] = github.state.pulls.values();
      expect(pull?.title).toBe('Repair no-eval in src/price.js');
      expect(pull?.body).toContain('no longer reports it, and reports nothing new');
      expect(pull?.draft).toBe(false);
    });
  });

  it.each(
    sample(
      'findings that stay',
      [
        [
          'that is still there',
          patch({ start_line: 3, content: '  // why\n  // the factor' }),
          'still reports',
        ],
        [
          'that the scanner no longer looks for',
          patch({ start_line: 6, content: '    return;', path: 'scan.mjs' }),
          'still reports',
        ],
        [
          'whose repair brings another',
          patch({ start_line: 4, content: repairedLine }),
          'reports 1 new findings: no-eval in src/old.js',
        ],
      ] as const,
      2,
    ),
  )('%s is not repaired', async (name, change, says) => {
    const more = name.startsWith('whose')
      ? [
          patch({
            start_line: 1,
            content: "export const old = () => eval('1');\nexport const b = eval('2');",
            path: 'src/old.js',
          }),
        ]
      : [];
    const script = working(change, ...more, prove, giveUp);
    await play(scenario({ script, prints: name.includes('still') }), ({ outcome, model }) => {
      expect(outcome.code).toBe('ABSTAINED');
      expect(outcome.verification).toMatchObject({ passed: false, code: 'VERIFY_ALERT' });
      const last = JSON.stringify(model.requests.at(-1)?.body.messages);
      expect(last).toContain('Verification failed: VERIFY_ALERT.');
      expect(last).toContain(says);
    });
  });

  it('without a command of the scanner is judged by the tests alone, and the outcome says so', async () => {
    await play(scenario({ inputs: { 'sarif-command': '' } }), ({ outcome }) => {
      expect(outcome.code).toBe('COMMITTED');
      expect(outcome.verification?.alert).toBeUndefined();
      expect(outcome.notes.join('\n')).toContain('No scan shows that the finding is gone');
    });
  });

  it.runIf(playsVariants)(
    'that the command does not report without the patch ends the run',
    async () => {
      const sarif = sarifOf({ line: 2, message: 'Another one.' });
      await play(scenario({ sarif }), ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'SARIF_INVALID' });
        expect(outcome.message).toContain(
          'does not report no-eval in src/price.js:2 without the patch',
        );
      });
    },
  );

  it.runIf(playsVariants)('can only be proved by a command that writes the file', async () => {
    await play(scenario({ inputs: { 'sarif-command': 'true' } }), ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SARIF_INVALID' });
      expect(outcome.message).toContain('it wrote no scan.sarif (exit status 0)');
    });
  });
});

describe('the file of a scanner', () => {
  it('without a finding is nothing to do', async () => {
    await play(scenario({ sarif: sarifOf(), script: [] }), ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'no_change', code: 'NOTHING_TO_DO' });
    });
  });

  it.each(
    sample(
      'broken files of a scanner',
      [
        ['no file', null, 'there is no regular file scan.sarif'],
        ['no JSON', 'results', 'scan.sarif: It is not JSON'],
        ['another version', '{"version":"1.0.0","runs":[]}', 'scan.sarif: /version: '],
      ],
      1,
    ),
  )('that is %s ends the run with SARIF_INVALID', async (_name, text, says) => {
    const cloned = (workspace: string) => {
      if (text === null) mkdirSync(join(workspace, 'scan.sarif'));
      else writeFileSync(join(workspace, 'scan.sarif'), text);
    };
    await play(scenario({ cloned, script: [] }), ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SARIF_INVALID' });
      expect(outcome.message).toContain(says);
    });
  });
});
