import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../../../src/hosts/github/parse/event.ts';
import { verbs } from '../../../../src/hosts/github/parse/verbs.ts';
import { comment } from '../../../doubles/events.ts';

describe('a comment event', () => {
  const request = (body: string) => parseEvent({ ...comment({ body }), taskInput: '' });

  it.each(Object.keys(verbs))('is served for %s', verb => {
    expect(request(`/photon ${verb} words`)).toMatchObject({
      kind: 'command',
      verb,
      text: 'words',
    });
  });

  it('that Photon posted itself is declined, under whoever’s name', () => {
    expect(request('/photon fix it\n<!-- photon:task=fix-5-1a2b3c4d -->')).toEqual({
      kind: 'declined',
      reason: 'the comment is from Photon itself',
    });
  });

  it.each(['constructor', '__proto__', 'toString', 'explode'])(
    'with /photon %s is of no command that there is',
    typed => {
      const found = { kind: 'command', verb: 'unknown', text: typed.toLowerCase() };
      expect(request(`/photon ${typed}`)).toMatchObject(found);
    },
  );
});
