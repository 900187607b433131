/** Finds the test commands among those that CI runs, and tells which commands run the same tests. Pure. */
import { posix } from 'node:path';
import { ecosystems } from '../index.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import type { Witness } from '../shared/tool-row.ts';
import { type CiLine, readCi } from './ci-files.ts';
import { listSteps } from './command-files.ts';
import { behindLauncher, readScriptCall, readTargets } from './launchers.ts';
import { splitWords } from './parse-command.ts';
import { installer } from './set-up.ts';

/** A test command that CI runs. */
export interface CiTest {
  readonly line: string;
  readonly folder: string;
  /** What it runs, directly or through scripts and targets: commands with one of these run the same tests. */
  readonly keys: readonly string[];
  /** The commands before it in its job. */
  readonly before: readonly CiLine[];
  readonly witness: Witness;
  /** True if Photon may take it as the test command: it needs no secret, and delivers nothing. */
  readonly usable: boolean;
}

const starts = ecosystems.flatMap(({ name, commands }) =>
  (commands?.starts ?? []).map((pattern, i) => ({ pattern, name: `${name} ${i}` })),
);

/** What starts a program in an environment, or gives it one. */
const front =
  /^(?:[A-Za-z_]\w*=\S*|sudo(?: -E)?|time|corepack|env|xvfb-run(?: -\S+)*|timeout \S+|npx(?: -\S+)*|bunx|uvx(?: --with \S+| -\S+)*|pipx run|bundle exec|(?:uv|poetry|pdm|pipenv|rye|pixi) run(?: --?[\w-]+=\S+| --(?:extra|group|with|python) \S+| -\S+)*|opam exec --|(?:coverage run|python[\d.]*)(?: -(?!m\b)\S+)* -m|coverage run) /;
const folders = /^(?:\.\/|(?:\.\/)?(?:vendor\/bin|bin|node_modules\/\.bin)\/)(?=\w)/;

/** A command without its launchers. */
function withoutFront(given: readonly string[]): string {
  let text = given.join(' ');
  for (let last = ''; last !== text; ) {
    last = text;
    text = text.replace(front, '').replace(folders, '');
    const words = text.split(' ');
    if (words[0] !== 'node') text = words.slice(behindLauncher(words)).join(' ');
  }
  return text;
}

/** Options with which nothing is tested, or something else than the code. */
const otherwise =
  / (?:--help|--version|--collect-only|(?:-p|--platform)[ =](?:chrome|firefox)\S*|--no-run|-DskipTests\S*|-x test)(?: |$)| (?:-e|-s|--session) ?\S*(?:lint|docs?|mypy|typ|format|flake|style|pre-commit|publish|release|build|coverage-report)/i;
const beginsTest =
  /^(?:tests?|unit|specs?|ci)(?:$|[:_-](?!.*(?:e2e|lint|types|browser|bench|watch|debug)))/i;
const endsTest = /(?:^|[:_-])(?:tests?|unit)$/i;
const isTestScript = (name: string) => beginsTest.test(name) || endsTest.test(name);
const targetName =
  /^(run[_-])?(unit[_-]?)?(tests?|check|spec)([_-](all|unit|py|python|go|rust|js|ci|local|cov\w*))?$/;

/** The key of a command that runs tests itself; undefined for another one. */
function ownKey(text: string): string | undefined {
  const words = text.split(' ');
  const call = readScriptCall(words);
  if (call !== undefined) return isTestScript(call.name) ? `script ${call.name}` : undefined;
  if (otherwise.test(text)) return undefined;
  const targets = readTargets(words) ?? [];
  const target = targets.find(name => targetName.test(name));
  if (target !== undefined) return `${words[0]} ${target}`;
  for (const { pattern, name } of starts) {
    const found = pattern.exec(text);
    if (found !== null) return [name, ...found.slice(1)].filter(Boolean).join(' ');
  }
  return undefined;
}

/** The keys of a command in a folder: of its own, and of what it leads to. */
export async function testKeys(...from: Parameters<typeof listLines>): Promise<readonly string[]> {
  const keys = (await listLines(...from)).map(ownKey);
  return [...new Set(keys.filter(key => key !== undefined))];
}

/** The commands that a command leads to, with itself, all without launchers. */
export async function listLines(...from: Parameters<typeof listSteps>): Promise<readonly string[]> {
  return (await listSteps(...from)).map(({ words }) => withoutFront(words));
}

/** What needs a network or a secret, or delivers something. */
const remote = /\b(?:curl|wget|ssh|scp|rsync|aws|gcloud|kubectl|helm|docker|login)\b/;
const release = /\b(?:twine|publish|deploy|release|upload|codecov|coveralls|git push)\b/;
const delivers = (line: string) => remote.test(line) || release.test(line);

/** The folder that a line means: one that only a build makes is that of its project. */
function trackedFolder(folder: string, { paths }: ProjectFiles): string {
  for (let at = folder; at !== '' && at !== '.'; at = posix.dirname(at))
    if (paths.some(path => path.startsWith(`${at}/`))) return at;
  return '';
}

/** The test commands that the CI of a project runs, in its order. */
export async function findCiTests(files: ProjectFiles): Promise<readonly CiTest[]> {
  const found: CiTest[] = [];
  for (const job of await readCi(files)) {
    for (const [i, { line, folder: given, secret }] of job.lines.entries()) {
      const folder = trackedFolder(given, files);
      const keys = await testKeys(line, folder, files);
      if (keys.length === 0 || found.length >= 50) continue;
      const plain = given === folder && splitWords(line) !== undefined;
      const usable = plain && !secret && !delivers(line);
      const before = job.lines.slice(0, i);
      const witness = { file: job.file, line, services: job.services, ports: job.ports };
      found.push({ line, folder, keys, before, usable, witness });
    }
  }
  return found;
}

const buildScript =
  /^(?:corepack )?(?:npm|pnpm|yarn|bun)(?: run)? (?:build|compile|generate|codegen)\b/;
const build =
  /^(make( (build|generate|deps))?$|cmake |meson setup |autoreconf |\.\/(configure|autogen\.sh)\b)/;

/** The set-up of a test command, with what CI runs before the test to build the project, or to install packages if nothing else does. */
export function setUpBefore({ before, folder }: CiTest, setup: string): string {
  const wanted = before.filter(({ line, secret, folder: at }) => {
    if (secret || at !== folder || delivers(line) || splitWords(line) === undefined) return false;
    const isOther = build.test(line) || (installer.test(line) && !/^sudo |^apt/.test(line));
    return buildScript.test(line) || (isOther && setup === '');
  });
  // what is enabled in the CI, or what the set-up itself uses
  const isThrough = /\bcorepack\b/.test([setup, ...before.map(b => b.line)].join('\n'));
  const through = ({ line }: CiLine) =>
    isThrough ? line.replace(/^(?=pnpm |yarn )/, 'corepack ') : line;
  return [...new Set([setup, ...wanted.map(through)])].filter(Boolean).join(' && ');
}
