import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localInput } from '../../../src/cli/local-run.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import type { Host, RunInput } from '../../../src/hosts/host.ts';
import { openRunFolder } from '../../../src/workspace/files/run-folder.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';
import { root } from '../../root.ts';

const folder = makeFolder();
const checkout = join(folder, 'checkout');
afterAll(() => discard(folder));

const inputs = { 'api-key': 'a-key', model: 'double', 'base-url': 'http://127.0.0.1:9' };

let opened = 0;

async function open(more: Partial<RunInput>): Promise<Host> {
  const terminal = {
    env: { PATH: process.env.PATH, USER: 'me' },
    root,
    now: Date.now,
    signal: new AbortController().signal,
  } as unknown as Terminal;
  const input: RunInput = {
    ...localInput(terminal, checkout),
    inputs,
    tempRoot: folder,
    delivery: 'patch',
    event: { name: 'local', payload: null, taskInput: ' Fix it ' },
    log: { line: () => {}, group: () => {}, mask: () => {}, hide: () => {} },
    ...more,
  };
  const host = await input.host(input, openRunFolder(folder, `${opened++}`));
  if ('declined' in host) throw new Error(host.declined);
  return host;
}

beforeAll(() => {
  mkdirSync(checkout);
  makeRepository(checkout, {
    files: { 'a.txt': 'a\n', '.photon/config.json': '{"memory":{"mode":"reviewed"}}\n' },
  });
});

it('has one task, and nobody to report to', async () => {
  const host = await open({});
  const [planned, ...others] = await host.readTrigger();
  expect(planned?.task).toMatchObject({ prompt: 'Fix it', baseRef: 'main', askedBy: 'me' });
  expect(planned?.refused).toBeUndefined();
  expect(others).toEqual([]);
  expect(host.within(undefined, host as never, host as never)).toBe(host);
  expect((await host.trusted()).ref).toBe('main');
  await host.close();
});

it('refuses a task without a model', async () => {
  const host = await open({ inputs: { ...inputs, model: '' } });
  expect(await host.readTrigger()).toMatchObject([{ refused: { code: 'MODEL_MISSING' } }]);
  await host.close();
});

it('keeps records in the workspace of the checkout, and has no pull request to read', async () => {
  const host = await open({});
  const { environment } = host;
  expect((await environment.memory())?.home).toBe('local');
  await expect(environment.pullDiff({} as never)).rejects.toMatchObject({ code: 'GITHUB_REQUEST' });
  await host.close();
});
