/** Telemetry of the built Action, as a collector receives it. */
import { describe, expect, it } from 'vitest';
import { type CollectorMood, type Received, startCollector } from '../doubles/collector.ts';
import { repairScript, sampleTest } from '../doubles/sample.ts';
import { canary } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { type Played, play } from './scenario.ts';

const key = 'Bearer collector-key-4711';

async function playWith(
  mood: CollectorMood,
  env: Readonly<Record<string, string>>,
  check: (played: Played, received: readonly Received[]) => void,
): Promise<void> {
  const collector = await startCollector(mood);
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(key)}`,
    ...env,
  };
  try {
    await play({ script: repairScript, env: given }, played => check(played, collector.received));
  } finally {
    await collector.close();
  }
}

describe('a run with a collector', () => {
  it('sends its trace, and none of its secrets', async () => {
    const env = { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip', OTEL_SERVICE_NAME: 'my-photon' };
    await playWith('takes', env, ({ outcome, log, model }, received) => {
      expect(outcome.status).toBe('committed');
      expect(received.map(r => r.path)).toEqual(['/v1/traces']);
      for (const { headers } of received)
        expect(headers).toMatchObject({ 'content-type': 'application/json', authorization: key });
      const text = JSON.stringify(received.map(r => r.body));
      expect(text).toContain('my-photon');
      expect(text.match(/"name":"chat double"/g)).toHaveLength(model.requests.length);
      expect(text).toContain('"name":"execute_tool apply_patch"');
      expect(text).toContain('{"key":"photon.code","value":{"stringValue":"COMMITTED"}}');
      for (const hidden of [canary, 'orderTotal', 'src/price.js', sampleTest])
        expect(text).not.toContain(hidden);
      expect(log.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain('collector-key-4711');
      expect(log).not.toContain('Telemetry:');
    });
  });

  it.each(
    sample(
      'moods of a collector',
      [
        ['busy', 'the collector is busy'],
        ['refuses', 'the collector answered 400'],
        ['redirects', 'the collector answered 307'],
        ['silent', 'no answer within 150 ms'],
      ] as const,
      1,
    ),
  )('that is %s ends as without, and says so', async (mood, why) => {
    await playWith(mood, { OTEL_EXPORTER_OTLP_TIMEOUT: '150' }, ({ outcome, exitCode, log }) => {
      expect([outcome.status, exitCode]).toEqual(['committed', 0]);
      expect(log).toContain(`Telemetry: the trace was not sent: ${why}.`);
    });
  });

  it.runIf(playsVariants)('that is not there ends as without, and names no address', async () => {
    const endpoint = 'http://me:password@127.0.0.1:9';
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
    await playWith('takes', env, ({ outcome, exitCode, log }, received) => {
      expect([outcome.status, exitCode, received.length]).toEqual(['committed', 0, 0]);
      expect(log).toMatch(/Telemetry: the trace was not sent: [\w ]+\./);
      expect(log).not.toContain('password');
    });
  });
});
