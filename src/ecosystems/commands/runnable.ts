/** Decides whether a test command can start: by what is installed, or by how its run without a patch ended. Pure. */
import { isAbsolute } from 'node:path';
import type { CommandResult } from '../../base/outcome.ts';
import { asObject, parseObject } from '../../base/schema-issue.ts';
import type { InstalledSoftware } from '../../process/programs.ts';
import { ecosystems } from '../index.ts';
import { type ProjectFiles, parseJsonObject, withHooks } from '../shared/project-files.ts';
import { type DetectedCommands, type Detection, detectAll, detectNarrower } from './detect.ts';
import { readScriptCall } from './launchers.ts';
import { asPlain, splitWords } from './parse-command.ts';

/** Why a command cannot run, and what to do. */
interface Unrunnable {
  readonly why: string;
  readonly cure: string;
}

/** The commands that prove a patch. */
export interface ProofCommands {
  readonly command: string;
  /** May be empty. */
  readonly setupCommand: string;
}

const inShell = new Set(
  '. : [ alias bg break cd command continue echo eval exec exit export false fg for getopts hash if jobs kill local printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset until wait while case { ! ('.split(
    ' ',
  ),
);
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const maxDepth = 4;

interface Project {
  readonly files: ProjectFiles;
  readonly manifest: Readonly<Record<string, unknown>> | undefined;
  readonly installed: InstalledSoftware;
  readonly setupCommand: string;
}

/** The commands of a project as a run would start them. */
export interface FoundCommands extends ProofCommands {
  /** How the test command was detected; undefined if the settings name it. */
  readonly detected: DetectedCommands | undefined;
  /** What to try if the detected command runs no test case: other test commands of the root, if no CI runs the detected one. */
  readonly others: readonly string[];
  /** What the test command lacks; undefined if nothing is known to be missing. */
  readonly lacks: Unrunnable | undefined;
}

/** Where the commands will run. */
interface CommandEnvironment {
  readonly files: ProjectFiles;
  /** Files that the task names. */
  readonly named: readonly string[];
  readonly installed: InstalledSoftware;
}

const maxOthers = 2;

/** What a folder shows, or else the whole project. */
async function detectIn(
  folder: string | undefined,
  files: ProjectFiles,
  named: readonly string[],
): Promise<Partial<Detection>> {
  if (!folder) return detectAll(files, named);
  return { chosen: await detectNarrower(files, [`${folder}/`]) };
}

/** Finds the commands that prove a patch: the given ones, else a detected test command. Undefined without a test command. */
export async function findProofCommands(
  given: ProofCommands & { readonly folder?: string },
  { files, named, installed }: CommandEnvironment,
): Promise<FoundCommands | undefined> {
  const { chosen: detected, passedOver = [] } =
    given.command === '' ? await detectIn(given.folder, files, named) : {};
  const line = given.command || detected?.command;
  if (line === undefined) return undefined;
  const commands = {
    command: await throughCorepack(line, files, installed),
    setupCommand: await throughCorepack(given.setupCommand, files, installed),
  };
  const lacks = await findUnrunnable(commands, files, installed);
  const inRoot = passedOver.filter(({ command }) => !command.startsWith('cd '));
  const others = detected?.witness === undefined ? inRoot.slice(0, maxOthers) : [];
  return { ...commands, detected, lacks, others: others.map(({ command }) => command) };
}

/**
 * Finds what a test command lacks, without running it. It looks at commands that `&&` joins, up to the first one
 * that needs more of a shell, and through package scripts. A set-up command can install programs and packages, so
 * only a missing package script counts beside one.
 */
export async function findUnrunnable(
  { command, setupCommand }: ProofCommands,
  files: ProjectFiles,
  installed: InstalledSoftware,
): Promise<Unrunnable | undefined> {
  const manifest = parseObject((await files.read('package.json')) ?? '');
  const found = ofLine(command, { files, manifest, installed, setupCommand }, []);
  if (found === undefined) return undefined;
  if (found.cure !== undefined) return { why: found.why, cure: found.cure };
  return { why: found.why, cure: setUpAdvice((await detectAll(files)).chosen, files) };
}

