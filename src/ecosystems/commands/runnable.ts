/** Decides whether a test command can start: by what is installed, or by how its run without a patch ended. Pure. */
import { posix } from 'node:path';
import type { CommandResult } from '../../base/outcome.ts';
import { asObject, parseObject } from '../../base/schema-issue.ts';
import type { InstalledSoftware } from '../../process/programs.ts';
import type { CheckoutFiles } from '../ecosystem.ts';
import { ecosystems } from '../index.ts';
import { type ProjectFiles, parseJsonObject } from '../shared/project-files.ts';
import { type DetectedCommands, type Detection, detectAll, detectNarrower } from './detect.ts';
import { readScriptCall } from './launchers.ts';
import { asPlain, splitWords } from './parse-command.ts';
import { unfoldCommand } from './stages.ts';

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

/** The commands as environments in the checkout start them. What a set-up makes is not known. */
function inEnvironments(found: DetectedCommands, files: CheckoutFiles): DetectedCommands {
  const start = (line: string) => {
    let folder = '';
    const startPart = (part: string) => {
      if (part.startsWith('cd ')) folder = posix.join(folder, part.slice(3));
      return ecosystems.reduce((text, e) => e.inEnvironment?.(text, folder, files) ?? text, part);
    };
    return line.split(' && ').map(startPart).join(' && ');
  };
  return { ...found, command: start(found.command), setup: start(found.setup) };
}

/** Finds the commands that prove a patch: the given ones, else a detected test command. Undefined without a test command. */
export async function findProofCommands(
  given: ProofCommands & { readonly folder?: string },
  { files, named, installed }: CommandEnvironment,
): Promise<FoundCommands | undefined> {
  const { chosen, passedOver = [] } =
    given.command === '' ? await detectIn(given.folder, files, named) : {};
  const start = (found: DetectedCommands) =>
    given.setupCommand === '' ? inEnvironments(found, { ...files, ...installed }) : found;
  const detected = chosen && start(chosen);
  const line = given.command || detected?.command;
  if (line === undefined) return undefined;
  const commands = {
    command: await throughCorepack(line, files, installed),
    setupCommand: await throughCorepack(given.setupCommand, files, installed),
  };
  const lacks = await findUnrunnable(commands, files, installed);
  const inRoot = passedOver.map(start).filter(({ command }) => !command.startsWith('cd '));
  const others = detected?.witness === undefined ? inRoot.slice(0, maxOthers) : [];
  return { ...commands, detected, lacks, others: others.map(({ command }) => command) };
}

interface Project {
  readonly files: ProjectFiles;
  readonly manifest: Readonly<Record<string, unknown>> | undefined;
  readonly installed: InstalledSoftware;
}

/** What installs or builds may make the programs behind it. */
const installs = /(?:^|[\s:/-])(?:ci|i|install|add|sync|build|compile|c?make|tsc)(?:\s|$)/;

/**
 * Finds what a test command lacks, without running it: in its stages, up to the first one that needs more of a shell. A
 * set-up command can install programs and packages, so only a missing package script counts beside one.
 */
export async function findUnrunnable(
  { command, setupCommand }: ProofCommands,
  files: ProjectFiles,
  installed: InstalledSoftware,
): Promise<Unrunnable | undefined> {
  const text = await files.read('package.json');
  const project = { files, installed, manifest: parseObject(text ?? '') };
  for (const { name, callers } of unfoldCommand(command, text)) {
    for (const [i, line] of [...callers, name].entries()) {
      const plain = splitWords(line);
      if (plain === undefined || /\bPATH=/.test(line)) return undefined;
      const { words } = asPlain(plain);
      if (words[0] === 'cd') return undefined;
      const found = setupCommand === '' ? findMissing(words, project, callers[i - 1]) : undefined;
      if (found?.cure !== undefined) return { why: found.why, cure: found.cure };
      if (found !== undefined)
        return { why: found.why, cure: setUpAdvice((await detectAll(files)).chosen, files) };
      const script = findMissingScript(words, project);
      if (script !== undefined) return script;
    }
    if (installs.test(name)) return undefined;
  }
  return undefined;
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
  readonly cure?: string;
}

/** A program that is missing, or all packages that the code or a workspace needs; `caller` is the command of the package script. */
function findMissing(
  [program = '', ...rest]: readonly string[],
  { files, installed, manifest }: Project,
  caller: string | undefined,
): Missing | undefined {
  if (program === '' || inShell.has(program)) return undefined;
  const { hasProgram, exists } = installed;
  if (program.includes('/')) {
    const isKnown = /^[/~]/.test(program) || files.has(program.replace(/^(?:\.\/)+/, ''));
    if (isKnown || exists(program)) return undefined;
    return { why: `The test command starts "${program}", which does not exist.` };
  }
  const isLocal = exists(`node_modules/.bin/${program}`);
  if (!hasProgram(program) && !(isLocal && caller !== undefined)) {
    if (caller !== undefined)
      return {
        why: `"${caller}" starts "${program}", which is not installed: it is neither in node_modules/.bin nor on the PATH.`,
      };
    const why = `The test command starts "${program}", and no program of that name is on the PATH.`;
    const local = `Set test-command to "npx ${program}", which finds it in node_modules.`;
    return { why, cure: isLocal ? local : cureFor(program, hasProgram('corepack')) };
  }
  // the scripts of all packages find what they start in the packages; development packages may be none that node needs
  const isForAll = rest.some(word => inAllPackages.test(word));
  if (!isForAll && program !== 'node') return undefined;
  const kinds = isForAll ? ['dependencies', 'devDependencies'] : ['dependencies'];
  const names = kinds
    .flatMap(kind => Object.entries(asObject(manifest?.[kind])))
    .filter(([, version]) => !/^(?:file|link|workspace|portal):/.test(String(version)))
    .map(([name]) => name);
  if (names.length === 0 || ['node_modules', '.pnp.cjs'].some(exists)) return undefined;
  return {
    why: `package.json lists dependencies (${names.slice(0, 3).join(', ')}), and there is no node_modules folder.`,
  };
}

const inAllPackages = /^(?:-r|--recursive|-ws|--workspaces|workspaces)$/;

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

function findMissingScript(
  words: readonly string[],
  { manifest }: Project,
): Unrunnable | undefined {
  const call = readScriptCall(words[0] === 'corepack' ? words.slice(1) : words);
  // words that are not understood may choose another folder or package: the run tells
  if (call === undefined || (!call.named && call.name !== 'test')) return undefined;
  const { manager, name, named } = call;
  if (typeof asObject(manifest?.scripts)[name] === 'string') return undefined;
  // yarn and bun also run programs by that name
  if (manager === 'bun' || (manager === 'yarn' && named) || words.includes('--if-present'))
    return undefined;
  return {
    why:
      manifest === undefined
        ? `The test command starts ${manager}, and there is no valid package.json in the root folder.`
        : `The test command starts the package script "${name}", which package.json does not have.`,
    cure: 'Add the script to package.json, or set test-command to the command that runs the tests.',
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
