/** Finds the instruction files that a repository keeps for agents (AGENTS.md, CLAUDE.md, Copilot's), and reads them with bounds. */
import { posix } from 'node:path';
import { digest } from '../../base/digest.ts';
import { globMatcher } from '../../base/path-patterns.ts';
import { readOutside } from '../../guard/content/outside-text.ts';
import { FrontMatterError, parseFrontMatter } from '../../guard/policy/policy-text.ts';
import type { TrustedFiles } from './trusted-files.ts';

/** An instruction file of the trusted commit, not yet read. */
export interface InstructionFile {
  readonly path: string;
  /** The files that it is about, in words. */
  readonly scope: string;
  /** True if it is about every file, so that it joins at the start. */
  readonly everywhere: boolean;
  readonly appliesTo: (path: string) => boolean;
}

/** An instruction file that has no effect. */
interface IgnoredInstructions {
  readonly path: string;
  readonly reason: string;
}

export interface InstructionFiles {
  /** In the order in which they are shown: those of the whole repository first, then by depth. */
  readonly files: readonly InstructionFile[];
  readonly ignored: readonly IgnoredInstructions[];
  /** The text of a file and of those that it imports. */
  readonly read: (path: string) => Promise<readonly InstructionText[]>;
}

export interface InstructionText {
  readonly path: string;
  /** sha256 of the file in the trusted commit. */
  readonly sha256: string;
  /** Without front matter and hidden text. */
  readonly text: string;
  /** Number of hidden characters that were removed. */
  readonly hidden: number;
}

const maxFiles = 200;
const maxReadBytes = 1_000_000;
const maxImports = 20;
const maxHops = 4;

const copilot = '.github/copilot-instructions.md';
const forAllFiles: ReadonlySet<string> = new Set(['*', '**', '**/*']);

/** True for a path at which an instruction file has its place. */
export function isInstructionFile(path: string): boolean {
  const name = posix.basename(path);
  if (name === 'AGENTS.md' || path === '.claude/CLAUDE.md') return true;
  if (name === 'CLAUDE.md') return !path.endsWith('.claude/CLAUDE.md');
  return path === copilot || isByPattern(path);
}

const isByPattern = (path: string) =>
  path.startsWith('.github/instructions/') && path.endsWith('.instructions.md');

/** Finds the instruction files of a commit. Those with `applyTo` are read for it, the others when they join. */
export async function findInstructionFiles(trusted: TrustedFiles): Promise<InstructionFiles> {
  const paths = (await trusted.list('')).filter(isInstructionFile);
  const links = (await trusted.links('')).filter(isInstructionFile);
  const found = await Promise.all(
    inOrder(paths)
      .slice(0, maxFiles)
      .map(path => (isByPattern(path) ? byPattern(trusted, path) : byFolder(path))),
  );
  return {
    files: found.filter(each => 'scope' in each),
    ignored: [
      ...found.filter(each => 'reason' in each),
      ...inOrder(paths)
        .slice(maxFiles)
        .map(path => ({ path, reason: `at most ${maxFiles} such files are read` })),
      ...links.map(path => ({ path, reason: 'it is a link, which is not followed' })),
    ],
    read: path => readWithImports(trusted, path),
  };
}

const depthOf = (path: string) => (path.startsWith('.github/') ? 0 : path.split('/').length);

/** Copilot's files, then by depth and name: the nearest to a file comes last. */
function inOrder(paths: readonly string[]): readonly string[] {
  return [...paths].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
}

function byFolder(path: string): InstructionFile {
  const own = posix.dirname(path);
  const folder = path === copilot || own === '.' || own === '.claude' ? '' : `${own}/`;
  return {
    path,
    scope: folder === '' ? 'the whole repository' : folder,
    everywhere: folder === '',
    appliesTo: file => file.startsWith(folder),
  };
}

