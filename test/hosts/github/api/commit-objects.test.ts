import { expect, it } from 'vitest';
import { identifyActor } from '../../../../src/hosts/github/api/commit-objects.ts';

it.each([
  ['41898282+github-actions[bot]@users.noreply.github.com', 'github-token'],
  ['github-actions[bot]@users.noreply.github.com', 'github-token'],
  ['1+my-app[bot]@users.noreply.github.com', 'app'],
  ['1+ann@users.noreply.github.com', 'person'],
  ['my-app@example.org', 'person'],
  ['', 'person'],
])('the author %j is of kind %s', (email, actor) => expect(identifyActor(email)).toBe(actor));
