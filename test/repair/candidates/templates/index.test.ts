/** The list of templates: each has its test, its source and its line in the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { templates } from '../../../../src/repair/candidates/templates/index.ts';
import { root } from '../../../harness.ts';
import { candidatesIn, js, py } from './repairs.ts';

describe('templates', () => {
  it('cite a source, and each file has a test', () => {
    for (const { source } of templates) expect(source).toMatch(/\d{4}/);
    const folder = join(root, 'src', 'repair', 'candidates', 'templates');
    const files = readdirSync(folder).map(f => f.replace('.ts', '.test.ts'));
    expect(readdirSync(import.meta.dirname)).toEqual(expect.arrayContaining(files));
  });

  it('are listed in the documentation', () => {
    const page = readFileSync(join(root, 'docs', 'dev', 'engine.md'), 'utf8');
    for (const { id, title, source } of templates)
      expect(page).toContain(`\n- \`${id}\`: ${title}. ${source}.\n`);
  });
});

it.each(['js', 'py'] as const)(
  'no template of %s takes a name of every object for one of its table',
  async language => {
    const names = Object.getOwnPropertyNames(Object.prototype).filter(name => /^[a-z]/i.test(name));
    const body = names
      .flatMap(name => [`list.${name}(n)`, `n = ${name}(list, "${name}")`, `other = ${name} + n`])
      .map(line => `  ${line}`)
      .join('\n');
    const texts = { js: js(body), py: py(body) };
    expect(await candidatesIn(`a.${language}`, texts[language])).not.toHaveLength(0);
  },
);
