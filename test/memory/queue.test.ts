/** Record changes that wait for review, bound to their pull request by a digest. */
import { describe, expect, it } from 'vitest';
import {
  digestOfChanges,
  findQueueMarker,
  parseQueueFile,
  type Queue,
  queueMarker,
  queuePath,
  readQueues,
  renderQueue,
} from '../../src/memory/queue.ts';
import { adding, day } from './making.ts';

const queue = (run: string, at = day(0)): Queue => ({
  schema: 1,
  run,
  branch: 'photon/x',
  pull: 3,
  at,
  changes: [adding('Retries are bounded.')],
});

describe('a queue', () => {
  it('is read as it was written, at its own path alone', () => {
    const text = renderQueue(queue('Run-1'));
    expect(queuePath('Run-1')).toBe('queue/run-1.json');
    expect(parseQueueFile('queue/run-1.json', text)).toEqual(queue('Run-1'));
    expect(parseQueueFile('queue/run-2.json', text)).toBeUndefined();
    expect(parseQueueFile('queue/run-1.json', text.slice(1))).toBeUndefined();
    expect(
      parseQueueFile('queue/run-1.json', text.replace('"schema": 1', '"schema": 2')),
    ).toBeUndefined();
  });

  it('comes after older ones, then by run; what is none is left out', () => {
    const files = new Map(
      [queue('b', day(2)), queue('c', day(1)), queue('a', day(2))].map(q => [
        queuePath(q.run),
        renderQueue(q),
      ]),
    );
    files.set('queue/d.json', 'no JSON').set('records/e.json', renderQueue(queue('e')));
    expect(readQueues(files).map(q => q.run)).toEqual(['c', 'a', 'b']);
  });
});

describe('the mark of a pull request', () => {
  const digest = digestOfChanges(queue('r').changes);
  it('names run and digest, and the last one counts', () => {
    const body = `${queueMarker('old', '0'.repeat(64))}\ntext\n${queueMarker('r', digest)}\n`;
    expect(findQueueMarker(body)).toEqual({ run: 'r', digest });
  });

  it.each(['', queueMarker('r', 'short'), queueMarker('a b', digest)])('is not in %j', body => {
    expect(findQueueMarker(body)).toBeUndefined();
  });

  it('differs for other changes', () => {
    expect(digestOfChanges([])).not.toBe(digest);
  });
});
