/** Survivors of a search. */
import { expect } from 'vitest';
import type { Candidate } from '../../src/repair/candidates/candidates.ts';
import type { TextEdit } from '../../src/repair/candidates/edit.ts';
import { templates } from '../../src/repair/candidates/templates/index.ts';
import type { Choice } from '../../src/repair/choose.ts';

const template = templates[0] ?? expect.fail('no template');

const path = 'a.js';

const text = 'one + two + three;\n';

export const textOf = new Map([[path, text]]);

/** A candidate of one edit. */
export const candidate = (edit: TextEdit, more: Partial<Candidate> = {}): Candidate => ({
  path,
  line: 1,
  edits: [edit],
  template,
  score: 1,
  suspicion: 1,
  ...more,
});

/** A survivor that writes a text in place of the first name. */
export const survivor = (written: string, rank = 0): Choice => ({
  candidate: candidate({ start: 0, end: 3, text: written }),
  rank,
  symbol: '',
});
