/** Replies after which strict endpoints refuse every further request, if what leaves is not mended. */
import { describe, expect, it } from 'vitest';
import type { Body, ModelStep } from '../doubles/model.ts';
import { countPrompt } from '../doubles/providers/provider.ts';
import { conversationProblems } from '../doubles/providers/request-schemas.ts';
import { repairScript } from '../doubles/sample.ts';
import { windowTask, windowTaskFiles } from '../doubles/window-task.ts';
import { isXml } from '../harness.ts';
import { play } from './scenario.ts';

/** A strict endpoint: what it refuses is a 400, and the run would end there. */
const strictly =
  (turns: readonly ModelStep[]) =>
  (body: Body, index: number): ModelStep => {
    const [problem] = conversationProblems({ ...body });
    return problem === undefined
      ? (turns[index] ?? { status: 400 })
      : { status: 400, body: { error: { message: problem, type: 'invalid_request_error' } } };
  };

describe.skipIf(isXml)('one odd reply does not end a run', () => {
  it('whose arguments are cut, though it says that its calls are complete', async () => {
    const cut = { name: 'grep', arguments: '{"pattern": "orderTo' };
    const odd = { text: 'I look for the function. Then I read it.', calls: [cut] };
    const [begin = { text: '' }, ...rest] = repairScript;
    const script = strictly([begin, odd, ...rest]);
    await play({ script }, ({ outcome, log, model }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
      expect(sent).toContain('unreadable');
    });
  });
});

describe.skipIf(isXml)('an empty reply after shorter requests were answered', () => {
  it('is asked for again with a shorter request, once', async () => {
    // lmstudio-ai/lmstudio-bug-tracker#2339: a prompt that is too long has an empty stream
    let answered = 0;
    let empty = 0;
    const script = (body: Body): ModelStep => {
      if (countPrompt(body) <= 8_192) return windowTask[answered++] ?? { status: 400 };
      empty += 1;
      return { text: '' };
    };
    const inputs = { 'max-rounds': '60' };
    await play({ files: windowTaskFiles, script, inputs }, ({ outcome, log }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      // the same request twice, and from then on none that is too long
      expect(empty).toBe(2);
    });
  });
});
