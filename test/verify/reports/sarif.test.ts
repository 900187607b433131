/** SARIF as scanners write it: places, rules, messages, identity, what is no finding, ranks and bounds. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { parseSarif, rankAlerts } from '../../../src/verify/reports/sarif.ts';
import { at, type Fields, files, only, parse, sarif } from '../sarif-files.ts';

describe('a finding', () => {
  it('has its rule from the driver, an extension, or a hierarchical id, as CodeQL and others refer to it', () => {
    const tool = {
      driver: { name: 'CodeQL', rules: [{ id: 'r0', help: { text: 'Zero.' } }] },
      extensions: [
        {
          name: 'queries',
          rules: [
            {
              id: 'js/x',
              fullDescription: { text: 'Full.' },
              help: { text: 'T', markdown: '# H' },
              defaultConfiguration: { level: 'error', rank: 30 },
              properties: { 'security-severity': '7.5' },
            },
          ],
        },
      ],
    };
    const ofExtension = { rule: { id: 'js/x', index: 0, toolComponent: { index: 0 } } };
    expect(only(ofExtension, { tool })).toMatchObject({
      tool: 'CodeQL',
      rule: 'js/x',
      level: 'error',
      rank: 30,
      securitySeverity: 7.5,
      help: 'Full.\n\n# H',
    });
    expect(only({ ruleId: 'r0', ruleIndex: 0 }, { tool })?.help).toBe('Zero.');
    expect(only({ ruleId: 'js/x/2' }, { tool })).toMatchObject({ rule: 'js/x/2', level: 'error' });
    expect(only({ ruleId: 'none' }, { tool })).toMatchObject({
      help: '',
      level: 'warning',
      rank: -1,
    });
  });

  it('is the same by fingerprints, by partial fingerprints, and else by rule and place', () => {
    const place = (line: number) => ({ locations: at('src/a.js', {}, { startLine: line }) });
    const print = (value: string) => ({
      partialFingerprints: { 'primaryLocationLineHash/v1': value },
    });
    const count = (...results: readonly Fields[]) => parse(results).alerts.length;
    expect(count({ ...place(1), ...print('p') }, { ...place(9), ...print('p') })).toBe(1);
    expect(count({ ...print('p') }, { ...print('q') })).toBe(2);
    expect(
      count(
        { ...print('p'), fingerprints: { f: '1' } },
        { ...print('q'), fingerprints: { f: '1' } },
      ),
    ).toBe(1);
    expect(count(place(1), place(1), place(2), { ...place(1), ruleId: 'other' })).toBe(3);
  });

  it('is none when it passed, is absent, is suppressed or belongs to the baseline', () => {
    const suppressed = (...states: readonly (string | undefined)[]) => ({
      suppressions: states.map(status => ({ kind: 'inSource', ...(status && { status }) })),
    });
    const rows: readonly (readonly [Fields, number])[] = [
      [{ kind: 'pass' }, 0],
      [{ kind: 'informational' }, 0],
      [{ baselineState: 'absent' }, 0],
      [{ baselineState: 'unchanged' }, 0],
      [{ baselineState: 'new' }, 1],
      [{ baselineState: 'updated' }, 1],
      [suppressed(undefined), 0],
      [suppressed('accepted', 'rejected'), 1],
      [suppressed('underReview'), 1],
      [suppressed(), 1],
      [{ kind: 'fail' }, 1],
    ];
    for (const [fields, expected] of rows)
      expect(rankAlerts(parse([fields]).alerts), JSON.stringify(fields)).toHaveLength(expected);
  });

  it('is ranked by security-severity, level, rank and place', () => {
    const rule = (id: string, severity: string) => ({
      id,
      properties: { 'security-severity': severity },
    });
    const rules = [rule('low', '2.0'), rule('high', '9.8'), rule('odd', 'x'), rule('out', '11')];
    const results = [
      { ruleId: 'odd', level: 'note', rank: 1 },
      { ruleId: 'out', level: 'note', rank: 2 },
      { ruleId: 'none', level: 'error' },
      { ruleId: 'low', level: 'note' },
      { ruleId: 'high', level: 'note' },
      { ruleId: 'none', level: 'error', locations: at('index.js') },
    ];
    const { alerts } = parse(results, { tool: { driver: { name: 'Tool', rules } } });
    expect(rankAlerts(alerts).map(a => [a.rule, a.path])).toEqual([
      ['high', 'src/a.js'],
      ['low', 'src/a.js'],
      ['none', 'index.js'],
      ['none', 'src/a.js'],
      ['out', 'src/a.js'],
      ['odd', 'src/a.js'],
    ]);
  });
});

describe('a file', () => {
  it.each([
    ['nothing', '', 'It is not JSON'],
    ['a list', '[]', '/: '],
    ['no runs', '{"version":"2.1.0"}', '/runs: '],
    ['a wrong result', sarif([{ locations: 'x' }]), '/runs/0/results/0/locations: '],
    [
      'too many runs',
      JSON.stringify({ version: '2.1.0', runs: Array(21).fill({ tool: { driver: {} } }) }),
      '/runs: ',
    ],
    ['too many results', sarif(Array(25_001).fill({})), '/runs/0/results: '],
  ])('with %s is refused with the place', (_name, text, says) => {
    let error: unknown;
    try {
      parseSarif(text, files);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PhotonError);
    expect((error as PhotonError).code).toBe('SARIF_INVALID');
    expect((error as PhotonError).message).toContain(says);
  });

  it('may begin with a byte order mark, and a run without results reports nothing', () => {
    expect(parseSarif(`\ufeff${sarif([], { results: null })}`, files).alerts).toEqual([]);
  });
});

describe('the file of a finding', () => {
  it.each([
    ['src/a.js', 'src/a.js'],
    ['src/b%20c.js', 'src/b c.js'],
    ['src\\a.js', 'src/a.js'],
    ['100%.js', '100%.js'],
    ['file:///work/repo/src/a.js', 'src/a.js'],
    ['/work/repo/lib/x/src/a.js', 'lib/x/src/a.js'],
    ['file:///home/runner/work/r/r/src/a.js', 'src/a.js'],
    ['\\\\host\\share\\src\\a.js', 'src/a.js'],
    ['file://host/share/src/a.js', 'src/a.js'],
    ['../src/a.js', undefined],
    ['https://example.com/src/a.js', undefined],
    ['src/none.js', undefined],
    ['', undefined],
  ])('%s is %s', (uri, path) => {
    expect(only({ locations: at(uri) })?.path).toBe(path);
  });

  it('is found through base ids', () => {
    const run = {
      originalUriBaseIds: {
        SRC: { uri: 'src/', uriBaseId: 'ROOT' },
        ROOT: { uri: 'file:///other/' },
        LOOP: { uri: 'x/', uriBaseId: 'LOOP' },
        '%SRCROOT%': {},
      },
    };
    const places = [at('a.js', { uriBaseId: 'SRC' }), at('src/a.js', { uriBaseId: '%SRCROOT%' })];
    const all = places.map(locations => only({ locations }, run)?.path);
    expect(all).toEqual(['src/a.js', 'src/a.js']);
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
