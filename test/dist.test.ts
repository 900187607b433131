import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

/** The files that an entry point loads before its first statement runs. */
function loadedAtStart(entry: string): readonly string[] {
  const loaded = new Set([join(root, 'dist', entry)]);
  for (const path of loaded)
    for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(
      /\b(?:from|import)\s*["'](\.[^"']+)["']/g,
    ))
      loaded.add(join(dirname(path), from));
  return [...loaded].map(path => relative(join(root, 'dist'), path));
}

describe('dist', () => {
  it('starts the terminal without the program of a run', () => {
    const loaded = loadedAtStart('chunks/cli.js');
    expect(loaded).toContain('chunks/base/outcome.js');
    expect(loaded.filter(path => /openai|octokit|\/(repair|hosts|model)\//.test(path))).toEqual([]);
    const bytes = loaded.map(path => statSync(join(root, 'dist', path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
  });

  it('holds no path of the machine that built it', () => {
    const names = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter(n => n.endsWith('.js'))) {
      expect(readFileSync(join(root, 'dist', name), 'utf8').includes(root), name).toBe(false);
    }
  });

  it('names each chunk after a source file or a package, so that an edit elsewhere renames none', () => {
    const names = readdirSync(join(root, 'dist', 'chunks'), { recursive: true, encoding: 'utf8' })
      .filter(n => n.endsWith('.js'))
      .map(n => n.replace(/(\.entry)?\.js$/, ''));
    const unknown = names.filter(
      n =>
        n !== 'rolldown-runtime' &&
        !existsSync(join(root, 'src', `${n}.ts`)) &&
        !['', '.js', '.mjs'].some(end =>
          existsSync(join(root, n.replace(/^npm/, 'node_modules') + end)),
        ),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });
});
