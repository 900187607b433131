/** The configuration on the trusted branch of a run of the tests. */
import type { Config } from '../../src/settings/settings.ts';
import { profile } from '../harness.ts';
import type { GitFile } from './git-store.ts';
import { withoutProof } from './sample.ts';

const path = '.photon/config.json';

/** What every run has: the profile that the tests are played under, and no time for what has tests of its own. */
const usual: Config = {
  ...withoutProof,
  ...(profile === 'photon' ? {} : { agent: { profile } }),
};

type Files = Readonly<Record<string, GitFile | string>>;

/** Files of a repository with the configuration of every run; the one among them and `more` take precedence. */
export function withConfig(files: Files, more: Config = {}): Files {
  const own = files[path] ?? '{}';
  if (typeof own !== 'string' || !isObject(own)) return files;
  return { ...files, [path]: writeConfig(merge(JSON.parse(own) as Config, more)) };
}

/** Text of the configuration of every run, with what a test sets in it. */
export function writeConfig(more: Config): string {
  return JSON.stringify(merge(usual, more));
}

/** Two configurations, section by section; the second takes precedence. */
function merge(one: Config, two: Config): Config {
  const all: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(two)) {
    const before = all[name];
    all[name] = isSection(before) && isSection(value) ? { ...before, ...value } : value;
  }
  return all;
}

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** False for the text of a configuration that a test spoils. */
function isObject(text: string): boolean {
  try {
    return isSection(JSON.parse(text));
  } catch {
    return false;
  }
}
