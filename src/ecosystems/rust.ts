/** Rust: its output is checked with cargo 1.95. */
import { sum } from '../base/plural.ts';
import type { Ecosystem } from './ecosystem.ts';
import {
  type Cases,
  firstLine,
  ifComplete,
  numberBefore,
  type TestRunnerOutput,
} from './shared/output.ts';
import { type PackageList, readTomlLock, readTomlTables } from './shared/package-list.ts';
import { listNames } from './shared/project-files.ts';
import type { TestCase } from './shared/test-case.ts';
import { plainRow } from './shared/tool-row.ts';

/** cargo: `test NAME ... ok`, in blocks that state their number. */
function casesOfCargo(printed: TestRunnerOutput): Cases | undefined {
  const { lines } = printed;
  const cases: TestCase[] = [];
  let left = 0;
  for (const line of lines) {
    const announced = /^running (\d+) tests?$/.exec(line)?.[1];
    if (announced !== undefined) {
      if (left > 0) return undefined;
      left = Number(announced);
      continue;
    }
    const found = left === 0 ? null : /^test (.*) \.\.\. (ok|FAILED|ignored)\b.*$/.exec(line);
    if (found === null) continue;
    left -= 1;
    const status = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' } as const;
    cases.push({ id: found[1] ?? '', status: status[found[2] as keyof typeof status] });
  }
  const counted = lines
    .filter(line => line.startsWith('test result: '))
    .map(line =>
      sum([...line.matchAll(/(?<!\d)(\d+) (?:passed|failed|ignored)/g)].map(m => Number(m[1]))),
    );
  const fits = left === 0 && cases.length === sum(counted);
  const failed = cases.filter(c => c.status === 'failed');
  return fits ? ifComplete(cases, printed, failed) : undefined;
}

const packageLists: readonly PackageList[] = [
  {
    files: /(?:^|\/)Cargo\.toml$/,
    source: 'rust',
    isManifest: true,
    read: text => readTomlTables(text, /^\[[^\]\n]*dependencies(?:\.([\w-]+))?\]/),
  },
  { files: /(?:^|\/)Cargo\.lock$/, source: 'rust', read: readTomlLock },
];

export const rust: Ecosystem = {
  packageLists,
  packages: [
    {
      starts: /^cargo\b/,
      program: 'cargo',
      needs: listNames(/^Cargo\.lock$/, /^name = "(.+)"\nversion = .*\nsource = "registry/gm),
      places: ['vendor', '$CARGO_HOME/registry', '~/.cargo/registry'],
    },
  ],
  name: 'Rust',
  detection: {
    manifests: /^Cargo\.toml$/,
    sources: { Rust: /\.rs$/ },
    tools: [
      plainRow({
        tool: 'cargo (workspace)',
        shownBy: '`Cargo.toml` with `[workspace]`',
        signs: [['Cargo.toml', /^\[workspace[.\]]/m]],
        command: 'cargo test --workspace',
        setup: 'cargo fetch',
        setups: { 'Cargo.lock': 'cargo fetch --locked' },
      }),
      plainRow({
        tool: 'cargo',
        shownBy: '`Cargo.toml`',
        signs: ['Cargo.toml'],
        unless: [['Cargo.toml', /^\[workspace[.\]]/m]],
        command: 'cargo test',
        setup: 'cargo fetch',
        setups: { 'Cargo.lock': 'cargo fetch --locked' },
      }),
    ],
  },
  paths: {
    '@tests': [/_test\.rs$/i],
    '@check-config': [/(^|\/)(clippy|rustfmt)\.toml$/i],
    '@manifests': [/(^|\/)Cargo\.toml$/],
  },
  testCode: { inline: /^[ \t]*#\[cfg\(test\)\]/m, exits: [/\bprocess::exit\s*\(\s*0\s*\)/] },
  influence: { builds: [/(^|\/)build\.rs$/] },
  commands: {
    starts: [/^(?:cargo|cross)(?: [+-]\S+)* (?:test|nextest run)\b/],
    installers: [/cargo fetch/],
  },
  runners: [
    {
      runner: 'cargo',
      failure: /^---- (.*) stdout ----$/,
      line: /^test result: /,
      all: casesOfCargo,
    },
    {
      runner: 'nextest',
      failure: /^--- STD(?:OUT|ERR): +(.*?) ---$/,
      line: /^ +Summary \[ *[\d.]+s\] +\d+(?:\/\d+)? tests? run: /,
      count: text => {
        const words = ['passed', 'failed', 'timed out', 'exec failed'];
        const counted = words.map(word => numberBefore(firstLine(text), word));
        return { ran: sum(counted), failed: sum(counted.slice(1)) };
      },
    },
  ],
};
