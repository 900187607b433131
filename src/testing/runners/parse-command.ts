/** A test command as words, when it is one plain command: package scripts are followed. Pure. */

/** A plain command: variables set in front of it, and its words. */
export interface PlainCommand {
  readonly env: readonly string[];
  readonly words: readonly string[];
}

const shellOnly = /[;&|<>`$(){}\n\\]/;

/** Words by the quoting rules of a shell; null for what only a shell can run. */
export function splitWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let left = line.trim();
  while (left !== '') {
    const found = /^(?:'([^']*)'|"([^"]*)"|([^\s'"]+))+/.exec(left);
    if (found === null) return null;
    const plain = found[0].replace(/'([^']*)'|"([^"]*)"/g, '');
    if (shellOnly.test(plain) || /"[^"]*[$`\\][^"]*"/.test(found[0])) return null;
    words.push(found[0].replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b ?? ''));
    left = left.slice(found[0].length).trimStart();
  }
  return words;
}

const scriptRunners = /^(npm|pnpm|yarn|bun)$/;

/** What stands behind package scripts: a plain command, or the text that only a shell can run. */
export type Followed = { readonly plain: PlainCommand } | { readonly shell: string };

/** Follows package scripts, at most three deep, and launchers such as `npx`, `c8` and `cross-env`. */
export function followCommand(line: string, manifest: string | null): Followed {
  let text = line;
  const env: string[] = [];
  for (let depth = 0; depth < 4; depth++) {
    const words = splitWords(text);
    if (words === null || words.length === 0) return { shell: text };
    const command = launched(asPlain(words));
    env.push(...command.env);
    const script = scriptOf(command.words, manifest);
    if (script === null) return { plain: { env, words: command.words } };
    if (script.text === null) return { shell: text };
    text = [script.text, ...script.rest.map(quoted)].join(' ');
  }
  return { shell: text };
}

/** The command behind package scripts; null when it is not a plain one. */
export function plainCommand(line: string, manifest: string | null): PlainCommand | null {
  const found = followCommand(line, manifest);
  return 'plain' in found ? found.plain : null;
}

/** A plain command as a shell line. */
export function shellLine({ env, words }: PlainCommand): string {
  // a quoted assignment would be taken for a program
  return [...(env.length > 0 ? ['env', ...env] : []), ...words].map(quoted).join(' ');
}

const assignment = /^[A-Z_][A-Z0-9_]*=/i;

function asPlain(words: readonly string[]): PlainCommand {
  const at = words.findIndex(w => !assignment.test(w));
  const end = at < 0 ? words.length : at;
  return { env: words.slice(0, end), words: words.slice(end) };
}

interface Script {
  /** Null when the manifest has no such script. */
  readonly text: string | null;
  readonly rest: readonly string[];
}

/** `npm test`, `yarn run test`, `npm run -s unit -- --flag`: which script, and what is handed to it. */
function scriptOf(words: readonly string[], manifest: string | null): Script | null {
  if (!scriptRunners.test(words[0] ?? '')) return null;
  const plain = words.slice(1).filter(w => !/^(-s|--silent|--if-present)$/.test(w));
  const [verb = '', ...after] = plain;
  const named = verb === 'run' || verb === 'run-script';
  const name = named ? (after[0] ?? '') : verb === 't' ? 'test' : verb;
  const own = !named && /^(yarn|pnpm)$/.test(words[0] ?? '') && scriptText(manifest, name) === null;
  if (own && /^(vitest|jest|mocha)$/.test(name)) return { text: name, rest: after };
  if (!named && name !== 'test' && words[0] !== 'yarn' && words[0] !== 'pnpm') return null;
  const rest = (named ? after.slice(1) : after).filter((w, i) => !(w === '--' && i === 0));
  return name === '' ? null : { text: scriptText(manifest, name), rest };
}

function scriptText(manifest: string | null, name: string): string | null {
  try {
    const data = JSON.parse(manifest ?? '') as { scripts?: Record<string, unknown> } | null;
    const text = data?.scripts?.[name];
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Programs that start another one, and what of their own stands in front of it. */
const launchers: readonly RegExp[] = [
  /^(?:npx|bunx)(?: -y| --yes| --no| --no-install| --)*$/,
  /^(?:npm|pnpm|yarn) exec(?: --)?$/,
  /^(?:c8|nyc)(?: -\S+)*$/,
  /^(?:cross-env|env)$/,
  /^node(?: --[\w-]+(?:=\S+)?)*$/,
];

const runnerFile = /^(?:\.\/)?node_modules\/(?:\.bin\/)?(vitest|jest|mocha)(?:\/\S+)?$/;

/** `npx mocha`, `c8 mocha`, `node node_modules/.bin/mocha` and `cross-env A=1 mocha` are mocha. */
function launched({ env, words }: PlainCommand): PlainCommand {
  const file = words.findIndex(w => runnerFile.test(w));
  const front = words.slice(0, file).join(' ');
  if (file === 0 || (file > 0 && launchers.some(l => l.test(front)))) {
    const flags = words[0] === 'node' ? words.slice(1, file).join(' ') : '';
    return {
      env: flags === '' ? env : [...env, `NODE_OPTIONS=${flags}`],
      words: [runnerFile.exec(words[file] ?? '')?.[1] ?? '', ...words.slice(file + 1)],
    };
  }
  for (let end = Math.min(words.length - 1, 6); end > 0 && words[0] !== 'node'; end--) {
    if (!launchers.some(l => l.test(words.slice(0, end).join(' ')))) continue;
    const inner = asPlain(words.slice(end));
    return launched({ env: [...env, ...inner.env], words: inner.words });
  }
  const [program = '', ...rest] = words;
  return { env, words: [program.replace(/^(\.\/)?node_modules\/\.bin\//, ''), ...rest] };
}

/** A word quoted for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The commands of a shell line that are joined by `&&`, `||`, `;`, `|` or line ends; for a hint, not to be run. */
export function partsOf(line: string): readonly string[] {
  return line
    .split(/&&|\|\|?|;|\n/)
    .map(part => part.trim())
    .filter(part => part !== '');
}
