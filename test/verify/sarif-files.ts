/** Files in SARIF, and what is read from them. */
import { type Alert, parseSarif } from '../../src/verify/reports/sarif.ts';

export const repository = new Set([
  'src/a.js',
  'src/b c.js',
  'lib/x/src/a.js',
  'index.js',
  '100%.js',
]);

export const files = { workspace: '/work/repo', has: (path: string) => repository.has(path) };

export type Fields = Readonly<Record<string, unknown>>;

export const at = (uri: string, more: Fields = {}, region: Fields = { startLine: 1 }) => [
  { physicalLocation: { artifactLocation: { uri, ...more }, region } },
];

export const sarif = (results: readonly Fields[], run: Fields = {}) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Tool' } },
        results: results.map(each => ({
          message: { text: 'M' },
          locations: at('src/a.js'),
          ...each,
        })),
        ...run,
      },
    ],
  });

export const parse = (results: readonly Fields[], run?: Fields) =>
  parseSarif(sarif(results, run), files);

export const only = (result: Fields, run?: Fields): Alert | undefined =>
  parse([result], run).alerts[0];
