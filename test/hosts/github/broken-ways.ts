/** How a reply can be other than it should: cut off on its way, or not GitHub's. */
import type { Fault } from '../../doubles/github.ts';

const page = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** How a reply can be other than it should. */
export const ways = {
  'cut at its start': () => ({ bytes: 0 }),
  'cut in its middle': (reply: string) => ({ bytes: Math.floor(Buffer.byteLength(reply) / 2) }),
  'cut before its last byte': (reply: string) => ({ bytes: Buffer.byteLength(reply) - 1 }),
  'an empty object': () => ({ text: '{}' }),
  'an empty list': () => ({ text: '[]' }),
  'nothing at all': () => ({ text: '' }),
  null: () => ({ text: 'null' }),
  'a page of a proxy': () => ({ text: page }),
} satisfies Readonly<Record<string, Fault['broken']>>;

export const wayNames = Object.keys(ways) as (keyof typeof ways)[];
