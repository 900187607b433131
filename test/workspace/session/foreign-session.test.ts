import { expect, it } from 'vitest';
import {
  ownPath,
  parsePaths,
  readBytes,
  readFileState,
  sessionIdentity,
} from '../../../src/workspace/session/foreign-session.ts';

const invalid = expect.objectContaining({ code: 'SESSION_INVALID' });
const identity = (more: Readonly<Record<string, string | undefined>>) => {
  const values = {
    run: 'r-1',
    agent: 'photon',
    commit: 'a'.repeat(40),
    tree: 'b'.repeat(40),
    ...more,
  };
  return () => sessionIdentity(key => (values as Readonly<Record<string, string>>)[key] ?? '');
};

it('an identity of plain ids is taken', () => {
  expect(identity({})()).toMatchObject({ run: 'r-1', agent: 'photon' });
});

it.each([{ run: 'a b' }, { run: 'x\n' }, { commit: '--all' }, { tree: 'HEAD~1' }])(
  'an identity with %j is refused',
  more => expect(identity(more)).toThrow(invalid),
);

it.each(['', '../a', '/a', 'a//b', '.git/config', 'a/../b'])('the path %j is refused', path => {
  expect(() => ownPath(path)).toThrow(invalid);
});

it('files and calls have the form that Photon stores', () => {
  const bytes = new Uint8Array([1]);
  expect(ownPath('src/a.js')).toBe('src/a.js');
  expect(readFileState('100755', bytes)).toEqual({ mode: '100755', bytes });
  expect(readBytes(null)).toEqual(new Uint8Array());
  expect(parsePaths('["a"]')).toEqual(['a']);
  expect(() => readFileState('160000', bytes)).toThrow(invalid);
  expect(() => readBytes('text')).toThrow(invalid);
  for (const text of ['{', '{}', '[1]']) expect(() => parsePaths(text)).toThrow(invalid);
});
