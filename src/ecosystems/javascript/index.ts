/** JavaScript and TypeScript, with Deno and Bun. */
import { asObject, tryJson } from '../../base/schema-issue.ts';
import type { Ecosystem } from '../ecosystem.ts';
import {
  type EarlyScope,
  maxNames,
  positionals,
  runsTests,
  type Selection,
  selectFiles,
} from '../shared/select.ts';
import { plantCanary } from './canary.ts';
import { findCheats } from './cheats.ts';
import { parseNodeTest } from './commands.ts';
import { configuredTools, guessedTools } from './detect.ts';
import { runners } from './output.ts';
import { packageLists } from './packages.ts';
import { readReport } from './report.ts';

const scriptSource = /\.(?:[cm]?[jt]sx?|vue|svelte|json|css)$/;
/** They change where the results go, or need the whole suite. */
const unusedFlags = /^--(?:coverage|reporters?|outputFile)\b/;

/** The words for node:test, vitest and jest; undefined for another command. */
function selectEarly(
  words: readonly string[],
  scope: EarlyScope,
): Promise<Selection> | Selection | undefined {
  const node = parseNodeTest(words);
  if (node !== undefined) {
    const plain = ['node', ...node.flags, '--test', ...node.testFlags];
    return selectFiles(
      { words: plain, files: node.files },
      scope,
      path => /\.[cm]?[jt]s$/.test(path) && runsTests(path),
    );
  }
  return words[0] === 'vitest' || words[0] === 'jest' ? selectRelated(words, scope) : undefined;
}

/** Both runners follow the imports of their tests themselves. */
function selectRelated([program = '', ...words]: readonly string[], scope: EarlyScope): Selection {
  const { flags, files } = positionals(
    words.filter(w => w !== 'run' && w !== '--run'),
    /^(-c|--config|--project|--environment|--pool|-w|--maxWorkers|--reporter|--testEnvironment)$/,
  );
  // with a filter or another root, the files would mean something else
  if (files.length > 0 || flags.some(f => /^(-r|--root|--dir|--rootDir|--watch)\b/.test(f)))
    return undefined;
  const named = [
    ...new Set([...scope.failing, ...scope.changed.filter(p => scriptSource.test(p))]),
  ];
  if (named.length === 0 || named.length > maxNames) return undefined;
  const kept = flags.filter((f, i) => !unusedFlags.test(f) && !isFlagValue(flags, i));
  return program === 'vitest'
    ? ['vitest', 'related', ...named, '--run', ...kept]
    : ['jest', ...kept, '--findRelatedTests', ...named];
}

function isFlagValue(flags: readonly string[], i: number): boolean {
  return !flags[i]?.startsWith('-') && unusedFlags.test(flags[i - 1] ?? '');
}

/** The keys of a manifest that configure tests; the whole text if it cannot be read. */
function pickTestKeys(text: string): string {
  const json = tryJson(text);
  if (json === undefined) return JSON.stringify({ unreadable: text });
  const data = asObject(json.value);
  const keys = ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'nyc', 'tap'];
  return JSON.stringify(Object.fromEntries(keys.map(k => [k, data[k]])));
}

/** Yarn 1 would ignore the mode, run scripts and write a file of its own form; Yarn 3 refuses to write in CI by default. */
const yarnLock =
  'case "$(yarn --version)" in 1.*) exit 1;; esac; YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install --mode=update-lockfile';
const npmLock = 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund';

