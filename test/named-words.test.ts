/** What pages and messages name exists: settings, inputs, commands and their options. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { inputOptions } from '../src/cli/command.ts';
import { verbs } from '../src/hosts/github/parse/verbs.ts';
import { everyCommand } from './cli/every-command.ts';
import { root } from './harness.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];
const spans = pages.flatMap(page =>
  [
    ...read(page)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, span = '']) => [page, span] as const),
);

const shared = ['help', 'version'];
const options = new Map(
  everyCommand.map(([name, made]) => {
    const own = { ...(made.settings && inputOptions(made.settings)), ...made.options };
    return [name, new Set([...Object.keys(own), ...shared])];
  }),
);

/** What this text names of the command line and does not exist. */
function findUnknown(text: string): readonly string[] {
  const named = text.matchAll(/\bphoton ([a-z][a-z-]+)((?: (?!photon |and |or )[^\s`'",;:()]+)*)/g);
  return [...named].flatMap(([whole, command = '', rest = '']) => {
    const known = options.get(command);
    const given = [...rest.matchAll(/(?<= )--([a-z][\w-]*)/g)].map(([, option = '']) => option);
    if (known === undefined) return given.length > 0 ? [whole] : [];
    return given.every(option => known.has(option)) ? [] : [whole];
  });
}

it('a page and a message name no command and no option that does not exist', () => {
  expect(findUnknown('photon apply last --run')).toEqual(['photon apply last --run']);
  expect(findUnknown('photon nosuch --on')).toEqual(['photon nosuch --on']);
  const sources = globSync('src/**/*.ts', { cwd: root }).map(path => [path, read(path)] as const);
  const wrong = [...spans, ...sources].flatMap(([where, text]) =>
    findUnknown(text).map(what => `${where}: ${what}`),
  );
  expect(wrong).toEqual([]);
});

/** Keys of GitHub's workflows, of skills, of outcome.json and of other programs that the pages speak of. */
const foreign =
  /^(?:actions|allowed-tools|attestations|cache|checks|committed|contents|engine|excludeAgent|fetch-depth|id-token|issues|NODE_USE_ENV_PROXY|pull-requests|queue|sdk|settings|statuses|workflows)$/;

it('a page names no setting that does not exist', () => {
  const known = new Set(Object.keys(parse(read('action.yml')).inputs));
  const addKeys = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties') for (const key of Object.keys(value)) known.add(key);
      addKeys(value);
    }
  };
  for (const path of globSync('schema/*.json', { cwd: root })) addKeys(JSON.parse(read(path)));
  const keys = spans.flatMap(([page, span]) => {
    const [, key = ''] = /^"?([\w.-]+)"?: \S/.exec(span) ?? [];
    return key === '' || foreign.test(key) ? [] : [{ page, span, key }];
  });
  expect(keys.filter(({ key }) => !key.split('.').every(part => known.has(part)))).toEqual([]);
  expect(keys.length).toBeGreaterThan(50);
});

it('README and the page on triggers name every command of GitHub', () => {
  const inTable = [...read('docs/triggers.md').matchAll(/^\| `\/photon ([a-z-]+)/gm)];
  const [list = ''] =
    /On an issue or a pull request: [\s\S]*? and `help`/.exec(read('README.md')) ?? [];
  const inReadme = [...list.matchAll(/`(?:\/photon )?([a-z-]+)`/g)];
  for (const found of [inTable, inReadme])
    expect(found.map(([, name]) => name).sort()).toEqual(Object.keys(verbs).sort());
});

it('README gives the figures of the page that it links', () => {
  const [, right, all, wrong] =
    /right in ([\w ]+) of (\d+) and wrong in (\d+)/.exec(read('README.md')) ?? [];
  const row = `| human fixes, held back | 2026-11-27 | ${right} of ${all} | ${wrong} of ${all} |`;
  expect(read('docs/dev/measurements.md')).toContain(row);
});
