/** Splits a test command into its stages, such as a lint, a build and the tests. Pure. */
import { shell } from '../../process/shell.ts';
import { ecosystems } from '../index.ts';
import { packageScripts, parseJsonObject, withHooks } from '../shared/project-files.ts';
import { readScriptCall } from './launchers.ts';
import { asPlain, plainCommand, quoted, splitWords } from './parse-command.ts';

/** True for a command that runs tests, also through launchers and package scripts. */
function startsTests(line: string, manifest: string | undefined): boolean {
  const words = wordsBehind(line, manifest);
  return ecosystems.some(({ commands }) => commands?.starts?.some(start => start.test(words)));
}

/** A command that the test command runs, in order. */
export interface CommandStage {
  /** As it is written in the package script or in the command. */
  readonly name: string;
  /** A shell line that runs it in the root folder. */
  readonly line: string;
  /** The commands that lead to it through package scripts, the outermost first. */
  readonly callers: readonly string[];
}

/**
 * The stages of a command: the parts that `&&` joins, in the package scripts that it runs and in the scripts before and
 * after those. One stage, the whole command, if there are no others or a shell decides more than that.
 */
export function listStages(command: string, manifest: string | undefined): readonly CommandStage[] {
  const stages = unfoldCommand(command, manifest);
  return stages.length > 1 ? stages : [{ name: command, line: command, callers: [] }];
}

/** The stages behind package scripts, also if there is only one. */
export function unfoldCommand(
  line: string,
  manifest: string | undefined,
  callers: readonly string[] = [],
): readonly CommandStage[] {
  const texts = callers.includes(line) ? undefined : findScripts(line, manifest);
  if (texts !== undefined)
    return texts.flatMap(text => unfoldCommand(text, manifest, [...callers, line]));
  const parts = partsOfLine(line) ?? [];
  if (parts.length > 1) return parts.flatMap(part => unfoldCommand(part, manifest, callers));
  const run = callers.length === 0 ? line : `${shell.withLocalPrograms}sh -c ${quoted(line)}`;
  return [{ name: line, line: run, callers }];
}

/** The parts of a line that `&&` joins; undefined if they depend on each other or need more of a shell. */
function partsOfLine(line: string): readonly string[] | undefined {
  const parts = line.split('&&').map(part => part.trim());
  const independent = parts.every(part => {
    const words = splitWords(part);
    const program = words === undefined ? undefined : asPlain(words).words[0];
    return program !== undefined && !/^(?:cd|export|set|unset|\.|source|exit)$/.test(program);
  });
  return independent ? parts : undefined;
}

/** The texts of a package script with those before and after it; undefined for any other command. */
function findScripts(command: string, manifest: string | undefined): readonly string[] | undefined {
  const words = splitWords(command) ?? [];
  const call = readScriptCall(words[0] === 'corepack' ? words.slice(1) : words);
  if (call === undefined || call.rest.length > 0) return undefined;
  const { manager, name } = call;
  const scripts = packageScripts(manifest);
  if (!scripts.has(name)) return undefined;
  const { packageManager } = parseJsonObject(manifest ?? '');
  // yarn 2 and later run no other scripts around one
  const alone = manager === 'yarn' && /^yarn@(?!1\.)/.test(String(packageManager ?? ''));
  const names = alone ? [name] : withHooks(name);
  return names.flatMap(key => scripts.get(key) ?? []).filter(text => text.trim() !== '');
}

/** Programs that check the source and change nothing that the tests run. */
const checkers =
  /^(?:eslint|prettier|biome|xo|standard|semistandard|tslint|stylelint|oxlint|ts-standard|markdownlint\S*|cspell|commitlint|publint|attw|size-limit|tsd|knip|(?:npm|pnpm|yarn) audit)\b|^tsc\b.* --noEmit\b/;

/** The part of a test command that runs the tests. */
export interface TestStage {
  /** A command that runs the tests, without what is before and behind it. */
  readonly command: string;
  /** A shell line that runs it. */
  readonly line: string;
  /** A shell line with the stages that may make what the tests run; may be empty. */
  readonly build: string;
  /** The names of those stages. */
  readonly builds: readonly string[];
}

/**
 * The stage that runs the tests, and what has to run before it. Checks of the source are left out. Undefined unless exactly
 * one stage is known to run tests.
 */
export function findTestStage(
  command: string,
  manifest: string | undefined,
): TestStage | undefined {
  const stages = unfoldCommand(command, manifest);
  const tests = stages.filter(stage => startsTests(stage.name, manifest));
  const [test] = tests;
  if (test === undefined || tests.length > 1) return undefined;
  const before = stages.slice(0, stages.indexOf(test));
  const builds = before.filter(({ name }) => !checkers.test(wordsBehind(name, manifest)));
  return {
    command: test.name,
    line: test.line,
    build: builds.map(stage => stage.line).join(' && '),
    builds: builds.map(stage => stage.name),
  };
}

function wordsBehind(line: string, manifest: string | undefined): string {
  return plainCommand(line, manifest)?.words.join(' ') ?? line;
}
