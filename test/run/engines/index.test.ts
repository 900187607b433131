import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/base/task.ts';
import { pickEngine } from '../../../src/run/engines/index.ts';
import type { ReadyRun } from '../../../src/run/stages.ts';
import type { Settings } from '../../../src/settings/settings.ts';

const settings = {
  model: 'deepseek-chat',
  fallbacks: ['gpt-5'],
  images: 'auto',
  baseUrl: 'https://api.deepseek.com/v1',
} as unknown as Settings;
const model = { name: 'record', complete: () => Promise.reject(new Error('no reply')) };
const replay = { task: {} as Task, model };

describe('what drives a run', () => {
  it('is an endpoint, which reads instructions and whose fallback sees images', () => {
    const engine = pickEngine({ engine: 'openai' }, {});
    expect(engine).toMatchObject({ name: 'endpoint', asksAModel: true, readsInstructions: true });
    expect(engine.seesImages(settings)).toBe(true);
    expect(engine.provider(settings)).toBe('deepseek');
  });

  it('is the embedded engine, which reads no text of strangers', () => {
    const engine = pickEngine({ engine: 'builtin' }, {});
    expect(engine).toMatchObject({ name: 'builtin', asksAModel: false, readsInstructions: false });
    expect(engine.seesImages(settings)).toBe(false);
    expect(engine.provider(settings)).toBe('photon');
  });

  it.each([
    ['openai', true],
    ['builtin', false],
  ] as const)('is a record of a run by %s, which goes on as that run did', (engine, reads) => {
    const found = pickEngine({ engine }, { replay });
    expect(found).toMatchObject({ name: 'replay', asksAModel: false, readsInstructions: reads });
    expect(found.seesImages(settings)).toBe(false);
    expect(found.open({} as ReadyRun).model).toBe(model);
  });
});
