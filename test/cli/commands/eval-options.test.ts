import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command } from '../../../src/cli/command.ts';
import {
  type EvalOptions,
  evalOptions,
  isEvalSetting,
  readEvalOptions,
} from '../../../src/cli/commands/eval-options.ts';
import { discard, makeFolder } from '../../harness.ts';
import { carryOut } from '../recorded-terminal.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

/** The options as the command line gives them. */
async function read(...args: string[]): Promise<EvalOptions> {
  const taken: EvalOptions[] = [];
  const usage = [['', '', given => taken.push(readEvalOptions(given))]] satisfies Parameters<
    typeof command<typeof evalOptions>
  >[0]['usage'];
  const evaluation = command({
    about: '',
    options: evalOptions,
    settings: isEvalSetting,
    usage,
    examples: [],
  });
  await carryOut(evaluation, 'eval', args);
  return taken[0] ?? expect.fail('nothing was read');
}

describe('the options of photon eval', () => {
  it('have their defaults', async () => {
    expect(await read()).toMatchObject({
      commits: 200,
      limit: 20,
      seed: '1',
      prompt: 'both',
      parallel: 1,
      since: '',
      hidesTests: false,
      oracle: false,
      fresh: false,
      isModelNamed: false,
    });
  });

  it('are taken as they are given', async () => {
    const given = ['--commits=9', '--limit=3', '--parallel=2', '--max-cost=0.50', '--timeout=7'];
    const words = ['--since', '6 months ago', '--prompt', 'subject', '--model', 'm', '--oracle'];
    expect(await read(...given, ...words)).toMatchObject({
      commits: 9,
      limit: 3,
      parallel: 2,
      maxCost: 0.5,
      timeoutMinutes: 7,
      since: '6 months ago',
      prompt: 'subject',
      isModelNamed: true,
      oracle: true,
    });
  });

  it('hide the tests of the tasks of a file, unless they say otherwise', async () => {
    const tasks = join(folder, 'tasks.jsonl');
    writeFileSync(tasks, '{}\n');
    const options = await read('--tasks', tasks);
    expect(options).toMatchObject({ hidesTests: true, tasks: { name: tasks, text: '{}\n' } });
    expect(await read('--tasks', tasks, '--no-hide-tests')).toMatchObject({ hidesTests: false });
  });

  it.each([
    ['--commits', '0'],
    ['--commits', '100001'],
    ['--limit', '1.5'],
    ['--parallel', '65'],
    ['--timeout', 'soon'],
    ['--part', '3/2'],
    ['--prompt', 'all'],
    ['--since', '--output=x'],
    ['--max-cost', '0'],
    ['--max-cost', 'NaN'],
    ['--tasks', 'nowhere.jsonl'],
    ['--against', 'nowhere.json'],
  ])('refuse %s %s, and name the option', async (name, value) => {
    await expect(read(`${name}=${value}`)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(name),
    });
  });
});
