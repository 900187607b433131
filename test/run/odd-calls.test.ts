/** The same repair at endpoints whose calls are odd, and yet plainly mean one thing. */
import { describe, expect, it } from 'vitest';
import {
  encodedTwice,
  glm,
  malformedCalls,
  prefixedNames,
  templateSuffix,
  writesIntoText,
  writtenForms,
} from '../doubles/providers/odd-calls.ts';
import { playedBy, withoutStream } from '../doubles/providers/provider.ts';
import { repairScript } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const readAs = (ledger: readonly Record<string, unknown>[]) =>
  ledger.flatMap(e => (e.tool === 'model.turn' ? ((Object(e.facts).readAs as string) ?? []) : []));

describe.skipIf(isXml)('a call that plainly means one thing is carried out', () => {
  const providers = [glm, encodedTwice, templateSuffix, prefixedNames].flatMap(provider => [
    provider,
    withoutStream(provider),
  ]);

  it.each(
    sample(
      'odd calls',
      providers.map(p => [p.name, p] as const),
      2,
    ),
  )('%s, and the ledger shows what was read', async (_name, provider) => {
    await play({ script: playedBy(provider, repairScript) }, ({ outcome, log, ledger }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', decisions: [] });
      expect(outcome.usage.rounds).toBe(repairScript.length);
      expect(readAs(ledger).length).toBeGreaterThan(0);
      for (const text of readAs(ledger)) expect(text).toMatch(/^\w+ (?:name|arguments)(?:; |$)/);
    });
  });
});

describe.skipIf(isXml)('calls that always stand in the text', () => {
  it.each(sample('forms of calls in a text', writtenForms, 1))(
    '%s: after two replies the calls are tags, and the run says so',
    async form => {
      await play({ script: writesIntoText(form, repairScript) }, run => {
        const { outcome, log, ledger, model } = run;
        expect(outcome, log).toMatchObject({ status: 'committed' });
        const note = outcome.notes.find(n => n.startsWith('Model endpoint: '));
        expect(note).toContain('calls are tags');
        expect(log).toContain(note);
        expect(ledger.filter(e => e.tool === 'model.learned')).toHaveLength(1);
        expect(model.requests.filter(r => r.body.tools !== undefined)).toHaveLength(2);
      });
    },
  );
});

describe.skipIf(isXml)('a call that the endpoint itself could not read', () => {
  it('for good ends the run, and its message names the cause', async () => {
    await play({ script: playedBy(malformedCalls(99), repairScript) }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'MODEL_OUTPUT' });
      expect(outcome.message).toContain('MALFORMED_FUNCTION_CALL');
      expect(model.requests.length).toBeLessThanOrEqual(5);
    });
  });
});
