/** The grammar of programs that start others: which of their words are options, and what they start. Pure. */

/** The options of a launcher that do not change what it starts. Any other option is not understood. */
interface Grammar {
  readonly flags: ReadonlySet<string>;
  /** Options that take the next word, unless `=` joins their value. */
  readonly values: ReadonlySet<string>;
  /** True if options that are not listed take no value, and do not change what is started. */
  readonly lenient?: boolean;
}

const grammar = (flags: string, values = '', lenient = false): Grammar => ({
  flags: new Set(flags.split(' ')),
  values: new Set(values.split(' ')),
  lenient,
});

/** By the name of the launcher. Options that choose another folder, package or file are left out. */
export const grammars: Readonly<Record<string, Grammar>> = {
  npm: grammar(
    '-s --silent -q --quiet -d -dd -ddd --verbose --if-present --ignore-scripts --foreground-scripts --color --no-color --no-progress --no-audit --no-fund --no-update-notifier --offline --prefer-offline --force -f --timing -y --yes',
    '--loglevel --script-shell --cache --registry --userconfig --node-options',
  ),
  pnpm: grammar(
    '-s --silent --if-present --no-bail --color --no-color --stream --aggregate-output --use-stderr --offline',
    '--loglevel --reporter --script-shell',
  ),
  yarn: grammar(
    '-s --silent --verbose --offline --prefer-offline --non-interactive --no-progress --ignore-engines --ignore-scripts --inspect',
    '--mutex --network-timeout --registry',
  ),
  bun: grammar('--silent --if-present --bun -b --smol --no-install', '--env-file --shell'),
  npx: grammar('-y --yes --no --no-install -q --quiet -s --silent --', '-p --package'),
  bunx: grammar('--bun --silent --verbose --no-install --'),
  exec: grammar('-y --yes --no -s --silent --', ''),
  make: grammar(
    '-s --silent --quiet -k --keep-going -i --ignore-errors -B --always-make -e --environment-overrides -w --print-directory --no-print-directory -j --jobs -O --output-sync -r --no-builtin-rules -R -d --trace',
    '-l --load-average',
  ),
  env: grammar('-i --ignore-environment', '-u --unset'),
  'cross-env': grammar(''),
  corepack: grammar(''),
  c8: grammar(
    '',
    '-r --reporter -x --exclude -n --include -o --reports-dir --lines --branches',
    true,
  ),
  nyc: grammar('', '-r --reporter -x --exclude -n --include -t --temp-dir --report-dir', true),
  node: grammar('', '-r --require --import --loader --env-file -C --conditions', true),
};

/** A variable that is set in front of a program. */
export const assignment = /^[A-Z_][A-Z0-9_]*=/i;

/** The words of a launcher that are no options of its own: up to the first one, or all up to `--`. Undefined if one is not understood. */
function plainWords(
  words: readonly string[],
  { flags, values, lenient }: Grammar,
  all: boolean,
): { readonly plain: readonly string[]; readonly rest: readonly string[] } | undefined {
  const plain: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--' && !flags.has(word)) return { plain, rest: words.slice(at + 1) };
    if (!word.startsWith('-')) {
      if (!all) return { plain, rest: words.slice(at) };
      plain.push(word);
      continue;
    }
    const [name = '', value] = word.split(/=(.*)/s);
    if (values.has(name)) at += value === undefined ? 1 : 0;
    else if (!flags.has(name) && lenient !== true) return undefined;
  }
  return { plain, rest: [] };
}

/** A package script that a package manager runs in this folder. */
interface ScriptCall {
  readonly manager: string;
  readonly name: string;
  /** True for `run NAME`; false for a name that may be a command of the manager or a program. */
  readonly named: boolean;
  /** The words that the script gets. */
  readonly rest: readonly string[];
}

const runVerbs: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn']);

/** Reads `npm test`, `yarn -s unit`, `pnpm run --silent x -- --flag`; undefined for another command, or one that is not understood. */
export function readScriptCall(words: readonly string[]): ScriptCall | undefined {
  const [manager = '', ...own] = words;
  const known = /^(?:npm|pnpm|yarn|bun)$/.test(manager) ? grammars[manager] : undefined;
  if (known === undefined) return undefined;
  if (manager === 'npm') {
    const read = plainWords(own, known, true);
    const [verb = '', next = '', ...more] = read?.plain ?? [];
    if (read === undefined || verb === '') return undefined;
    const named = runVerbs.has(verb);
    const name = named ? next : /^(?:t|tst)$/.test(verb) ? 'test' : verb;
    const given = named ? more : next === '' ? [] : [next, ...more];
    if (name === '') return undefined;
    const isScript = named || /^(?:test|start|stop|restart)$/.test(name);
    return isScript ? { manager, name, named, rest: [...given, ...read.rest] } : undefined;
  }
  const before = plainWords(own, known, false);
  const [verb = '', ...after] = before?.rest ?? [];
  const named = runVerbs.has(verb);
  const behind = named ? plainWords(after, known, false)?.rest : before?.rest;
  const [name = '', ...given] = behind ?? [];
  // `bun test` is a runner of its own
  if (name === '' || (manager === 'bun' && !named && name === 'test')) return undefined;
  return { manager, name, named, rest: given[0] === '--' ? given.slice(1) : given };
}

/** The index of the program that a launcher such as `npx -y`, `env A=1` or `pnpm exec` starts, or 0. */
export function behindLauncher(words: readonly string[]): number {
  const [first = '', second] = words;
  const executes = /^(?:npm|pnpm|yarn)$/.test(first) && second === 'exec';
  const known = grammars[executes ? 'exec' : first];
  const starts = executes || /^(?:npx|bunx|env|cross-env|corepack|c8|nyc|node)$/.test(first);
  if (known === undefined || !starts) return 0;
  const own = words.slice(executes ? 2 : 1);
  const rest = plainWords(own, known, false)?.rest ?? [];
  const at = rest.findIndex(word => !assignment.test(word));
  return at < 0 ? 0 : words.length - rest.length + at;
}

/** The targets of make; undefined for another command, or one that is not understood. */
export function readTargets(words: readonly string[]): readonly string[] | undefined {
  const [program = '', ...own] = words;
  const { make } = grammars;
  if (!/^g?make$/.test(program) || make === undefined) return undefined;
  // `-j4`, and `-j 4`
  const plain = own.filter((word, i) => !/^-j\d+$/.test(word) && !isJobs(own[i - 1], word));
  return plainWords(plain, make, true)?.plain.filter(word => !assignment.test(word));
}

const isJobs = (before: string | undefined, word: string) =>
  /^(?:-j|--jobs)$/.test(before ?? '') && /^\d+$/.test(word);
