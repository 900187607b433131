/** From a settings table: its types, the inputs, the schema of the configuration, and the values of a run. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import type { Setting, SettingTable, ValueType } from './setting.ts';

/** Settings that belong together, under a title for readers. */
export interface SettingTopic {
  readonly title: string;
  readonly settings: SettingTable;
}

type RawOf<S> = S extends { readonly type: ValueType<infer Raw, infer _> } ? Raw : never;
type ValueOf<S> = S extends {
  readonly type: ValueType<infer _, infer Value>;
  readonly default: infer Default;
}
  ? Value | Extract<Default, undefined>
  : never;

/** The properties that a table gives `Settings`. */
export type Values<T extends SettingTable> = {
  readonly [Name in keyof T as T[Name] extends { readonly omit: true } ? never : Name]: ValueOf<
    T[Name]
  >;
};

/** Every value of a table, with those that are no property of `Settings`. */
export type AllValues<T extends SettingTable> = { readonly [Name in keyof T]: ValueOf<T[Name]> };

/** Names of the inputs of some entries, with the options of the terminal. */
export type InputOf<S> = S extends { readonly input: infer Name extends string } ? Name : never;

/** Names of those that the Action has. */
export type ActionInputOf<S> = S extends { readonly terminalOnly: true } ? never : InputOf<S>;

type KeyOf<S> = S extends { readonly key: infer Key extends string } ? Key : never;
type AliasOf<S> = S extends { readonly aliases: readonly (infer Alias extends string)[] }
  ? Alias
  : never;
/** The entries that are written at a path. */
type WrittenAt<S, Path> = S extends unknown
  ? Path extends KeyOf<S> | AliasOf<S>
    ? S
    : never
  : never;
type SectionOf<Path> = Path extends `${infer Section}.${string}` ? Section : never;
type TopOf<Path> = Path extends `${string}.${string}` ? never : Path;

/** The configuration as written, from the keys of some entries. */
export type ConfigOf<S> = {
  readonly [Key in TopOf<KeyOf<S> | AliasOf<S>>]?: RawOf<WrittenAt<S, Key>> | undefined;
} & {
  readonly [Section in SectionOf<KeyOf<S>>]?:
    | {
        readonly [Key in Extract<
          KeyOf<S> | AliasOf<S>,
          `${Section}.${string}`
        > as Key extends `${Section}.${infer Leaf}` ? Leaf : never]?:
          | RawOf<WrittenAt<S, Key>>
          | undefined;
      }
    | undefined;
};

/** What `action.yml`, `--help` and the documentation say about an input. */
export interface InputFacts
  extends Omit<Setting, 'type' | 'default'>,
    Pick<Setting['type'], 'form'> {
  /** How the text of the input is written; empty if the description says it. */
  readonly note: string;
  /** The default as the text of the input; may be empty. */
  readonly default: string;
}

/** Every entry of the topics, in order. */
export function listSettings(topics: readonly SettingTopic[]): readonly Setting[] {
  return topics.flatMap(topic => Object.values(topic.settings));
}

/** The inputs of a table by name, in order. */
export function listInputs(topics: readonly SettingTopic[]): Readonly<Record<string, InputFacts>> {
  return Object.fromEntries(
    listSettings(topics).flatMap((entry): readonly (readonly [string, InputFacts])[] => {
      const { input, type, ...facts } = entry;
      const { inputNote: note, form } = type;
      return input === undefined
        ? []
        : [[input, { ...facts, note, form, default: defaultText(entry) }]];
    }),
  );
}

/** The inputs of the Action among those of a table. */
export function listActionInputs<Facts extends Pick<InputFacts, 'terminalOnly'>>(
  all: Readonly<Record<string, Facts>>,
): Readonly<Record<string, Facts>> {
  return Object.fromEntries(Object.entries(all).filter(([, about]) => !about.terminalOnly));
}

/** The default of a setting as text; may be empty. */
export function defaultText({ default: value }: Setting): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The strict schema of the configuration: a key that no entry names is an error. */
export function buildConfigSchema(topics: readonly SettingTopic[]): z.ZodType {
  const top: Record<string, z.ZodType> = {
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
  };
  const entries = listSettings(topics);
  const sections = new Map<string, Record<string, z.ZodType>>();
  for (const { path, value } of entries.flatMap(listConfigKeys)) {
    const section = getSection(path);
    if (section === path) {
      top[path] = value;
      continue;
    }
    const shape = { ...sections.get(section), [getLeafKey(path)]: value };
    sections.set(section, shape);
    top[section] = z.strictObject(shape).optional();
  }
  let schema: z.ZodType = z.strictObject(top);
  for (const { key = '', aliases = [] } of entries)
    for (const [i, alias] of aliases.entries())
      for (const other of [key, ...aliases.slice(0, i)])
        schema = schema.refine(
          given => areSame(valueAt(given, other), valueAt(given, alias)),
          `${other} and ${alias} must not differ`,
        );
  return schema.describe('Configuration of Photon');
}

/** The paths of a setting in the configuration, each with the schema of its value. */
function listConfigKeys({ key, aliases = [], type, description }: Setting) {
  if (key === undefined) return [];
  const at = (path: string, about: string) => ({
    path,
    value: type.schema().optional().describe(about),
  });
  return [at(key, description), ...aliases.map(path => at(path, `Another spelling of ${key}.`))];
}

