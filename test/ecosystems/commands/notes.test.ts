/** What a checkout lacks is named where its tests are detected. */
import { expect, it } from 'vitest';
import { findNotes } from '../../../src/ecosystems/commands/notes.ts';
import { filesOf } from '../../layouts/layout.ts';

it.each<[string, Record<string, string>, RegExp | undefined]>([
  [
    'a manifest that is no JSON',
    { 'package.json': '{"scripts": {"test": "x",}}' },
    /^package\.json is not valid JSON, .*position|^package\.json is not valid JSON, .*JSON/,
  ],
  ['a manifest', { 'package.json': '{}' }, undefined],
  [
    'submodules',
    { '.gitmodules': '[submodule "a"]\n\tpath = deps/a\n\turl = x\n[submodule "b"]\n\tpath = b\n' },
    /submodules \(deps\/a, b\)/,
  ],
  [
    'Git LFS',
    { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt text\n' },
    /^Git LFS holds \*\.bin\./,
  ],
  ['other attributes', { '.gitattributes': '*.txt text\n' }, undefined],
])('%s', async (_name, files, said) => {
  const notes = await findNotes(filesOf(files));
  if (said === undefined) expect(notes).toEqual([]);
  else expect(notes).toEqual([expect.stringMatching(said)]);
});
