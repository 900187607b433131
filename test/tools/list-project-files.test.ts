/** list_project_files lists files with their symbols. */
import { describe, expect, it } from 'vitest';
import { playCalls } from './play.ts';

const files = { 'a.js': 'function one() {}\n', 'lib/b.py': 'def two():\n    pass\n' };
const list = async (args: object) => {
  const { texts } = await playCalls({ files }, [['list_project_files', args]]);
  return texts[0] ?? '';
};

describe('list_project_files', () => {
  it('lists every file with its symbols', async () => {
    const text = await list({});
    expect(text).toMatch(/a\.js.*\bone\b/s);
    expect(text).toMatch(/lib\/b\.py.*\btwo\b/s);
  });

  it('lists what is below a folder, or like a pattern', async () => {
    expect(await list({ folder: 'lib' })).not.toContain('a.js');
    const python = await list({ pattern: '**/*.py' });
    expect(python).toContain('lib/b.py');
    expect(python).not.toContain('a.js');
  });

  it('says when there are none', async () => {
    expect(await list({ folder: 'none' })).toBe('There are no files below none.');
    expect(await list({ pattern: '*.rs' })).toBe('There are no files like *.rs below the root.');
  });
});
