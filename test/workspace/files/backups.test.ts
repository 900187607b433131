import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyToCheckout, undoApplied } from '../../../src/workspace/files/apply-to-checkout.ts';
import { backupNames, keepBackup, readBackup } from '../../../src/workspace/files/backups.ts';
import { backups, repo, status, useStage } from '../../cli/undo-stage.ts';
import { sampleFiles } from '../../doubles/sample.ts';

useStage();

describe('what is applied and taken back', () => {
  const state = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });
  const price = sampleFiles['src/price.js'] ?? '';
  const changes = [
    { path: 'src/price.js', before: state(price), after: state('new\n') },
    { path: 'src/more.js', before: undefined, after: state('more\n') },
  ];
  const applied = { run: 'r1', at: 1000, changes };
  const only = () => readBackup(repo, backupNames(repo)[0] ?? '');

  it('a run killed between two files is taken back', () => {
    applyToCheckout(repo, applied);
    writeFileSync(join(repo, 'src/price.js'), price); // as if it had not come so far
    undoApplied(repo, only());
    expect(status()).toBe('');
    expect(backupNames(repo)).toEqual([]);
  });

  it('a failure in the middle leaves every file as it was, and no backup', () => {
    const blocked = { path: 'src/sub/x.js', before: undefined, after: state('x') };
    writeFileSync(join(repo, 'src/sub'), 'a file in the way of a folder');
    expect(() => applyToCheckout(repo, { ...applied, changes: [...changes, blocked] })).toThrow(
      expect.objectContaining({ code: 'CHECKOUT_MISMATCH' }),
    );
    rmSync(join(repo, 'src/sub'));
    mkdirSync(join(repo, 'shut'));
    chmodSync(join(repo, 'shut'), 0o555);
    const shut = { path: 'shut/x.js', before: undefined, after: state('x') };
    const attempt = () => applyToCheckout(repo, { ...applied, changes: [...changes, shut] });
    if (process.getuid?.() === 0) return; // root writes everywhere
    expect(attempt).toThrow(expect.objectContaining({ code: 'DISK' }));
    expect(status()).toBe('');
    expect(backupNames(repo)).toEqual([]);
  });

  it('permissions come back, and links are not followed', () => {
    chmodSync(join(repo, 'src/price.js'), 0o600);
    applyToCheckout(repo, applied);
    expect(statSync(join(repo, 'src/price.js')).mode & 0o777).toBe(0o644);
    rmSync(join(repo, 'src/more.js'));
    symlinkSync('../README.md', join(repo, 'src/more.js'));
    expect(() => undoApplied(repo, only())).toThrow(
      expect.objectContaining({ code: 'BACKUP_CHANGED' }),
    );
    rmSync(join(repo, 'src/more.js'));
    undoApplied(repo, only());
    expect(statSync(join(repo, 'src/price.js')).mode & 0o777).toBe(0o600);
  });

  it('the oldest backups are removed beyond the bound', () => {
    for (let i = 0; i < 103; i++) keepBackup(repo, { run: `r${i}`, appliedAt: i, files: [] });
    const names = backupNames(repo);
    expect(names).toHaveLength(100);
    expect([names[0], names.at(-1)]).toEqual(['000004-r3.json', '000103-r102.json']);
    expect(readdirSync(backups())).toContain('.gitignore');
    expect(status()).toBe('');
  });
});
