/** The keys of vendors at the terminal: each finds its own address, and reaches no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModel } from '../doubles/model.ts';
import { type AuthorityDouble, makeAuthority } from '../doubles/proxy.ts';
import { sampleTask, withSampleTest } from '../doubles/sample.ts';
import { openVendorWorld } from '../doubles/vendor-world.ts';
import { discard, makeFolder } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { photon, repo, useClone } from './clone.ts';

let files: string;
let authority: AuthorityDouble;
beforeAll(() => {
  files = makeFolder();
  authority = makeAuthority(files);
});
afterAll(() => discard(files));
useClone();

const openaiPlace = {
  host: 'api.openai.com',
  path: '/v1/chat/completions',
  key: ['authorization', 'Bearer sk-proj-o'],
} as const;

/** A command in a world where api.openai.com alone can be reached. */
async function atOpenAI(args: readonly string[], env: Readonly<Record<string, string>>) {
  const model = await startModel([]);
  const world = await openVendorWorld(openaiPlace, `${model.url}/chat/completions`, authority);
  try {
    const end = await photon([...args], { ...world.env, ...env });
    return { ...end, asked: [...world.asked] };
  } finally {
    await Promise.all([world.close(), model.close()]);
  }
}

const runs = ['run', '--task', sampleTask, ...withSampleTest];

describe('a key of a vendor', () => {
  const unknown = [
    [
      'its variable, with the model of another vendor',
      { ANTHROPIC_API_KEY: 'sk-ant-a', PHOTON_MODEL: 'gpt-5' },
    ],
    ['nothing', { PHOTON_API_KEY: 'a-key', PHOTON_MODEL: 'some-model' }],
  ] as const;
  // what decides is in test/settings/find-endpoint.test.ts; a whole run shows that nothing is sent
  it.each(sample('keys of no known vendor', unknown, 1))(
    'that is known by %s is not sent',
    async (_how, env) => {
      const { err, code, asked } = await atOpenAI([...runs, '--repo', repo], env as never);
      expect(err).toContain('KEY_ADDRESS');
      expect(code).toBe(1);
      expect(asked).toEqual([]);
      for (const key of ['sk-ant-a', 'a-key']) expect(err).not.toContain(key);
    },
  );

  it('in its variable, alone, is told to the person before it is used', async () => {
    const { err, asked } = await atOpenAI([...runs, '--repo', repo], {
      OPENAI_API_KEY: 'sk-proj-o',
    });
    expect(err).toMatch(/asks gpt-[\w.-]+ at https:\/\/api\.openai\.com\/v1/);
    expect([...new Set(asked)]).toEqual(['api.openai.com:443']);
  });

  it.runIf(playsVariants)('is found for doctor, too', async () => {
    const { err, asked } = await atOpenAI(['doctor', '--model', '--repo', repo], {
      OPENAI_API_KEY: 'sk-proj-o',
    });
    expect(err).toMatch(/Asking gpt-[\w.-]+ at https:\/\/api\.openai\.com\/v1/);
    expect([...new Set(asked)]).toEqual(['api.openai.com:443']);
  });
});
