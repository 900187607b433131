import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { photon, repo, useClone } from '../clone.ts';

useClone();

describe('photon skills', () => {
  it('adopt shows what skills of other agents lack, and writes it when asked', async () => {
    const put = (name: string, text: string) => {
      mkdirSync(join(repo, 'theirs/more', name), { recursive: true });
      writeFileSync(join(repo, 'theirs/more', name, 'SKILL.md'), text);
    };
    const pdf =
      '\uFEFF---\r\nname: pdf\r\ndescription: Works on PDF files.\r\nallowed-tools: Read, Write, WebFetch\r\n---\r\nBody\n';
    put('pdf', pdf);
    put('fetch', '---\nname: fetch\ndescription: d\nallowed-tools: WebFetch\n---\nBody\n');
    put('broken', '---\nname: [\n---\nBody\n');
    const folder = join(repo, 'theirs');
    const file = join(folder, 'more/pdf/SKILL.md');
    const shown = await photon(['skills', 'adopt', folder]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain('+  interface:');
    expect(shown.stdout).toContain('can be adopted: pdf  theirs/more/pdf/SKILL.md\n');
    expect(shown.stdout).toContain('  grants: Read is read_code_block, Write is apply_patch\n');
    expect(shown.stdout).toContain('  grants nothing: WebFetch\n');
    expect(shown.stdout).toContain('NOT USABLE: broken  ');
    expect(shown.stdout).toContain('0 usable as they are, 1 can be adopted, 2 not usable\n');
    expect(readFileSync(file, 'utf8')).toBe(pdf);
    const written = await photon(['skills', 'adopt', folder, '--write']);
    expect(written.stdout).toContain('adopted: pdf  ');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\uFEFF---\r\nname: pdf\r\n.*\r\n.*\r\n# added .*\r\nphoton:\r\n {2}version: "0.1.0"\r\n/,
    );
    const again = await photon(['skills', 'adopt', join(folder, 'more/pdf')]);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining('usable as it is: pdf'),
    ]);
    const check = await photon(['skills', 'check', join(folder, 'more/pdf')]);
    expect(check.stdout).toContain('as it is: grants read_code_block, apply_patch');
    const usage = { code: 2, stderr: expect.stringContaining('[USAGE]') };
    expect(await photon(['skills', 'adopt'])).toMatchObject(usage);
  });
});
