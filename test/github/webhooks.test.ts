import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../src/github/events/event.ts';
import { findCommand } from '../../src/github/events/find-command.ts';
import { begin, repairScript } from '../doubles/sample.ts';
import { play } from '../run/scenario.ts';
import { sample } from '../seed.ts';

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: unknown[];
}[];

/** What an event of GitHub's examples may ask for. */
const kinds = ['command', 'schedule', 'issue', 'pull-label', 'failed-workflow'];

describe('real webhook payloads', () => {
  it('are all there', () => {
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples.map(e => [e.name, e.examples] as const))(
    '%s is served or declined with one clear line, never a crash',
    (name, payloads) => {
      for (const payload of payloads) {
        const request = parseEvent({ name, payload, taskInput: '' });
        if (request.kind === 'declined') expect(request.reason).toMatch(/^[^\n]{10,200}$/);
        else expect(kinds).toContain(request.kind);
        expect(parseEvent({ name, payload, taskInput: 'do it' })).toEqual({
          kind: 'task',
          prompt: 'do it',
        });
      }
    },
  );

  const some = sample('webhooks', examples, 12);

  it.each(some.map(e => [e.name, e.examples] as const))(
    '%s: the Action ends without a request to GitHub',
    async (name, [payload]) => {
      await play(
        { script: [begin], task: '', event: { name, payload: payload as object } },
        ({ outcome, github, exitCode, log }) => {
          expect(outcome, name).toMatchObject({ status: 'no_change', code: 'EVENT_NOT_SERVED' });
          expect(exitCode).toBe(0);
          expect(github.seen).toEqual([]);
          expect(log.split('\n').filter(l => l.includes('EVENT_NOT_SERVED'))).toHaveLength(1);
        },
      );
    },
  );

  it('with a task any event starts a run', async () => {
    const payload = {
      ...(examples.find(e => e.name === 'push')?.examples[0] as object),
      repository: { default_branch: 'main' },
    };
    await play({ script: repairScript, event: { name: 'push', payload } }, ({ outcome }) =>
      expect(outcome.status).toBe('committed'),
    );
  });

  it.each([null, 42, 'x', [], {}, { action: 'created' }, { action: 1, comment: [], issue: null }])(
    'a payload that is %j is declined',
    payload => {
      for (const name of ['issue_comment', 'pull_request_review_comment', '', '__proto__']) {
        expect(parseEvent({ name, payload, taskInput: '' }).kind).toBe('declined');
      }
    },
  );
});

describe('commands in comments', () => {
  it.each([
    ['/photon fix the bug', { verb: 'fix', text: 'the bug' }],
    ['Hello.\n\n/photon fix\nthe bug\nplease', { verb: 'fix', text: 'the bug\nplease' }],
    ['/photon', { verb: 'help', text: '' }],
    ['text /photon fix', null],
    ['> /photon fix', null],
    ['    /photon fix', null],
    ['```\n/photon fix\n```', null],
    ['~~~\n```\n/photon fix\n~~~', null],
    ['```\nx\n```\n/photon fix a', { verb: 'fix', text: 'a' }],
    ['````\n```\n/photon fix\n```\n````', null],
    ['/photonfix x', null],
  ])('%j', (body, expected) => expect(findCommand(body)).toEqual(expected));
});
