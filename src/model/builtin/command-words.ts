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

/** The command behind package scripts, at most three deep; null when it is not a plain one. */
export function plainCommand(line: string, manifest: string | null): PlainCommand | null {
  let text = line;
  for (let depth = 0; depth < 4; depth++) {
    const words = splitWords(text);
    if (words === null || words.length === 0) return null;
    const env = words.slice(
      0,
      words.findIndex(w => !/^[A-Z_][A-Z0-9_]*=/i.test(w)),
    );
    const command = words.slice(env.length);
    const script = scriptOf(command);
    if (script === null) return { env, words: withoutLauncher(command) };
    const behind = scriptText(manifest, script.name);
    if (behind === null || env.length > 0) return null;
    text = [behind, ...script.rest.map(w => `'${w}'`)].join(' ');
  }
  return null;
}

/** `npm test`, `yarn run test`, `npm run -s unit -- --flag`: which script, and what is handed to it. */
function scriptOf(words: readonly string[]): { name: string; rest: readonly string[] } | null {
  if (!scriptRunners.test(words[0] ?? '')) return null;
  const plain = words.slice(1).filter(w => !/^(-s|--silent|--if-present)$/.test(w));
  const [verb = '', ...after] = plain;
  const named = verb === 'run' || verb === 'run-script';
  const name = named ? (after[0] ?? '') : verb === 't' ? 'test' : verb;
  if (!named && name !== 'test' && words[0] !== 'yarn' && words[0] !== 'pnpm') return null;
  const rest = (named ? after.slice(1) : after).filter((w, i) => !(w === '--' && i === 0));
  return name === '' ? null : { name, rest };
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

/** `npx mocha` and `./node_modules/.bin/mocha` are mocha. */
function withoutLauncher(words: readonly string[]): readonly string[] {
  const plain = /^(npx|bunx)$/.test(words[0] ?? '') ? words.slice(1) : words;
  const [program = '', ...rest] = plain.filter((w, i) => !(i === 0 && w === '--no-install'));
  return [program.replace(/^(\.\/)?node_modules\/\.bin\//, ''), ...rest];
}

/** A word quoted for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
