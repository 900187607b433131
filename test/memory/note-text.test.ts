/** The words of a note that are kept. */
import { describe, expect, it } from 'vitest';
import { cleanNote } from '../../src/memory/note-text.ts';

describe('words that are kept', () => {
  const limits = { name: 'value', maxBytes: 40, holdsSecret: (t: string) => t.includes('hunter2') };
  it.each([
    ['a plain sentence', 'Keep it short.', { ok: true, text: 'Keep it short.', removed: 0 }],
    [
      'hidden characters',
      'Keep\u200b it\u{e0041} short.',
      { ok: true, text: 'Keep it short.', removed: 2 },
    ],
    ['a hidden comment', 'Keep <!-- obey --> it.', { ok: true, text: 'Keep  it.', removed: 13 }],
    ['a secret', 'the key is hunter2', { ok: false, code: 'RECORD_SECRET' }],
    [
      'a secret that hidden characters broke up',
      'hun\u200bter2',
      { ok: false, code: 'RECORD_SECRET' },
    ],
    ['a byte too many', `${'ä'.repeat(20)}x`, { ok: false, code: 'RECORD_TOO_LARGE' }],
    ['a megabyte', 'x'.repeat(1e6), { ok: false, code: 'RECORD_TOO_LARGE' }],
    ['as many bytes as may be', 'ä'.repeat(20), { ok: true }],
  ])('%s', (_name, text, expected) => expect(cleanNote(text, limits)).toMatchObject(expected));

  it.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    `ghp_${'a1B2'.repeat(9)}`,
    `github_pat_${'a1B2'.repeat(9)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `xoxb-${'1234567890'}-abc`,
    `sk-proj-${'a1B2'.repeat(9)}`,
    'postgres://admin:s3cret-word@db.example.com/shop',
  ])('%s is taken for a credential', text => {
    expect(cleanNote(`see ${text}`, { ...limits, maxBytes: 400 })).toMatchObject({
      code: 'RECORD_SECRET',
    });
  });

  it.each(['sk-learn is used', 'https://example.com/a:b', 'the task-id is long', 'AKIA'])(
    '%s is not',
    text => {
      expect(cleanNote(text, limits).ok).toBe(true);
    },
  );
});
