import { describe, expect, it } from 'vitest';
import { manifestChange, manifestFile } from '../../src/workflows/keep-manifest.ts';
import type { FileChange, FileState } from '../../src/workspace/files/change.ts';

const manifest = {
  tasks: [{ id: 'one', status: 'COMPLETED' as const, outputs: [] }],
  after: 'one',
  now: 0,
};
const state = (text: string, mode: FileState['mode'] = '100644') => ({
  mode,
  bytes: Buffer.from(text),
});

interface Place {
  readonly file?: FileState | null;
  readonly patch?: readonly FileChange[];
  readonly readOnly?: () => boolean;
}

const changeOf = ({ file = null, patch = [], readOnly = () => false }: Place) =>
  manifestChange({ readOnly, find: async () => file, manifest, patch });

describe('the change of the manifest', () => {
  it('keeps the mode of the file', async () => {
    const file = state('# Law\n', '100755');
    const { change, warning } = await changeOf({ file });
    expect(change).toMatchObject({ path: manifestFile, before: file, after: { mode: '100755' } });
    expect(String(change?.after?.bytes)).toContain('| one |  |  | COMPLETED |');
    expect(warning).toBeNull();
  });

  it('makes the file where there is none, and says so', async () => {
    const { change, warning } = await changeOf({});
    expect(change).toMatchObject({ before: null, after: { mode: '100644' } });
    expect(warning).toContain('created minimal one');
  });

  it('builds on the patch of the same commit', async () => {
    const patch = [{ path: manifestFile, before: state('# Old\n'), after: state('# New\n') }];
    const { change } = await changeOf({ file: state('# Old\n'), patch });
    expect(change?.before).toEqual(state('# Old\n'));
    expect(String(change?.after?.bytes)).toMatch(/^# New\n/);
  });

  it('is none when the section is up to date', async () => {
    const first = await changeOf({ file: state('# Law\n') });
    expect(await changeOf({ file: first.change?.after ?? null })).toEqual({
      change: null,
      warning: null,
    });
  });

  it.each<[string, Place]>([
    ['is read-only', { file: state('# Law\n'), readOnly: () => true }],
    ['is a link', { file: state('other.md', '120000') }],
    ['is not UTF-8 text', { file: { mode: '100644', bytes: Buffer.from([0, 1, 2]) } }],
    ['ends inside a code block', { file: state('```\ncode') }],
  ])('is a warning for a file that %s', async (why, place) => {
    const { change, warning } = await changeOf(place);
    expect(change).toBeNull();
    expect(warning).toContain(why);
  });

  it('is a warning when the checkout cannot be read', async () => {
    const readOnly = () => {
      throw new Error('EIO');
    };
    expect(await changeOf({ readOnly })).toEqual({
      change: null,
      warning: 'manifest not written: EIO',
    });
  });
});
