import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedPrompts } from '../../../src/agent/context/policy.ts';
import { parseTaskTexts } from '../../../src/agent/context/task-texts.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../root.ts';

const shipped = openShipped(root);
const shared = sharedPrompts(shipped);
const tasks = JSON.parse(shared.tasks.text) as Record<string, string>;
const parse = (text: string) => parseTaskTexts({ path: 'prompts/tasks.json', text });

describe('the texts that a trigger adds to a task', () => {
  it('are filled once: what is inserted is never read as a template', () => {
    const texts = parse(shared.tasks.text);
    expect(texts('answer', { by: 'wendy', text: 'Use {{by}}.' })).toBe(
      'Answer by wendy: Use {{by}}.',
    );
  });

  it.each([
    ['a text too few', { ...tasks, issue: undefined }, '/issue: '],
    ['a text too many', { ...tasks, issu: '' }, '/issu: there is no such key'],
    [
      'an unknown place',
      { ...tasks, answer: '{{who}}' },
      '/answer: may name {{by}}, {{text}} only',
    ],
  ])('%s: refused with its place', (_name, data, says) => {
    expect(() => parse(JSON.stringify(data))).toThrowError(
      expect.objectContaining({
        code: 'PROMPT_INVALID',
        message: expect.stringContaining(`prompts/tasks.json: ${says}`) as string,
      }),
    );
  });

  it('stand in no source file', () => {
    const folder = join(root, 'src', 'hosts');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const texts = Object.values(tasks).filter(text => text.length > 20 && !text.includes('{{'));
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.filter(text => sources.includes(text))).toEqual([]);
  });
});