/** `pnpm` and `yarn` through corepack, if they are not installed, corepack is, and the manifest names them. */
export async function throughCorepack(
  line: string,
  files: Pick<ProjectFiles, 'read'>,
  { hasProgram }: InstalledSoftware,
): Promise<string> {
  const name = /^\s*(pnpm|yarn)\b/.exec(line)?.[1];
  if (name === undefined || hasProgram(name) || !hasProgram('corepack')) return line;
  const { packageManager } = parseJsonObject((await files.read('package.json')) ?? '');
  const named = typeof packageManager === 'string' && packageManager.startsWith(`${name}@`);
  return named ? `corepack ${line.trimStart()}` : line;
}

/** Something that is missing; a cure of undefined is the set-up of the project. */
interface Missing {
  readonly why: string;
  readonly cure: string | undefined;
}

/** `scripts` are the package scripts that lead to the line. */
function ofLine(line: string, project: Project, scripts: readonly string[]): Missing | undefined {
  for (const part of line.split('&&')) {
    const plain = splitWords(part);
    if (plain === undefined) return undefined;
    const { words } = asPlain(plain);
    // a changed folder or PATH changes what the next words mean
    if (words[0] === 'cd' || /\bPATH=/.test(part)) return undefined;
    const found = ofWords(words, project, scripts);
    if (found !== undefined) return found;
    // what installs or builds may make the programs behind it
    if (/(?:^|[\s:/-])(?:ci|i|install|add|sync|build|compile|c?make|tsc)(?:\s|$)/.test(part))
      return undefined;
  }
  return undefined;
}

function ofWords(
  words: readonly string[],
  project: Project,
  scripts: readonly string[],
): Missing | undefined {
  const [program = '', ...rest] = words;
  if (program === '' || inShell.has(program)) return undefined;
  const missing = missingProgram(program, project, scripts);
  if (missing !== undefined) return missing;
  const [manager = '', ...args] = program === 'corepack' ? rest : words;
  if (managers.has(manager)) return ofScript(manager, args, { ...project, scripts });
  return manager === 'node' ? missingPackages(project) : undefined;
}

function missingProgram(
  program: string,
  { installed, setupCommand, files }: Project,
  scripts: readonly string[],
): Missing | undefined {
  const { hasProgram, exists } = installed;
  if (setupCommand !== '' || isAbsolute(program) || program.startsWith('~')) return undefined;
  if (program.includes('/'))
    return files.has(program.replace(/^(?:\.\/)+/, '')) || exists(program)
      ? undefined
      : {
          why: `The test command starts "${program}", which does not exist.`,
          cure: undefined,
        };
  const local = exists(`node_modules/.bin/${program}`);
  if (hasProgram(program) || (local && scripts.length > 0)) return undefined;
  if (scripts.length > 0)
    return {
      why: `The package script "${scripts.at(-1)}" starts "${program}", which is not installed: it is neither in node_modules/.bin nor on the PATH.`,
      cure: undefined,
    };
  const why = `The test command starts "${program}", and no program of that name is on the PATH.`;
  if (local)
    return { why, cure: `Set test-command to "npx ${program}", which finds it in node_modules.` };
  return { why, cure: cureFor(program, hasProgram('corepack')) };
}

/** How the packages of a project are installed. */
export function setUpAdvice(
  detected: DetectedCommands | undefined,
  { has }: Pick<ProjectFiles, 'has'>,
): string {
  const found = detected?.setup || (has('package.json') ? 'npm install' : '');
  if (found === '')
    return 'Install it in a step before Photon, or set setup-command to the command that does.';
  return `Install the packages in a step before Photon, or set setup-command to "${found}" and network to setup.`;
}

function cureFor(program: string, hasCorepack: boolean): string {
  if (program === 'pnpm' || program === 'yarn')
    return `Run ${hasCorepack ? '' : '"npm install --global corepack" and '}"corepack enable" in a step before Photon, or put "corepack" in front of the command: set test-command to "corepack ${program} test".`;
  return `Install ${program} in a step before Photon, or set test-command to a command that exists here.`;
}

