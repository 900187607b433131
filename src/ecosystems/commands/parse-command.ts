/** Parses a test command that needs no shell into words, through package scripts and launchers. Pure. */
import { shell } from '../../process/shell.ts';
import { isPackagedRunner, runnerFile } from '../javascript/commands.ts';
import { packageScripts } from '../shared/project-files.ts';
import { assignment, behindLauncher, readScriptCall } from './launchers.ts';

/** A command that needs no shell: the assignments before it, and its words. */
export interface PlainCommand {
  readonly env: readonly string[];
  /** What starts the program in an environment of Python, such as `uv run`; absent for none. */
  readonly front?: readonly string[];
  readonly words: readonly string[];
}

const shellOnly = /[;&|<>`$(){}\n\\]/;

/** Splits a line by the quoting rules of a shell; undefined for a line that needs a shell. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let left = line.trim();
  while (left !== '') {
    const found = /^(?:'([^']*)'|"([^"]*)"|([^\s'"]+))+/.exec(left);
    if (found === null) return undefined;
    const plain = found[0].replace(/'([^']*)'|"([^"]*)"/g, '');
    if (shellOnly.test(plain) || /"[^"$`\\]*[$`\\][^"]*"/.test(found[0])) return undefined;
    words.push(found[0].replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b ?? ''));
    left = left.slice(found[0].length).trimStart();
  }
  return words;
}

/**
 * The plain command behind at most three package scripts, and launchers such as `npx`, `c8` and `cross-env`; undefined if it
 * needs a shell.
 */
export function plainCommand(line: string, manifest: string | undefined): PlainCommand | undefined {
  let text = line;
  const env: string[] = [];
  for (let depth = 0; depth < 4; depth++) {
    const words = splitWords(text) ?? [];
    if (words.length === 0) return undefined;
    const command = readLaunch(asPlain(words));
    env.push(...command.env);
    const script = findScript(command.words, manifest);
    if (script === undefined) return { ...command, env };
    if (script.text === undefined || command.front !== undefined) return undefined;
    text = [script.text, ...script.rest.map(quoted)].join(' ');
  }
  return undefined;
}

/** A plain command as a line for the shell of this system. */
export function shellLine({ env, front = [], words }: PlainCommand): string {
  return shell.line({ env, words: [...front, ...words] });
}

/** Separates the assignments in front of a command from its words. */
export function asPlain(words: readonly string[]): PlainCommand {
  const at = words.findIndex(w => !assignment.test(w));
  const end = at < 0 ? words.length : at;
  return { env: words.slice(0, end), words: words.slice(end) };
}

interface Script {
  /** Undefined if the manifest has no such script. */
  readonly text: string | undefined;
  readonly rest: readonly string[];
}

/** The script that `npm test`, `yarn run test` or `npm run -s unit -- --flag` runs, and its arguments. */
function findScript(words: readonly string[], manifest: string | undefined): Script | undefined {
  const call = readScriptCall(words);
  if (call === undefined) return undefined;
  const { manager, name, named, rest } = call;
  const text = packageScripts(manifest).get(name);
  const isOwn = !named && manager !== 'npm' && text === undefined;
  return isOwn && isPackagedRunner(name) ? { text: name, rest } : { text, rest };
}

/** `npx mocha`, `c8 mocha`, `node node_modules/.bin/mocha` and `cross-env A=1 mocha` are mocha. */
function readLaunch({ env, words }: PlainCommand): PlainCommand {
  const inner = behindEnvironment(words);
  if (inner > 0) return { env, front: words.slice(0, inner), words: words.slice(inner) };
  const at = behindLauncher(words);
  const isNode = words[0] === 'node';
  const runner = runnerFile.exec(words[isNode ? at : 0] ?? '')?.[1];
  if (runner !== undefined) {
    const flags = words.slice(1, at).join(' ');
    return {
      env: isNode && flags !== '' ? [...env, `NODE_OPTIONS=${flags}`] : env,
      words: [runner, ...words.slice(isNode ? at + 1 : 1)],
    };
  }
  if (at > 0 && !isNode) {
    const own = words.slice(1, at).filter(word => assignment.test(word));
    return readLaunch({ env: [...env, ...own], words: words.slice(at) });
  }
  const [program = '', ...rest] = words;
  return { env, words: [program.replace(/^(\.\/)?node_modules\/\.bin\//, ''), ...rest] };
}

/** Options of `uv run` and the like that take the next word as their value. */
const environmentValues =
  /^(?:-p|--(?:extra|group|only-group|with|with-editable|with-requirements|package|python|env-file))$/;

/** The index of the program behind what starts it in an environment of Python; 0 if nothing does. */
function behindEnvironment(words: readonly string[]): number {
  if (!/^(?:uv|poetry|pdm|pipenv) run$/.test(words.slice(0, 2).join(' '))) return 0;
  let at = 2;
  while (words[at]?.startsWith('-')) at += environmentValues.test(words[at] ?? '') ? 2 : 1;
  return at < words.length ? at : 0;
}

/** Quotes a word as `splitWords` reads it. */
export const { quoted } = shell;
