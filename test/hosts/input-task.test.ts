import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Task } from '../../src/base/task.ts';
import type { TaskContext } from '../../src/hosts/host.ts';
import { readTaskFile, withEarlierPatch } from '../../src/hosts/input-task.ts';
import { discard, makeFolder } from '../harness.ts';

const workspace = makeFolder();
afterAll(() => discard(workspace));
writeFileSync(join(workspace, 'patch.diff'), '+a secret\u200b\n');
writeFileSync(join(workspace, 'empty.diff'), ' \n');

const task = { context: [], hiddenRemoved: 1 } as unknown as Task;

function shown(path: string) {
  const log: string[] = [];
  const options = {
    input: { workspace },
    settings: { fromPatch: path },
    taskTexts: (name: string) => name,
    scrub: (text: string) => text.replaceAll('secret', '***'),
    log: (line: string) => log.push(line),
  } as unknown as TaskContext;
  return { task: withEarlierPatch(task, options), log };
}

it('the patch is shown as data, without secrets and hidden characters', () => {
  expect(shown('patch.diff').task).toEqual({
    context: [{ label: 'earlier_patch_label', author: 'Photon', text: '+a ***\n' }],
    hiddenRemoved: 2,
  });
});

it('of a long patch, whole lines are shown, and that it is cut', () => {
  const line = `+${'x'.repeat(98)}\n`;
  writeFileSync(join(workspace, 'long.diff'), `${line.repeat(400)}+y\n`);
  writeFileSync(join(workspace, 'full.diff'), line.repeat(400));
  const text = (path: string) => shown(path).task.context[0]?.text;
  expect(text('long.diff')).toBe(`${line.repeat(400)}[cut: the patch has more than 40000 bytes]`);
  expect(text('full.diff')).toBe(line.repeat(400));
});

it.each(['empty.diff', 'missing.diff'])('of %s nothing is shown, and the log says so', path => {
  expect(shown(path)).toEqual({
    task,
    log: ['from-patch: the file holds no patch of an earlier run.'],
  });
});

it('without the input nothing is said', () => {
  expect(shown('')).toEqual({ task, log: [] });
});

it('the task file is read from the trusted branch, and the words of the task follow it', async () => {
  const trusted = async () => ({
    ref: 'main',
    read: async (path: string) => (path === 'task.md' ? Buffer.from('Triage.\n') : undefined),
  });
  const read = (taskFile: string, words: string) =>
    readTaskFile({ settings: { taskFile }, trusted }, words);
  expect(await read('task.md', 'Only bugs.')).toBe('Triage.\n\n\nOnly bugs.');
  expect(await read('task.md', '')).toBe('Triage.');
  expect(await read('', 'Only bugs.')).toBe('Only bugs.');
  await expect(read('none.md', '')).rejects.toThrow('task-file: main has no file none.md.');
});
