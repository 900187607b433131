/** Reads a command of mocha as the project's own mocha does: its arguments, configuration files and package.json. */
import * as z from 'zod';
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { parseJsonObject } from '../../../ecosystems/shared/project-files.ts';
import { type RunnerContext, type RunnerView, runnerFolder } from '../runner-context.ts';

const readMs = 20_000;

const list = z.union([z.string().transform(text => [text]), z.array(z.string())]).default([]);

const optionsSchema = z.looseObject({
  ui: z.string().default('bdd'),
  timeout: z.union([z.number(), z.string(), z.literal(false)]).default(2000),
  retries: z.coerce.number().optional(),
  'async-only': z.boolean().optional(),
  require: list,
  file: list,
});

const readSchema = z.object({ options: optionsSchema, files: z.array(z.string()).min(1) });

/** What the thread needs of the options. */
export interface MochaOptions {
  /** Options of mocha's own interface. */
  readonly plain: Readonly<Record<string, unknown>>;
  /** Modules to load before the test files. */
  readonly require: readonly string[];
  /** Files that each test file needs loaded before it. */
  readonly first: readonly string[];
}

interface MochaCommand {
  readonly script: 'mocha';
  readonly files: readonly string[];
  readonly options: MochaOptions;
}

/** Options that the thread follows, or that change only what mocha prints or which files it finds. */
const known = new Set(
  `ui timeout retries async-only require file spec config package opts extension ignore exclude recursive sort reporter bail
    reporter-option reporter-options slow color colors diff full-trace inline-diffs exit parallel jobs check-leaks forbid-only
    forbid-pending watch-ignore watch-files growl trace-warnings`.split(/\s+/),
);

const kebab = (name: string) => name.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`);
const isSet = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The first option that the thread would not follow; aliases of one letter stand beside the names. */
function foreignOption(options: Readonly<Record<string, unknown>>): string | undefined {
  return Object.entries(options)
    .filter(([name, value]) => name.length > 1 && isSet(value))
    .map(([name]) => kebab(name))
    .find(name => !known.has(name));
}

/** The files and options of the command; undefined if mocha cannot read it, `refused` if the thread would not follow it. */
export async function readMocha(
  { runner, view }: Pick<RunnerContext, 'runner'> & { readonly view: RunnerView },
  { env, words }: PlainCommand,
): Promise<MochaCommand | { readonly refused: string } | undefined> {
  const program = `${runnerFolder}/mocha-options.cjs`;
  await view.place(new Map([[program, runner('node/mocha-options.cjs')]]));
  const line = shellLine({ env, words: ['node', program, ...words.slice(1)] });
  const { output } = await view.run(line, readMs);
  // the last line of what it prints
  const read = readSchema.safeParse(parseJsonObject(output.trim().split('\n').at(-1) ?? '')).data;
  if (read === undefined) return undefined;
  const { options, files } = read;
  const foreign = foreignOption(options);
  if (foreign !== undefined) return { refused: `of its option "${foreign}"` };
  const { ui, timeout, retries, require, file } = options;
  const first = file.map(path => path.replace(/^\.\//, ''));
  const tests = files.filter(path => !first.includes(path));
  return {
    script: 'mocha',
    files: tests.length > 0 ? tests : files,
    options: {
      plain: { ui, timeout, retries, asyncOnly: options['async-only'] },
      require,
      first,
    },
  };
}
