/** PHP. */
import { asObject } from '../base/schema-issue.ts';
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberAfter } from './shared/output.ts';
import { type PackageList, readJsonAt, withLowest } from './shared/package-list.ts';
import { plainRow } from './shared/tool-row.ts';

const packageLists: readonly PackageList[] = [
  {
    files: /(?:^|\/)composer\.json$/,
    source: 'composer',
    isManifest: true,
    read: text =>
      ['require', 'require-dev'].flatMap(key =>
        Object.entries(readJsonAt(text, key)).flatMap(([name, wanted]) => withLowest(name, wanted)),
      ),
  },
  {
    files: /(?:^|\/)composer\.lock$/,
    source: 'composer',
    read: text =>
      ['packages', 'packages-dev'].flatMap(key =>
        [readJsonAt(text)[key] ?? []]
          .flat()
          .map(asObject)
          .flatMap(({ name, version }) =>
            withLowest(typeof name === 'string' ? name : '', version),
          ),
      ),
  },
];

export const php: Ecosystem = {
  name: 'PHP',
  packageLists,
  detection: {
    manifests: /^composer\.json$/,
    sources: { PHP: /\.php$/ },
    tools: [
      plainRow({
        tool: 'pest',
        shownBy: '`pestphp/pest` in `composer.json`, or `tests/Pest.php`',
        signs: [['composer.json', /"pestphp\/pest"/], 'tests/Pest.php'],
        command: 'vendor/bin/pest',
        setup: 'composer install',
      }),
      plainRow({
        tool: 'phpunit',
        shownBy: '`phpunit.xml` or `phpunit.xml.dist`',
        signs: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'],
        command: 'vendor/bin/phpunit',
        setups: { 'composer.json': 'composer install' },
      }),
      plainRow({
        tool: 'composer script',
        shownBy: '`scripts.test` of `composer.json`',
        signs: [['composer.json', /"scripts"\s*:/, /"test"\s*:/]],
        command: 'composer test',
        setup: 'composer install',
      }),
    ],
  },
  paths: {
    '@tests': [/(^|\/)[^/]*(Test|Tests|Spec|IT)\.php$/],
    '@test-config': [/(^|\/)phpunit\.xml(\.dist)?$/],
    '@check-config': [/(^|\/)(phpstan[^/]*|psalm\.xml)$/i],
    '@manifests': [/(^|\/)composer\.jsonc?$/],
  },
  testCode: { libraries: [/^[ \t]*(?:use|import)\s+PHPUnit\b/m] },
  influence: { builds: [/(^|\/)composer\.json$/] },
  commands: {
    starts: [
      /^(?:php (?:-\S+ )*)?(?:\S*\/)?(?:simple-)?(?:phpunit|paratest)\b/,
      /^(?:php (?:-\S+ )*)?(?:\S*\/)?pest\b/,
      /^composer (?:run |run-script )?(?:-\S+ )*(tests?\b\S*|phpunit|unit\S*)/,
    ],
    runners: ['phpunit'],
    installers: [/composer install/],
  },
  runners: [
    {
      runner: 'phpunit',
      line: /^OK \(\d+ tests?, \d+ assertions?\)$/,
      count: text => ({ ran: numberAfter(text, 'OK'), failed: 0 }),
    },
    {
      runner: 'phpunit',
      failure: /^\d+\) (\S.*)$/,
      line: /^Tests: \d+, Assertions: \d+/,
      count: text => {
        const line = firstLine(text);
        const left = numberAfter(line, 'Skipped:') + numberAfter(line, 'Incomplete:');
        const failed = numberAfter(line, 'Failures:') + numberAfter(line, 'Errors:');
        return { ran: numberAfter(line, 'Tests:') - left, failed };
      },
      nothing: [/^No tests executed!$/],
    },
    {
      runner: 'pest',
      failure: /^ +FAILED {2}(\S.*)$/,
      line: /^ +Tests: +\S.* \(\d+ assertions?\)$/,
      nothing: [/^ +INFO {2}No tests found\.$/],
    },
  ],
};
