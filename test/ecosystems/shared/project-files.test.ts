import { describe, expect, it } from 'vitest';
import {
  openProjectFolder,
  parseJsonObject,
} from '../../../src/ecosystems/shared/project-files.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"top"}',
  'web/package.json': '{"name":"web"}',
  'web/src/a.js': '',
  'web/node_modules/x/index.js': '',
};
const project = {
  paths: Object.keys(files),
  has: (path: string) => Object.hasOwn(files, path),
  read: async (path: string) => files[path],
};

describe('a folder of a project', () => {
  const web = openProjectFolder(project, 'web');

  it('has its own files, without installed packages', async () => {
    expect(web.paths).toEqual(['package.json', 'src/a.js']);
    expect(web.has('src/a.js')).toBe(true);
    expect(web.has('package-lock.json')).toBe(false);
    expect(await web.json('package.json')).toEqual({ name: 'web' });
    expect(await web.read('none')).toBeUndefined();
  });

  it('sees the files of a name above it, the nearest first', async () => {
    expect(web.hasAtOrAbove('package.json')).toBe(true);
    expect(await web.textsAtOrAbove('package.json')).toEqual(['{"name":"web"}', '{"name":"top"}']);
    expect(web.hasAtOrAbove('none')).toBe(false);
  });

  it('is also the whole project', () => {
    expect(openProjectFolder(project, '').paths).toEqual([
      'package.json',
      'web/package.json',
      'web/src/a.js',
    ]);
  });
});

it.each(['', '[1]', '"x"', '{'])('%j holds no object', text =>
  expect(parseJsonObject(text)).toEqual({}),
);