async function byPattern(
  trusted: TrustedFiles,
  path: string,
): Promise<InstructionFile | IgnoredInstructions> {
  const text = await readText(trusted, path);
  if (typeof text !== 'string') return { path, reason: text?.reason ?? 'it cannot be read' };
  try {
    const { data } = parseFrontMatter(text);
    const { applyTo, excludeAgent } = (data ?? {}) as Record<string, unknown>;
    if (readList(excludeAgent).some(agent => agent === 'coding-agent' || agent === 'cloud-agent'))
      return { path, reason: 'excludeAgent leaves coding agents out' };
    const globs = readList(applyTo);
    if (globs.length === 0) return { path, reason: 'it has no applyTo' };
    return {
      path,
      scope: globs.join(', ').slice(0, 300),
      everywhere: globs.some(glob => forAllFiles.has(glob)),
      appliesTo: globMatcher(globs),
    };
  } catch (error) {
    if (error instanceof FrontMatterError)
      return { path, reason: `its front matter: ${error.message}` };
    throw error;
  }
}

/** The values of a comma-separated list, or of a list of YAML. A comma in braces separates nothing. */
function readList(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .filter(each => typeof each === 'string')
    .flatMap(each => each.split(/,(?![^{]*\})/))
    .map(each => each.trim().replace(/^\.?\//, ''))
    .filter(each => each !== '' && each.length <= 200)
    .slice(0, 100);
}

/** Text of a file; undefined if it does not exist. */
async function readText(
  trusted: TrustedFiles,
  path: string,
): Promise<string | { readonly reason: string } | undefined> {
  const head = await trusted.head(path, 0);
  if (head === undefined) return undefined;
  if (head.size > maxReadBytes) return { reason: `it is larger than ${maxReadBytes} bytes` };
  const bytes = Buffer.from((await trusted.read(path)) ?? '');
  return bytes.includes(0) ? { reason: 'it is not text' } : bytes.toString('utf8');
}

/** The file, and what it imports, each file once. */
async function readWithImports(
  trusted: TrustedFiles,
  first: string,
): Promise<readonly InstructionText[]> {
  const texts = new Map<string, InstructionText>();
  const seen = new Set([first]);
  let level = [first];
  for (let hop = 0; hop <= maxHops && level.length > 0; hop++) {
    const next: string[] = [];
    for (const path of level) {
      const raw = await readText(trusted, path);
      if (typeof raw !== 'string') continue;
      const { text, removed } = readOutside('instruction file', withoutFrontMatter(path, raw));
      const imports = findImports(path, text).filter(p => !seen.has(p));
      for (const each of imports.slice(0, maxImports - (seen.size - 1))) {
        seen.add(each);
        next.push(each);
      }
      texts.set(path, { path, sha256: digest(raw), text: text.trim(), hidden: removed });
    }
    level = next;
  }
  // a file that holds an import alone says nothing itself
  return [...texts.values()].filter(({ path, text }) => text !== '' && !isImport(path, text, seen));
}

function isImport(path: string, text: string, seen: ReadonlySet<string>): boolean {
  const imported = findImports(path, text);
  return imported.length === 1 && !/\s/.test(text) && seen.has(imported[0] ?? '');
}

function withoutFrontMatter(path: string, text: string): string {
  return isByPattern(path) ? text.replace(/^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?(\n|$)/, '') : text;
}

/**
 * The paths that a text imports as `@path`, outside of code, relative to its file. In an AGENTS.md, only a text that is
 * nothing else is an import. What is outside of the repository is left out.
 */
function findImports(path: string, text: string): readonly string[] {
  if (posix.basename(path) === 'AGENTS.md' && !/^@\S+$/.test(text.trim())) return [];
  if (path === copilot || isByPattern(path)) return [];
  const prose = text
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm, '')
    .replace(/(`+)[^`]*?\1/g, '');
  return [...prose.matchAll(/(?:^|\s)@([^\s@]+)/g)]
    .map(([, name = '']) => name.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, ''))
    .filter(name => name !== '' && !/^[~/\\]/.test(name))
    .map(name => posix.join(posix.dirname(path), name))
    .filter(name => !name.startsWith('../') && name !== '..');
}