export const javascript: Ecosystem = {
  name: 'JavaScript',
  packageLists,
  detection: {
    manifests: /^(?:package\.json|deno\.jsonc?)$/,
    sources: { JavaScript: /\.(?:[cm]?[jt]sx?|vue|svelte)$/ },
    configured: configuredTools,
    guessed: guessedTools,
  },
  paths: {
    '@tests': [/\.(test|spec|e2e)\.[cm]?[jt]sx?$/i, /_test\.[cm]?[jt]sx?$/],
    '@test-config': [
      /(^|\/)(vitest|vite|jest|karma|ava|playwright)\.(config|workspace|setup)\.[cm]?[jt]s(on)?$/i,
      /(^|\/)(cypress|mocha|nyc|tap)\.(config|workspace|setup)\.[cm]?[jt]s(on)?$/i,
      /(^|\/)\.(mocharc|nycrc|taprc|c8rc)(\.[a-z]+)?$/i,
      /(^|\/)node\.config\.json$/,
    ],
    '@check-config': [
      /(^|\/)\.?(eslint|oxlint|tslint|jshint|stylelint)(rc|ignore|\.config)?(\.[a-z]+)?$/i,
      /(^|\/)\.?(prettier|biome|dprint)(rc|ignore|\.config)?(\.[a-z]+)?$/i,
      /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
      /(^|\/)\.lintstagedrc[^/]*$/i,
    ],
    '@manifests': [
      /(^|\/)(package|deno|bower)\.jsonc?$/,
      /(^|\/)(package-lock|npm-shrinkwrap)\.json$/,
      /(^|\/)pnpm-(lock|workspace)\.yaml$/,
    ],
  },
  testCode: {
    libraries: [
      /(?:from|require\(|import\(|import)\s*['"](?:node:test|vitest|mocha|chai|ava|tape|tap|uvu|@jest\/globals|jest|jasmine|bun:test|@playwright\/test|@testing-library\/[\w-]+|supertest|sinon)(?:\/[\w-]+)*['"]/,
    ],
    definitions: [
      /^[ \t]*(?:await )?(?:it|test|specify)(?:\.\w+)*\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/gm,
    ],
    inline: /\bimport\.meta\.vitest\b/,
    exits: [
      /\bprocess\s*\.\s*(?:exit|reallyExit)\s*\(\s*0?\s*\)/,
      /\bprocess\s*\[\s*['"]/,
      /\bprocess\s*\.\s*(?:reallyExit|abort|kill|binding|dlopen)\s*\(/,
      /\bexitCode\s*=\s*0\b/,
      /\b(?:Deno|Bun)\s*\.\s*exit\s*\(\s*0?\s*\)/,
    ],
    cheats: findCheats,
  },
  influence: {
    installed: [/(^|\/)(node_modules|bower_components|\.yarn|\.pnpm)\//, /(^|\/)\.pnp\.[cm]?js$/],
    builds: [
      /(^|\/)(babel|swc|webpack|rollup|esbuild|tsup|metro|rspack)\.config\.[cm]?[jt]s(on)?$/i,
      /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
      /(^|\/)(bunfig\.toml|deno\.jsonc?|lerna\.json|nx\.json|turbo\.json)$/,
    ],
    sections: { 'package.json': pickTestKeys },
  },
  locks: [
    { file: 'package-lock.json', command: npmLock },
    { file: 'npm-shrinkwrap.json', command: npmLock },
    {
      file: 'pnpm-lock.yaml',
      command: 'pnpm install --lockfile-only --no-frozen-lockfile --ignore-pnpmfile',
    },
    { file: 'yarn.lock', holds: /^__metadata:/m, command: yarnLock },
    { file: 'yarn.lock', command: 'yarn install --ignore-scripts --non-interactive' },
  ],
  commands: {
    starts: [
      /^node .*--test\b/,
      /^(vitest|jest|mocha|ava|tap|tape)\b/,
      /^(?:deno (?:test|task test)|bun test)\b/,
      /^(turbo|nx)\b.* (?:tests?|-t test)\b/,
      /^(?:npm|pnpm|yarn|bun)\b(?=.* (?:-r|-ws|--workspaces|--recursive|workspaces?|--filter)\b).* test\b/,
    ],
    runners: 'vitest jest mocha ava tap tape jasmine playwright cypress karma'.split(' '),
    loads: [
      /^--(?:import|require|(?:experimental-)?loader|preload|config(?:File)?|globalSetup|env-file|spec)$/,
      /^-[rc]$/,
      /^--setup\w*$/,
    ],
    installers: [
      /npm (?:ci|i|install)/,
      /pnpm (?:i|install)/,
      /yarn(?: install)?/,
      /bun (?:i|install)/,
      /deno install/,
      /corepack enable/,
    ],
    // pnpm
    lacksRunner: output =>
      /^(?:\/bin\/)?sh: (?:line )?\d+: \S+: (?:command )?not found$/m.test(output) &&
      /^ ELIFECYCLE /m.test(output),
  },
  runners,
  readReport,
  selectEarly,
  plantCanary,
  missing: [
    /Cannot find (?:module|package) '((?:@[^/'\s]+\/)?[^./@#~'\s][^/'\s]*)/g,
    /Failed to resolve import "((?:@[^/"\s]+\/)?[^./@#~"\s][^/"\s]*)/g,
  ],
};