function ofScript(
  manager: string,
  args: readonly string[],
  { scripts, ...project }: Project & { readonly scripts: readonly string[] },
): Missing | undefined {
  // the scripts of all packages find what they start in the packages that are installed
  if (args.some(word => inAllPackages.test(word)))
    return missingPackages(project, ['dependencies', 'devDependencies']);
  // words that are not understood may choose another folder or package: the run tells
  const call = readScriptCall([manager, ...args]);
  if (call === undefined || (!call.named && call.name !== 'test')) return undefined;
  const { name, named } = call;
  const { manifest } = project;
  const texts = asObject(manifest?.scripts);
  if (typeof texts[name] !== 'string') {
    // yarn and bun also run programs by that name, and `bun test` is a runner of its own
    if (manager === 'bun' || (manager === 'yarn' && named) || args.includes('--if-present'))
      return undefined;
    const why =
      manifest === undefined
        ? `The test command starts ${manager}, and there is no valid package.json in the root folder.`
        : `The test command starts the package script "${name}", which package.json does not have.`;
    return {
      why,
      cure: `Add the script to package.json, or set test-command to the command that runs the tests.`,
    };
  }
  const lines = withHooks(name).map(key => [key, texts[key]] as const);
  const isOwnInstaller = lines.some(([, line]) => /\b(?:ci|i|install)\b/.test(String(line ?? '')));
  if (scripts.length >= maxDepth || scripts.includes(name) || isOwnInstaller) return undefined;
  const missing = manager === 'bun' ? undefined : missingPackages(project);
  if (missing !== undefined) return missing;
  for (const [key, line] of lines) {
    if (typeof line !== 'string') continue;
    const found = ofLine(line, project, [...scripts, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const inAllPackages = /^(?:-r|--recursive|-ws|--workspaces|workspaces)$/;

/** Packages that the code needs at run time; `node --test` may well do without development packages. */
function missingPackages(
  { manifest, installed, setupCommand }: Project,
  kinds: readonly string[] = ['dependencies'],
): Missing | undefined {
  const names = kinds
    .flatMap(kind => Object.entries(asObject(manifest?.[kind])))
    .filter(([, version]) => !/^(?:file|link|workspace|portal):/.test(String(version)))
    .map(([name]) => name);
  if (setupCommand !== '' || names.length === 0) return undefined;
  if (['node_modules', '.pnp.cjs', '.pnp.js'].some(installed.exists)) return undefined;
  return {
    why: `package.json lists dependencies (${names.slice(0, 3).join(', ')}), and there is no node_modules folder.`,
    cure: undefined,
  };
}

/** True for an output with exit status 1 that means 127. */
const hidesStatus = (output: string) =>
  ecosystems.some(({ commands }) => commands?.lacksRunner?.(output));

const maxShownChars = 1_000;

/**
 * Decides by the run without a patch whether the command could not run: exit status 126 or 127, or a Python without
 * the test runner. Only for a run from which no test case was read: a suite may start programs that are missing.
 */
export function unrunnableBy({
  command,
  exitCode,
  outputTail,
}: Pick<CommandResult, 'command' | 'exitCode' | 'outputTail'>): Unrunnable | undefined {
  const lacksRunner = exitCode === 1 && hidesStatus(outputTail);
  if (exitCode !== 126 && exitCode !== 127 && !lacksRunner) return undefined;
  const lines = outputTail.trim().slice(-maxShownChars).split('\n').slice(-10).join('\n');
  const why = `Without a patch, the test command "${command}" ended with exit status ${exitCode} before a test ran:\n${lines}`;
  const absent = /(?:^|[\s:])([\w.@/-]+): (?:command )?not found/m.exec(outputTail)?.[1];
  if (exitCode === 126)
    return {
      why,
      cure: 'Make the file executable (git update-index --chmod=+x FILE), or start it through its interpreter, such as "sh FILE".',
    };
  if (absent === 'pnpm' || absent === 'yarn') return { why, cure: cureFor(absent, true) };
  return {
    why,
    cure: `Install ${absent ?? 'what is missing'} in a step before Photon, or set setup-command to the command that installs it. If it is installed, the sandbox may hide it: name its folder in sandbox-read.`,
  };
}
