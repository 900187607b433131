/** The words that tell a repair from other work are documented. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vocabulary } from '../../../src/repair/tasks/task-vocabulary.ts';
import { root } from '../../root.ts';

describe('docs/builtin.md', () => {
  const page = readFileSync(join(root, 'docs', 'builtin.md'), 'utf8');

  it.each(Object.entries(vocabulary))('lists the words of the kind %s', (kind, list) => {
    expect(page).toContain(`| ${kind} | ${list.split(' ').join(', ')} |`);
  });
});
