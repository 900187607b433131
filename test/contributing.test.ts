/** Plays every recipe of CONTRIBUTING.md in a copy of the checkout, with a small sample each, and expects the suite to stay green. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { discard, makeFolder } from './harness.ts';
import { root } from './root.ts';
import { isAll, playsVariants } from './seed.ts';

/** What a sample does in a step: a new file, an insertion, or why a file that the step names stays as it is. */
type Action =
  | { readonly write: string; readonly text: string }
  | {
      readonly edit: string;
      /** A text that the file holds once; the insertion stands before or after it, or at the end. */
      readonly before?: string;
      readonly after?: string;
      readonly at?: 'end';
      readonly add: string;
    }
  | { readonly leave: string };

interface Sample {
  /** What the sample has for `<name>` and other places of the recipe. */
  readonly values: Readonly<Record<string, string>>;
  readonly steps: Readonly<Record<string, readonly Action[]>>;
}

interface Step {
  readonly number: string;
  readonly text: string;
}

/** The recipes by their titles, the sections that begin with what to do, and the steps of each. */
const recipes = new Map(
  readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    .split(/^## /m)
    .filter(section => /^(?:Add|Serve|Write|Change) /.test(section))
    .map(section => {
      const [title = '', ...lines] = section.split('\n');
      const [list = ''] = lines.join('\n').trim().split('\n\n');
      const steps = list
        .split(/^(?=\d+\. )/m)
        .map((text): Step => ({ number: /^\d+/.exec(text)?.[0] ?? '', text }));
      return [title, steps] as const;
    }),
);

const slugOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');
const folder = join(root, 'test', 'fixtures', 'recipes');

const sampleOf = (title: string) =>
  parse(readFileSync(join(folder, `${slugOf(title)}.yml`), 'utf8')) as Sample;

/** The code spans of a step, with the sample's values in their places. */
function spansOf({ text }: Step, { values }: Sample): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
    span.replace(/<(\w+)>/g, (place, name: string) => values[name] ?? place),
  );
}

const isCommand = (span: string) => /^(npm|npx|photon) /.test(span);
const isPath = (span: string) => !isCommand(span) && /^[\w.<>-]+(\/|\.md$)/.test(span);
const pathOf = (action: Action) =>
  'write' in action ? action.write : 'edit' in action ? action.edit : action.leave;

/** True for the path itself, and for a folder that holds it. */
const covers = (named: string, path: string) =>
  named === path || (named.endsWith('/') && path.startsWith(named));

let copy: string;

/** What failed, with the end of what it printed; all of it, so that one run shows everything. */
const failures: string[] = [];

function run(program: string, ...args: readonly string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1' };
  const options = { cwd: copy, env, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0)
    failures.push(`${args.join(' ')}\n${stdout.slice(-20_000)}\n${stderr.slice(-5_000)}`);
}

const node = (...args: readonly string[]) => run(process.execPath, ...args);
const vitest = (...args: readonly string[]) =>
  node('node_modules/vitest/vitest.mjs', 'run', ...args);

/** The commands that recipes name, in the order in which they make sense after all edits. */
const commands: Readonly<Record<string, () => void>> = {
  // the other tests compare, too, and would take minutes
  'npm test -- -u': () => vitest('test/generated.test.ts', '-u'),
  'npx vitest run test/report/pull-request -u': () => vitest('test/report/pull-request', '-u'),
  'npm run build': () => node('.ci/build.ts'),
  'photon skills check skills/title-case': () =>
    node('dist/photon.js', 'skills', 'check', 'skills/title-case'),
};

/** True for the build, and what starts it: the rest needs neither. */
const isBuilt = (command: string) => /build|photon/.test(command);

/** Tests of what the project demands of every change; played with the variants. */
const suites = ['test/architecture.test.ts', 'test/generated.test.ts', 'test/docs.test.ts'];

/** Files of tests that such changes can break, too, as vitest finds them: by a part of their path. */
const variants = [
  'test/dist.test.ts',
  'test/ecosystems/',
  'test/guard/rules/',
  'test/guard/decide.test.ts',
  'test/agent/context/policy.test.ts',
  'test/agent/context/prompt.test.ts',
  'test/agent/protocols.test.ts',
  'test/settings/',
  'test/skills/',
  'test/repair/candidates/templates/index.test.ts',
];

