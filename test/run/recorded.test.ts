/**
 * Conversations as a capable model has them, natural mistakes included: what each is told, what is refused and how it
 * ends is what its file states. `-u` after the name of this file writes them anew.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { isWriting, sample } from '../seed.ts';
import type { Probed } from './probe.ts';
import {
  type FixedPart,
  fixedPartOf,
  fixedPath,
  playRecording,
  readRecording,
  recordingNames,
  recordingPath,
  renderFixedPart,
  renderRecording,
} from './recorded.ts';

const [first = '', ...others] = recordingNames;
const played = isWriting ? others : sample('recorded conversations', others, 3);

describe.runIf(has('namespaces'))(`a recorded conversation ${needs('namespaces')}`, () => {
  let opening: Probed;
  let fixed: FixedPart;
  beforeAll(async () => {
    opening = await playRecording(readRecording(first));
    fixed = fixedPartOf(opening);
  });

  it('begins with what all of them are told', async () => {
    await expect(renderFixedPart(fixed)).toMatchFileSnapshot(fixedPath);
  });

  it(`goes as recorded: ${first}`, async () => {
    const text = renderRecording(readRecording(first), opening, fixed);
    await expect(text).toMatchFileSnapshot(recordingPath(first));
  });

  it.each(played)('goes as recorded: %s', async name => {
    const given = readRecording(name);
    const text = renderRecording(given, await playRecording(given), fixed);
    await expect(text).toMatchFileSnapshot(recordingPath(name));
  });
});

describe('all recorded conversations', () => {
  // as they are now: the tests before these may have written them
  const readAll = () => recordingNames.map(readRecording);

  it('end as the task asks, with the last reply', () => {
    for (const [i, { ends, replies, requests }] of readAll().entries()) {
      const name = recordingNames[i] ?? '';
      expect([name, ends]).toEqual([name, endings[name] ?? 'PATCH_WRITTEN']);
      expect([name, requests.length]).toEqual([name, replies.length]);
    }
  });

  it('need at most a tenth more rounds than a plain agent', () => {
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    const recordings = readAll();
    const rounds = sum(recordings.map(r => r.requests.length));
    const plain = sum(recordings.map(r => r.plainRounds));
    expect(rounds).toBeLessThanOrEqual(1.1 * plain);
  });
});

/** Where a conversation ends without a patch. */
const endings: Readonly<Record<string, string>> = {
  'changed-test-nobody-asked-for': 'CLARIFY_CONFLICT',
  question: 'TASK_ANSWERED',
  'question-tried-out': 'TASK_ANSWERED',
};

/** What a model must be able to count on, and the conversations and tests that show it. */
const rules: readonly {
  readonly rule: string;
  readonly conversations: readonly string[];
  /** By file, the title of the test or of its group. */
  readonly probes: Readonly<Record<string, string>>;
}[] = [
  {
    rule: 'an edit changes the lines whose text it was shown',
    conversations: ['insertion-then-edit'],
    probes: {
      'guard/seen-lines.test.ts':
        'no edit ever changes a line other than the one that was last shown under its number',
    },
  },
  {
    rule: 'a look at a tracked file that the plan names needs no lookup',
    conversations: ['repair-read-before-plan', 'guessed-path'],
    probes: {
      'features/constitution-03-constraints.feature':
        'A guess of a tracked file is refused with the answer of its lookup',
    },
  },
  {
    rule: 'looking is a part of planning, and what follows a refused plan does not count',
    conversations: ['repair-read-before-plan', 'question', 'protected-path-in-the-plan'],
    probes: {
      'features/constitution-04-planning.feature':
        'What follows a refused plan in its reply is not run, and counts as nothing',
    },
  },
  {
    rule: 'too much is cut, what a command writes is put back, and a protected path is named',
    conversations: ['read-of-too-much', 'edit-by-a-command', 'protected-path-in-the-plan'],
    probes: {
      'features/constitution-03-constraints.feature':
        'what may be shown comes, with where to go on',
    },
  },
  {
    rule: 'silence costs a round only where something is changed, and reasons may be arguments',
    conversations: ['silent-model', 'silent-model-gives-reasons'],
    probes: {
      'run/natural-mistakes.test.ts':
        'a model that says nothing is refused for ten rounds at most, whatever the number of calls in each',
    },
  },
  {
    rule: 'a changed expectation is permitted by the task, or by a person who is asked',
    conversations: ['changed-test-nobody-asked-for', 'rename-in-tests-too', 'rename-of-a-type'],
    probes: {
      'verify/judge/judge.test.ts':
        'names what a person asked to change first, old and new, with the rest as proof',
    },
  },
  {
    rule: 'the state of the base is told when it is known',
    conversations: ['protected-path-in-the-plan'],
    probes: {
      'run/unrunnable.test.ts': 'is refused before the first request if a program is missing',
      'verify/installed.test.ts': 'a run without a patch in which nothing passed',
    },
  },
  {
    rule: 'one call takes over what a command wrote, such as a rename everywhere',
    conversations: ['rename-in-tests-too', 'rename-of-a-type', 'edit-by-a-command'],
    probes: {
      'run/taken-changes.test.ts': 'is shown with its numbers, and taken over by a call of its own',
    },
  },
  {
    rule: 'finish verifies by itself, a question may be tried out, and long output keeps its end',
    conversations: ['repair-from-a-search', 'question-tried-out'],
    probes: {
      'run/odd-endings.test.ts':
        'a finish without verify delivers in one round what the tests prove',
      'tools/output-ends.test.ts': 'are a few first lines, the last ones, and where the rest is',
    },
  },
  {
    rule: 'names and patterns of other tools lead to those of Photon',
    conversations: ['tools-of-another-agent', 'rename-of-a-type'],
    probes: {
      'tools/grep.test.ts':
        'takes a pattern that no line has as text as an expression, and says so',
    },
  },
];

describe('what a model can count on is shown', () => {
  it.each(rules)('$rule', ({ conversations, probes }) => {
    expect(recordingNames).toEqual(expect.arrayContaining([...conversations]));
    expect(conversations.length + Object.keys(probes).length).toBeGreaterThan(0);
    for (const [file, title] of Object.entries(probes))
      expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(title);
  });
});
