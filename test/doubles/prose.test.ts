import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import { renderComment } from '../../src/report/comment/comment.ts';
import { renderSummary } from '../../src/report/comment/summary.ts';
import { agentsLabel } from '../../src/report/pull-request/sections.ts';
import { outcome } from '../report/hostile.ts';
import type { ScriptedTurn } from './model.ts';
import { findProse } from './prose.ts';

const summary = 'The discount was divided by ten. It is divided by a hundred now.';
const answer =
  '## What I found\n\nThe **discount** is wrong in two places.\n\n- It is divided by ten there.';
const reason = 'No skill of the list fits this task at all.';
const question = 'Is the discount a percent or a per mille value?';
const thought = 'I suspect that nobody has ever tested this.';

const say = (name: string, given: object): ScriptedTurn => ({
  text: thought,
  calls: [{ name, arguments: given }],
});

interface Case {
  readonly sent: ScriptedTurn;
  readonly shown: Partial<Outcome>;
  readonly first: string;
}

const plain: Outcome = {
  ...outcome('x', 'failed'),
  message: 'm',
  choices: [],
  statement: undefined as unknown as string,
  summary: undefined as unknown as string,
};

const cases: Readonly<Record<string, Case>> = {
  summary: {
    sent: say('finish', { reason: 'It is done by now.', summary }),
    shown: { status: 'committed', summary },
    first: 'The discount was divided by ten.',
  },
  answer: {
    sent: say('finish', { reason: 'It is done by now.', answer }),
    shown: { status: 'answered', answer },
    first: 'The **discount** is wrong in two places.',
  },
  reason: {
    sent: say('abstain', { reason }),
    shown: { status: 'abstained', statement: reason },
    first: reason,
  },
  question: {
    sent: say('clarify', {
      reason: 'unresolved_symbol',
      question,
      choices: ['percent', 'per mille'],
    }),
    shown: {
      status: 'needs_clarification',
      statement: question,
      choices: ['percent', 'per mille'],
    },
    first: question,
  },
};

const published = (text: string) => ({ published: { text }, data: {}, closed: {} });

describe.each(Object.entries(cases))('the %s of an agent', (name, { sent, shown, first }) => {
  const ended = { ...plain, ...shown } as Outcome;
  const texts = {
    comment: renderComment(ended),
    ...(name === 'summary' ? {} : { summary: renderSummary([{ outcome: ended, diff: '' }]) }),
  };

  it.each(Object.entries(texts))('stands under its label in the %s', (_surface, text) => {
    expect(findProse([sent], published(text))).toEqual([]);
    const bare = text.replaceAll(agentsLabel, '');
    expect(bare).not.toBe(text);
    expect(findProse([sent], published(bare))).toContain(`text, without its label: ${first}`);
  });

  it('is missed neither beside another text with a label, nor in a ledger', () => {
    const beside = `${agentsLabel}\n\nSomething else was said.\n\n${first}\n`;
    expect(findProse([sent], published(beside))).toContain(`text, without its label: ${first}`);
    const ledger = { published: {}, data: {}, closed: { ledger: first } };
    expect(findProse([sent], ledger)).toContain(`ledger: ${first}`);
  });

  it('is no excuse for the reasoning', () => {
    const text = `${texts.comment}\n\n${agentsLabel}\n\n${thought}`;
    expect(findProse([sent], published(text))).toContain(`text: ${thought}`);
  });
});
