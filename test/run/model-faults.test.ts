import { describe, expect, it } from 'vitest';
import type { ModelStep, ScriptedTurn } from '../doubles/model.ts';
import { begin, done, repairScript } from '../doubles/sample.ts';
import { playsVariants, sample } from '../seed.ts';
import { play } from './scenario.ts';

const error = (
  status: number,
  message: string,
  more: object = {},
  headers: Record<string, string> = {},
): ModelStep => ({ status, headers, body: { error: { message, ...more } } });
const soon = { 'retry-after-ms': '1' };
const call = (name: string, args: object | string) => ({
  text: 'A call with a fault.',
  calls: [{ name, arguments: args }],
});

/** Faults after which the run continues. */
const passing: Record<string, ModelStep[]> = {
  'HTTP 429 with retry-after in milliseconds': [error(429, 'slow down', {}, soon)],
  'HTTP 429 with retry-after in seconds': [error(429, 'slow down', {}, { 'retry-after': '0' })],
  'HTTP 408': [error(408, 'too slow', {}, soon)],
  'HTTP 409': [error(409, 'conflict', {}, soon)],
  'HTTP 500': [error(500, 'oops', {}, soon)],
  'HTTP 502 with HTML': [{ status: 502, headers: soon, body: '<html>Bad Gateway</html>' }],
  'HTTP 503 twice': [error(503, 'busy', {}, soon), error(503, 'busy', {}, soon)],
  'a connection that is reset before the headers': [{ cut: 'before-headers' }],
  'a stream that breaks off at once': [{ cut: 'after-headers' }],
  'a stream that breaks off in the middle of a tool call': [
    { ...repairScript[0], cut: 'mid-call' },
  ],
  'a context that is too long for a window that the message names': [
    error(400, "This model's maximum context length is 8192 tokens. However, you requested 10906."),
  ],
  'an empty reply, once': [{ text: '' }],
  'a body that is no event stream': [{ raw: 'data: {"choices": [tru\n\n' }],
};

/** Faults that end the run, each with its code. */
const ending: Record<string, { steps: ModelStep[]; code: string; says: string }> = {
  'HTTP 401': {
    steps: [error(401, 'Incorrect API key provided')],
    code: 'MODEL_AUTH',
    says: 'Incorrect API key',
  },
  'HTTP 403': { steps: [error(403, 'no access')], code: 'MODEL_AUTH', says: 'no access' },
  'HTTP 404': {
    steps: [error(404, 'The model `double` does not exist')],
    code: 'MODEL_NOT_FOUND',
    says: 'does not exist',
  },
  'HTTP 422': { steps: [error(422, 'bad tools')], code: 'MODEL_REQUEST', says: 'bad tools' },
  'HTTP 429 without quota': {
    steps: [error(429, 'You exceeded your quota', { code: 'insufficient_quota' })],
    code: 'MODEL_RATE_LIMIT',
    says: 'quota',
  },
  'HTTP 429 that asks to wait past the deadline': {
    steps: [error(429, 'tomorrow', {}, { 'retry-after': '36000' })],
    code: 'MODEL_RATE_LIMIT',
    says: 'tomorrow',
  },
  'HTTP 500 for good': {
    steps: Array.from({ length: 9 }, () => error(500, 'down', {}, soon)),
    code: 'MODEL_UNAVAILABLE',
    says: 'down',
  },
  'a context that is too long, by code': {
    steps: Array.from({ length: 9 }, () => error(400, 'x', { code: 'context_length_exceeded' })),
    code: 'MODEL_CONTEXT',
    says: 'context window has',
  },
  'empty replies': { steps: [{ text: '' }, { text: '' }], code: 'MODEL_OUTPUT', says: 'empty' },
  'a filtered reply': {
    steps: [
      { text: 'x', finish: 'content_filter' },
      { text: 'x', finish: 'content_filter' },
    ],
    code: 'MODEL_OUTPUT',
    says: 'filtered',
  },
  'a tool call cut at its token limit': {
    // the model hears of each, and may write less
    steps: Array.from({ length: 5 }, () => ({ ...call('plan', '{"entry'), finish: 'length' })),
    code: 'MODEL_OUTPUT',
    says: 'token limit',
  },
  'arguments of more than a megabyte': {
    steps: [call('plan', 'x'.repeat(1_100_000)), call('plan', 'x'.repeat(1_100_000))],
    code: 'MODEL_OUTPUT',
    says: 'larger than',
  },
  'endless tool calls': {
    steps: Array.from({ length: 60 }, (_, i) =>
      call('plan', { entry_symbols: ['x'], affected_files: [`x${i}`], scope: 'x' }),
    ),
    code: 'BUDGET_ROUNDS',
    says: '40 rounds',
  },
  'the same call again and again, with others between': {
    steps: Array.from({ length: 40 }, (_, i) =>
      i === 0 ? begin : call('grep', { pattern: i % 2 === 0 ? 'orderTotal' : 'nowhere' }),
    ),
    code: 'CALL_REPEATED',
    says: 'grep had the same result 6 times',
  },
};