/** Tests that start whole runs, played with the variants: of these, what the samples add, and the checks over all rows. */
const runs = [
  'test/features/features.test.ts',
  'test/run/rules.test.ts',
  'test/run/shipped-skills.test.ts',
];
const played = [
  'the map of the constitution',
  'A plan names each file once',
  'PLAN_REPEATED',
  'every rule is driven here',
  'paths that lead nowhere good',
  'title-case',
];

function playAction(action: Action): void {
  if ('leave' in action) return;
  const path = join(copy, pathOf(action));
  if ('write' in action) {
    expect(existsSync(path), action.write).toBe(false);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, action.text);
    return;
  }
  const text = readFileSync(path, 'utf8');
  const { before, after, add } = action;
  const anchor = before ?? after ?? '';
  if (action.at !== 'end') expect(text.split(anchor), `${action.edit}: ${anchor}`).toHaveLength(2);
  const made =
    action.at === 'end'
      ? text + add
      : text.replace(anchor, () => (before === undefined ? anchor + add : add + anchor));
  writeFileSync(path, made);
}

beforeAll(() => {
  copy = makeFolder();
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  for (const name of listed.stdout.split('\0').filter(Boolean)) {
    if (!existsSync(join(root, name)) || lstatSync(join(root, name)).isDirectory()) continue;
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    copyFileSync(join(root, name), join(copy, name));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
});
afterAll(() => discard(copy));

describe('the recipes of CONTRIBUTING.md', () => {
  it('name files that exist', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    const paths = spans.filter(
      span => /^(src|test|docs|prompts|skills)\//.test(span) && !/[<*{]|\/a\/b/.test(span),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([]);
  });

  it('are checked by suites that exist', () => {
    for (const path of [...suites, ...variants, ...runs])
      expect(existsSync(join(root, path)), path).toBe(true);
  });

  it('have a sample each', () => {
    const names = [...recipes.keys()].map(title => `${slugOf(title)}.yml`);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
    expect(names.length).toBeGreaterThan(5);
  });

  it.each([...recipes])(
    '%s: the sample does what each step says, and nothing else',
    (title, steps) => {
      const sample = sampleOf(title);
      expect(Object.keys(sample.steps)).toEqual(steps.map(({ number }) => number));
      for (const step of steps) {
        const spans = spansOf(step, sample);
        const paths = spans.filter(isPath);
        const done = (sample.steps[step.number] ?? []).map(pathOf);
        expect(
          paths.filter(named => !done.some(path => covers(named, path))),
          `${step.text}: named, and not done`,
        ).toEqual([]);
        expect(
          done.filter(path => !paths.some(named => covers(named, path))),
          `${step.text}: done, and not named`,
        ).toEqual([]);
        expect(spans.filter(span => isCommand(span) && !(span in commands))).toEqual([]);
      }
    },
  );

  it('leave the suite green together', () => {
    const named = new Set<string>();
    const changed: string[] = [];
    const written: string[] = [];
    for (const [title, steps] of recipes) {
      const sample = sampleOf(title);
      for (const step of steps) {
        for (const span of spansOf(step, sample)) named.add(span);
        for (const action of sample.steps[step.number] ?? []) {
          playAction(action);
          if (!('leave' in action)) changed.push(pathOf(action));
          if ('write' in action && action.write.endsWith('.test.ts')) written.push(action.write);
        }
      }
    }
    if (playsVariants)
      for (const [command, play] of Object.entries(commands))
        if (named.has(command) && (isAll || !isBuilt(command))) play();
    // as `npm run check` does; Biome judges each file by itself
    const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--files-ignore-unknown=true'];
    node(...biome, '--no-errors-on-unmatched', ...new Set(changed));
    if (playsVariants) node('node_modules/typescript/bin/tsc', '-p', '.');
    // what is new makes the house larger, which the figures of the page do not know
    const known = '^(?!.*lets no figure get worse)';
    if (playsVariants) vitest(...suites, ...(isAll ? variants : []), ...written, '-t', known);
    // once, and not under the other agent profile as well
    if (isAll) vitest(...runs, '--project', 'whole', '-t', played.join('|'));
    expect(failures.join('\n\n')).toBe('');
  });
});
