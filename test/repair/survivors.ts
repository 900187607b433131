/** Survivors of a search. */
import { expect } from 'vitest';
import type { Candidate } from '../../src/repair/candidates/candidates.ts';
import type { TextEdit } from '../../src/repair/candidates/edit.ts';
import { templates } from '../../src/repair/candidates/templates/index.ts';
import type { Choice } from '../../src/repair/choose/choose.ts';
import type { Difference } from '../../src/repair/choose/differential.ts';

export const template = templates[0] ?? expect.fail('no template');

const path = 'a.js';

export const text = 'one + two + three;\n';

export const textOf = new Map([[path, text]]);

export const differ: Difference = { kind: 'differ', call: '(1) gives 1 and 2' };

/** A candidate of one edit. */
export const candidate = (edit: TextEdit, more: Partial<Candidate> = {}): Candidate => ({
  path,
  line: 1,
  edits: [edit],
  template,
  score: 1,
  suspicion: 1,
  risk: '',
  ...more,
});

/** A survivor that writes a text in place of the first name. */
export const survivor = (written: string, rank = 0, about: Partial<Choice> = {}) => ({
  candidate: candidate({ start: 0, end: 3, text: written }),
  rank,
  ...about,
});

export const unread = (read: string, left: string): Partial<Choice> => ({ unread: { read, left } });
