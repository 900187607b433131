/** What a model is told about failing tests before its first round. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { withFailingTests } from '../../src/run/failing-tests.ts';

/** The texts of the task, where the tests end like this before a patch. */
async function contextAfter(
  prompt: string,
  ran: { readonly passed: boolean; readonly outputTail: string },
  pause: () => Promise<void> = () => new Promise(() => {}),
  error?: Error,
) {
  const verifier = {
    startBaseline: () => {},
    run: () => {
      if (error !== undefined) return Promise.reject(error);
      return pause === never ? new Promise(() => {}) : Promise.resolve({ run: ran });
    },
  };
  let until: AbortSignal | undefined;
  const limit = {
    deadline: 1000,
    cancel: () => {},
    pause: (_ms: number, signal: AbortSignal) => {
      until = signal;
      return pause();
    },
  };
  const request = {
    task: { prompt, context: [], trigger: 'cli' },
    kind: { changes: true },
    engine: { asksAModel: true },
    environment: { taskTexts: () => 'label' },
    input: { now: () => 0 },
    scrub: (text: string) => text,
    limit,
  };
  const told = await withFailingTests({ request, services: { verifier } } as never);
  // a wait that goes on keeps the process
  expect(until?.aborted).not.toBe(false);
  return told.request.task.context.map(c => c.text);
}

/** Time that is up at once. */
const never = async () => {};
const failing = {
  passed: false,
  outputTail: 'not ok 1 - adds\n',
  failedCases: [{ name: 'adds', text: 'not ok 1 - adds' }],
};

describe('a model that is asked to repair failing tests', () => {
  it('gets their names and the end of the output', async () => {
    const [text, ...more] = await contextAfter('Repair the failing test.', failing);
    expect(more).toEqual([]);
    expect(text).toBe('Failed: adds\nnot ok 1 - adds');
  });

  it('gets the words of a test command that cannot run, and of no other error', async () => {
    const textsWith = (code: 'TEST_COMMAND_UNRUNNABLE' | 'DISK') =>
      contextAfter(
        'Repair the failing test.',
        failing,
        undefined,
        new PhotonError(code, 'no jest'),
      );
    expect(await textsWith('TEST_COMMAND_UNRUNNABLE')).toEqual(['no jest']);
    expect(await textsWith('DISK')).toEqual([]);
  });

  it('gets nothing if they pass, or if they take too long', async () => {
    expect(
      await contextAfter('Repair the failing test.', { passed: true, outputTail: 'ok' }),
    ).toEqual([]);
    expect(await contextAfter('Repair the failing test.', failing, never)).toEqual([]);
  });
});

it('a model with another task gets nothing, and no test runs for it', async () => {
  expect(await contextAfter('Add a command that lists files.', failing)).toEqual([]);
});
