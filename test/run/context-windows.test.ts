/** A task of 30 rounds at five kinds of server with small windows: it is committed, and no request is wasted. */
import { describe, expect, it } from 'vitest';
import { countPrompt, playedBy } from '../doubles/providers/provider.ts';
import { windowServers } from '../doubles/providers/window-servers.ts';
import { windowTask, windowTaskFiles } from '../doubles/window-task.ts';
import { isXml } from '../harness.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const windows = [8_192, 16_384, 32_768] as const;
const profiles = ['photon', 'kjxlkj-agent'] as const;
const rows = sample('servers with small windows', Object.entries(windowServers), 1).flatMap(
  ([name, server]) => {
    const all = windows.flatMap(window =>
      profiles.map(profile => [name, window, profile, server(window)] as const),
    );
    return sample(`windows of ${name}`, all, 1);
  },
);

describe.skipIf(isXml)('a task of 30 rounds in a small window', () => {
  it.each(rows)('%s, %i tokens, %s', async (_name, window, profile, server) => {
    const inputs = { 'max-rounds': '60' };
    const config = { agent: { profile } };
    const script = playedBy(server, windowTask);
    await play({ files: windowTaskFiles, script, config, inputs }, ({ outcome, log, model }) => {
      expect(outcome, log).toMatchObject({
        status: 'committed',
        code: 'COMMITTED',
        decisions: [],
      });
      expect(model.requests.length).toBeGreaterThanOrEqual(windowTask.length);
      // once it is full, the window stays used, but for the reply and the next result
      const sizes = model.requests.slice(-18, -3).map(({ body }) => countPrompt(body));
      const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      if (window === 8_192 && profile === 'photon') expect(mean / window).toBeGreaterThan(0.6);
      // a window is found once, not anew in each round
      expect(model.requests.length).toBeLessThanOrEqual(windowTask.length + 4);
    });
  });
});
