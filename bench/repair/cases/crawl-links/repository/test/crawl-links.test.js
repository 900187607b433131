import assert from 'node:assert/strict';
import test from 'node:test';
import { crawl, siteMap } from '../src/crawl-links.js';

const pages = {
  '/': { links: ['/a', '/b'] },
  '/a': { links: ['/c', '/'] },
  '/b': { links: ['/c'] },
  '/c': { links: ['/lost'] },
  '/alone': {},
};
const load = async page => {
  if (!(page in pages)) throw new Error(`404 ${page}`);
  return pages[page];
};
const depths = async (...args) => Object.fromEntries(await crawl(...args));

test('the start is no click away', async () => {
  assert.equal((await crawl('/', load)).get('/'), 0);
});
test('a page without links', async () => assert.deepEqual(await depths('/alone', load), { '/alone': 0 }));
test('a page that cannot be loaded', async () => {
  assert.deepEqual(await depths('/lost', load), { '/lost': 0 });
});
test('follows links', async () => {
  assert.deepEqual(await depths('/', load), { '/': 0, '/a': 1, '/b': 1, '/c': 2, '/lost': 3 });
});
test('stops at a depth', async () => {
  assert.deepEqual(await depths('/', load, 1), { '/': 0, '/a': 1, '/b': 1 });
});
test('depth zero is the start alone', async () => assert.deepEqual(await depths('/', load, 0), { '/': 0 }));
test('a site map is sorted', async () => {
  assert.deepEqual(await siteMap('/b', load), ['/b', '/c', '/lost']);
});
test('links in a circle end', async () => {
  const circle = { x: { links: ['y'] }, y: { links: ['x'] } };
  assert.deepEqual(await depths('x', async page => circle[page]), { x: 0, y: 1 });
});