describe('a model endpoint that misbehaves', () => {
  it.each(sample('faults that pass', Object.entries(passing), 1))(
    '%s: the run goes on',
    async (_name, steps) => {
      await play({ script: [...steps, ...repairScript] }, ({ outcome, model }) => {
        expect(outcome.status).toBe('committed');
        expect(model.requests).toHaveLength(steps.length + repairScript.length);
        expect(outcome.usage.toolCalls).toBe(7); // a half-received turn runs nothing
      });
    },
  );

  it.each(sample('faults that end', Object.entries(ending), 1))(
    '%s: the run ends with a code, a message and a hint',
    async (_name, { steps, code, says }) => {
      await play({ script: steps }, ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'failed', code });
        expect(outcome.message).toContain(says);
        expect(outcome.hint).not.toBe('');
      });
    },
  );

  it.runIf(playsVariants)('repeated call ids are made unique', async () => {
    const doubled = repairScript.map(t => ({
      ...t,
      calls: (t.calls ?? []).map(c => ({ ...c, id: 'same' })),
    }));
    await play({ script: doubled }, ({ outcome }) => expect(outcome.status).toBe('committed'));
  });
});

describe('replies that stay cut at the limit of tokens', () => {
  const cutFinish: ScriptedTurn = { ...done, finish: 'length' };

  it('after a verification that passed: the patch is delivered, and the outcome says so', async () => {
    const cut = Array.from({ length: 6 }, () => cutFinish);
    await play({ script: [...repairScript.slice(0, -1), ...cut] }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      expect(outcome.notes.join()).toMatch(/could be read \(MODEL_OUTPUT\).* had passed before/);
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(
        'token limit inside a tool call; make it shorter',
      );
    });
  });

  it('before one: the run fails', async () => {
    const script = () => cutFinish;
    await play({ script }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'MODEL_OUTPUT' });
    });
  });
});

describe('reasoning that an endpoint sends beside the text', () => {
  it('is the thought of the round, and no more than that', async () => {
    const inField = (field: string, value: (text: string) => unknown) => (turn: ScriptedTurn) => ({
      calls: turn.calls ?? [],
      reasoning: { [field]: value(turn.text ?? '') },
    });
    const ways = [
      inField('reasoning_content', text => text),
      inField('reasoning', text => text),
      inField('reasoning_details', summary => [{ type: 'reasoning.summary', summary }]),
    ];
    const script = repairScript.map((turn, i) => ways[i % ways.length]?.(turn) ?? turn);
    await play({ script }, ({ outcome, log, ledgerText }) => {
      expect(outcome.status).toBe('committed');
      for (const { text = '' } of repairScript) {
        expect(log).toContain(`[Think] ${text}`);
        expect(ledgerText).not.toContain(text);
        expect(JSON.stringify(outcome)).not.toContain(text);
      }
    });
  });
});
