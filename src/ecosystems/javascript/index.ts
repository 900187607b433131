/** JavaScript and TypeScript, with Deno and Bun. */
import type { Ecosystem } from '../ecosystem.ts';
import { pickKeys } from '../shared/sections.ts';
import { plantCanary } from './canary.ts';
import { findCheats } from './cheats.ts';
import { configuredTools, guessedTools } from './detect.ts';
import { parseJest } from './jest-report.ts';
import { parseMocha } from './mocha-report.ts';
import { obstacles } from './obstacles.ts';
import { runners } from './output.ts';
import { selectEarly } from './select.ts';

export const javascript: Ecosystem = {
  name: 'JavaScript',
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
      /^[ \t]*(?:await )?(?:it|test|describe|suite|context|specify)(?:\.\w+)*\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/gm,
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
    sections: {
      'package.json': pickKeys(['scripts', 'jest', 'vitest', 'mocha', 'ava', 'nyc', 'tap']),
    },
  },
  commands: {
    starts: [
      /^node .*--test\b/,
      /^(vitest|jest|mocha|ava|tap|tape|uvu)\b/,
      /^(?:deno (?:test|task test)|bun test)\b/,
      /^(turbo|nx|lerna)\b.* (?:tests?|-t test)\b/,
      /^(?:npm|pnpm|yarn|bun)\b(?=.* (?:-r|-ws|--workspaces|--recursive|workspaces?|--filter)\b).* test\b/,
    ],
    runners: 'vitest jest mocha ava tap tape jasmine uvu playwright cypress karma'.split(' '),
    loads: [
      /^--(?:import|require|loader|experimental-loader|preload|config|configFile|globalSetup|env-file|spec)$/,
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
  readReport: text => parseJest(text) ?? parseMocha(text),
  selectEarly,
  plantCanary,
  obstacles,
};