/** True if one is missing or both are the same. */
function areSame(a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined || JSON.stringify(a) === JSON.stringify(b);
}

const getLeafKey = (path: string) => path.slice(path.indexOf('.') + 1);
const getSection = (path: string) => path.split('.')[0] ?? '';

/** Where the values of a run come from. */
export interface Sources {
  /** Inputs as text, by name. An empty text is an input that is not given. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** The configuration of the repository that the run works on. */
  readonly repository: unknown;
  /** The user's own configuration. */
  readonly own?: unknown;
  /** The configuration that the repository extends, and the name of where it is. */
  readonly central?: { readonly name: string; readonly config: unknown };
}

/**
 * The values of a table. An input takes precedence over the repository's configuration, that over the
 * user's own, and that over the default. A setting with `weakens` asks the user's own first. What the central
 * configuration sets holds for all of them: they may repeat it, or tighten it where an entry has `tightens`.
 * @throws PhotonError `SETTING_INVALID`, `CONFIG_WEAKENS`.
 */
export function readValues<T extends SettingTable>(table: T, sources: Sources): AllValues<T> {
  const values = Object.entries(table).map(([name, entry]) => [name, readValue(entry, sources)]);
  return Object.fromEntries(values) as AllValues<T>;
}

/** The value of one setting. */
export function readValue<S extends Setting>(entry: S, sources: Sources): ValueOf<S> {
  const raw = rawValue(entry, sources);
  return (raw == null ? undefined : entry.type.convert(raw as never)) as ValueOf<S>;
}

/** Where a value is from: an input, the configuration of the repository, the user's own, or the central one. */
export type SettingSource = 'input' | 'repository' | 'own' | 'central';

/** The settings of a table that somebody chose, as written, under their names in the documentation. No secret. */
export function listChosen(table: SettingTable, sources: Sources) {
  return Object.values(table).flatMap(entry => {
    const from = findSource(entry, sources);
    const name = entry.key ?? entry.input;
    if (from === undefined || name === undefined || entry.secret === true) return [];
    return [[name, { from, value: rawValue(entry, sources) }] as const];
  });
}

function findSource(entry: Setting, sources: Sources): SettingSource | undefined {
  const { given, repository, own, central } = sources;
  if (readInput(entry, given) !== '') return 'input';
  const below = [['repository', repository] as const, ['own', own] as const];
  const order = [
    ...(entry.weakens ? below.reverse() : below),
    ['central', central?.config] as const,
  ];
  return order.find(([, config]) => findConfigured(entry, config) !== undefined)?.[0];
}

function rawValue(entry: Setting, sources: Sources): unknown {
  const { central } = sources;
  const bound = findConfigured(entry, central?.config);
  const raw = rawBelow(entry, sources);
  if (central === undefined || bound === undefined) return raw;
  if (entry.adds === true) return [...new Set([bound, raw].flat())];
  if (raw === undefined || areSame(raw, bound)) return bound;
  if (entry.tightens?.(raw as never, bound as never) === true) return raw;
  throw new PhotonError(
    'CONFIG_WEAKENS',
    `${entry.key} is ${JSON.stringify(raw)} here and ${JSON.stringify(bound)} in ${central.name}, which this repository extends.`,
    {
      hint: `Remove ${entry.key} from the configuration of the repository${entry.input === undefined ? '' : `, and the input ${entry.input} from the workflow`}: the central value holds.`,
    },
  );
}

/** The text of its input; empty for none. */
const readInput = ({ input }: Setting, given: Sources['given']): string =>
  (input === undefined ? undefined : given[input]?.trim()) ?? '';

/** The value that the sources below the central configuration set. */
function rawBelow(entry: Setting, { given, repository, own, central }: Sources): unknown {
  const fallback = findConfigured(entry, central?.config) === undefined ? entry.default : undefined;
  const text = readInput(entry, given);
  const input = text === '' ? undefined : entry.type.parse(text, entry.input ?? '');
  const [inRepository, inOwn] = [findConfigured(entry, repository), findConfigured(entry, own)];
  if (entry.adds === true)
    return [...new Set([input, inRepository, inOwn].flat())].filter(item => item !== undefined);
  if (input !== undefined) return input;
  if (entry.weakens === undefined) return inRepository ?? inOwn ?? fallback;
  if (inOwn === undefined && inRepository !== undefined) requireTight(entry, inRepository);
  return inOwn ?? inRepository ?? fallback;
}

function findConfigured({ key, aliases = [] }: Setting, config: unknown): unknown {
  if (key === undefined) return undefined;
  return [key, ...aliases].map(path => valueAt(config, path)).find(value => value !== undefined);
}

function valueAt(config: unknown, path: string): unknown {
  let value = config;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

function requireTight({ key = '', weakens, ...entry }: Setting, value: unknown): void {
  if (weakens?.(value as never) !== true) return;
  const { input, terminalOnly } = entry;
  const inWorkflow = terminalOnly === true ? '' : `the input ${input} in the workflow, `;
  throw new PhotonError(
    'CONFIG_WEAKENS',
    `The configuration of the repository sets ${key} to ${JSON.stringify(value)}, which a repository may only tighten.`,
    {
      hint: `Remove ${key} from it. If you trust the repository, set ${inWorkflow}--${input} at the terminal, or ${key} in your own configuration (docs/settings.md).`,
    },
  );
}
