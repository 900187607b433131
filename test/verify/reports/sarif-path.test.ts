import { describe, expect, it } from 'vitest';
import { at, only, parse } from '../sarif-files.ts';

describe('the file of a finding', () => {
  it.each([
    ['src/a.js', 'src/a.js'],
    ['./src/../src/a.js', 'src/a.js'],
    ['src/b%20c.js', 'src/b c.js'],
    ['src\\a.js', 'src/a.js'],
    ['100%.js', '100%.js'],
    ['file:///work/repo/src/a.js', 'src/a.js'],
    ['/work/repo/lib/x/src/a.js', 'lib/x/src/a.js'],
    ['file:///home/runner/work/r/r/src/a.js', 'src/a.js'],
    ['file:///D:/a/r/r/src/b%20c.js', 'src/b c.js'],
    ['D:\\a\\r\\src\\a.js', 'src/a.js'],
    ['\\\\host\\share\\src\\a.js', 'src/a.js'],
    ['file://host/share/src/a.js', 'src/a.js'],
    ['../src/a.js', undefined],
    ['https://example.com/src/a.js', undefined],
    ['src/none.js', undefined],
    ['', undefined],
  ])('%s is %s', (uri, path) => {
    expect(only({ locations: at(uri) })?.path).toBe(path);
  });

  it('is found through base ids and through the list of artifacts', () => {
    const run = {
      originalUriBaseIds: {
        SRC: { uri: 'src/', uriBaseId: 'ROOT' },
        ROOT: { uri: 'file:///other/' },
        LOOP: { uri: 'x/', uriBaseId: 'LOOP' },
        '%SRCROOT%': {},
      },
      artifacts: [{ location: { uri: 'a.js', uriBaseId: 'SRC' } }],
    };
    const places = [at('a.js', { uriBaseId: 'SRC' }), at('src/a.js', { uriBaseId: '%SRCROOT%' })];
    const listed = [{ physicalLocation: { artifactLocation: { index: 0 } } }];
    const all = [...places, listed].map(locations => only({ locations }, run)?.path);
    expect(all).toEqual(['src/a.js', 'src/a.js', 'src/a.js']);
    expect(only({ locations: at('a.js', { uriBaseId: 'LOOP' }) }, run)).toBeUndefined();
  });

  it('is no other file of the same name outside of the root of the scanner', () => {
    const uris = [
      '/ci/r/src/a.js',
      '/ci/r/index.js',
      '/ci/r/node_modules/y/index.js',
      '/usr/index.js',
    ];
    const report = parse(uris.map(uri => ({ locations: at(uri), ruleId: uri })));
    expect(report.alerts.map(a => a.path)).toEqual(['src/a.js', 'index.js']);
    expect(report.elsewhere).toBe(2);
  });
});
