/** What a person may set about a model endpoint, and what a repository may not. */
import { describe, expect, it } from 'vitest';
import type { ModelStep } from '../doubles/model.ts';
import { repairScript } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { play } from './scenario.ts';

const config = (model: object) => ({ '.photon/config.json': JSON.stringify({ model }) });

describe('settings of a model endpoint', () => {
  it('headers, fields and effort are in every request, and a secret header is in no output', async () => {
    const inputs = {
      'model-headers': 'X-Gateway-Token: gw-9f8e7d6c5b4a3f2e\nX-Team: payments',
      'model-body': '{"top_p": 0.9, "provider": {"order": ["a"]}}',
      'reasoning-effort': 'low',
    };
    await play({ script: repairScript, inputs, config: { record: true } }, run => {
      expect(run.outcome.status).toBe('committed');
      for (const { headers, body } of run.model.requests) {
        expect(headers).toMatchObject({
          'x-gateway-token': 'gw-9f8e7d6c5b4a3f2e',
          'x-team': 'payments',
        });
        expect(body).toMatchObject({
          top_p: 0.9,
          provider: { order: ['a'] },
          reasoning_effort: 'low',
          model: 'double',
        });
      }
      const unmasked = run.log.replace(/^::add-mask::.*$/gm, '');
      for (const text of [unmasked, run.summary, run.kept, run.ledgerText])
        expect(text).not.toContain('gw-9f8e7d6c5b4a3f2e');
    });
  });

  it.each(
    sample(
      'settings of inputs alone',
      [
        ['headers', { headers: { 'x-evil': 'a' } }],
        ['body', { body: { top_p: 1 } }],
      ],
      1,
    ),
  )('%s of the configuration of a repository end the run', async (name, model) => {
    await play({ script: repairScript, files: config(model) }, ({ outcome, model: double }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'CONFIG_WEAKENS' });
      expect(outcome.message).toContain(`model.${name}`);
      expect(double.requests).toEqual([]);
    });
  });

  it.each(
    sample(
      'broken endpoint settings',
      [
        ['model-headers', 'Host: example.com', 'Photon sets Host'],
        ['model-headers', 'no colon', 'as a line "name: value"'],
        ['model-body', '{"messages": []}', 'Photon fills'],
        ['model-body', 'top_p', 'Give a JSON object'],
        ['reasoning-effort', 'As high as it goes', 'one lower-case word'],
      ],
      2,
    ),
  )('%s cannot be %s', async (name, value, says) => {
    await play({ script: repairScript, inputs: { [name]: value } }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(outcome.message).toContain(says);
      expect(model.requests).toEqual([]);
    });
  });

  it.runIf(playsVariants)(
    'model.idleSeconds bounds the wait for the next byte, and three times as long the one for the first',
    async () => {
      const script: readonly ModelStep[] = [{ stall: true }, ...repairScript];
      const files = config({ idleSeconds: 5 });
      await play({ script, files }, ({ outcome, log }) => {
        expect(outcome.status).toBe('committed');
        expect(log).toContain('gave up after 15 s without data');
      });
    },
  );
});

describe.skipIf(isXml)('a model whose endpoint gives no reasoning', () => {
  const silent = repairScript.map(({ calls = [] }) => ({ calls }));
  const reasoned = repairScript.map(({ calls = [], text = '' }) => ({
    calls: calls.map((call, i) =>
      i === 0 && call.name !== 'finish'
        ? { ...call, arguments: { reason: text, ...Object(call.arguments) } }
        : call,
    ),
  }));

  it('gets the argument reason shown after a reply without a thought, and goes on', async () => {
    const script = [...silent.slice(0, 1), ...reasoned.slice(1)];
    await play({ script }, ({ outcome, model, log }) => {
      expect(outcome).toMatchObject({ status: 'committed' });
      expect(outcome.decisions).toEqual([]);
      const shown = model.requests.map(({ body }) =>
        (body.tools ?? []).map(tool => {
          const { required = [], properties = {} } =
            (tool.type === 'function' && tool.function.parameters) || {};
          return (required as string[]).includes('reason') && 'reason' in Object(properties);
        }),
      );
      const own = (shown[0] ?? []).filter(Boolean).length;
      for (const tools of shown.slice(0, 1)) expect(tools.filter(Boolean)).toHaveLength(own);
      for (const tools of shown.slice(1)) expect(tools).not.toContain(false);
      expect(log).toContain(`[Think] ${repairScript[1]?.text}`);
    });
  });
});
