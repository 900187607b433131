import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOverlay } from '../../../src/workspace/views/overlay.ts';
import { openViews } from '../../../src/workspace/views/view.ts';
import {
  checkout,
  git,
  inView,
  openPlace,
  overlayHere,
  programs,
  scratch,
  supportOf,
  usePlace,
} from './place.ts';

usePlace();

it('commands that enter one overlay at the same moment all start', async () => {
  await openPlace({ 'file.txt': 'x\n' });
  const caches = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => {
    const from = join(dirname(checkout), name);
    mkdirSync(from);
    return { from, at: `/home/of-commands/${name}` };
  });
  const { overlay, mergeable } = await findOverlay({ checkout, scratch, programs }, caches);
  const support = { ...(await supportOf(async () => overlay)), caches: mergeable };
  const view = await openViews({ git, scratch, programs })(support, []);
  const [program = '', ...enter] = view.enter;
  const end = () => {
    const child = spawn(program, [...enter, 'cat', 'file.txt'], { stdio: 'ignore' });
    return once(child, 'exit').then(([code]) => code);
  };
  for (let round = 0; round < 8; round++)
    expect(await Promise.all([end(), end(), end()])).toEqual([0, 0, 0]);
  await view.close();
});

describe('an overlay', () => {
  beforeEach(() => openPlace({ 'a.txt': 'a\n' }));

  it('copies nothing: an untracked file of the checkout is not in the upper layer', async () => {
    mkdirSync(join(checkout, 'vendor'));
    writeFileSync(join(checkout, 'vendor/big.bin'), Buffer.alloc(1_000_000));
    const view = await openViews({ git, scratch, programs })(await supportOf(overlayHere), []);
    expect(inView(view, 'wc -c < vendor/big.bin').trim()).toBe('1000000');
    expect(existsSync(join(view.written, 'vendor/big.bin'))).toBe(false);
    inView(view, 'echo r > report.xml');
    expect(readFileSync(join(view.written, 'report.xml'), 'utf8')).toBe('r\n');
    await view.close();
  });

  it('is invisible to other processes of the machine', async () => {
    const view = await openViews({ git, scratch, programs })(await supportOf(overlayHere), []);
    expect(inView(view, 'ls')).toContain('a.txt');
    expect(lstatSync(view.path).isDirectory() && existsSync(join(view.path, 'a.txt'))).toBe(false);
    await view.close();
  });

  it('is not used when a path would act as a mount option', async () => {
    const found = await findOverlay({ checkout: `${checkout},x`, scratch, programs });
    expect(found.overlay).toBeUndefined();
    const without = { searchPath: '', paths: {} };
    expect((await findOverlay({ checkout, scratch, programs: without })).overlay).toBeUndefined();
  });

  it('merges the folders that can be merged, when others cannot', async () => {
    const folders = ['good', 'good,x', 'missing'].map(name => ({
      from: join(scratch, name),
    }));
    for (const { from } of folders.slice(0, 2)) mkdirSync(from, { recursive: true });
    const found = await findOverlay({ checkout, scratch, programs }, folders);
    expect(found.overlay).not.toBeUndefined();
    expect(found.mergeable).toEqual(folders.slice(0, 1));
  });
});
