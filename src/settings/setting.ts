/** What an entry of the settings table states, and the types of values that it can have. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { describeIssue } from '../base/schema-issue.ts';

/** How one type of value is written in the configuration, as an input, and as a property of `Settings`. */
export interface ValueType<Raw, Value = Raw> {
  /** What the configuration accepts; made at the first call, since a run without one needs few schemas. */
  readonly schema: () => z.ZodType<Raw>;
  /** How `--help` names the value, such as `number`. */
  readonly form: string;
  /** Says how the value is written as the text of an input. Empty if the description says enough. */
  readonly inputNote: string;
  /** Reads the text of an input. The text is never empty. @throws PhotonError `SETTING_INVALID`. */
  parse(text: string, input: string): Raw;
  /** Turns the value as written into the property of `Settings`. */
  convert(raw: Raw): Value;
}

/** All that the table states about a setting besides its type. */
export interface SettingFacts<Raw> {
  /** Name of the input in `action.yml`, and of the option `--name` at the terminal. What a repository decides once has none. */
  readonly input?: string;
  /** Path in `.photon/config.json`, such as `verify.command`: at most one section deep. */
  readonly key?: string;
  /** Other spellings of `key`; in one configuration, they must not differ. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** The value if nobody sets one, as written in a configuration. Undefined converts to undefined. */
  readonly default: Raw | undefined;
  /** Expression that GitHub evaluates in `action.yml`. It takes the place of `default` there. */
  readonly actionDefault?: string;
  /** The value is masked in logs and never recorded. */
  readonly secret?: true;
  /** The terminal has no option for it. */
  readonly githubOnly?: true;
  /** `input` is an option of the terminal alone; the Action has no input of that name. */
  readonly terminalOnly?: true;
  /** The terminal option takes no value. */
  readonly flag?: true;
  /** A workflow sets it for each of its tasks, so `photon workflow` has no option for it. */
  readonly perTask?: true;
  /**
   * Makes the setting one that a repository's configuration may only tighten: true if this value of it
   * weakens the sandbox or a rule. The user's own configuration then takes precedence over the repository's.
   */
  readonly weakens?: (raw: Raw) => boolean;
  /**
   * True if a value is stricter than what the central configuration says (`extends`). Without it, the central value
   * holds as it is.
   */
  readonly tightens?: (raw: Raw, central: Raw) => boolean;
  /** A list to which each source adds: input, the repository's configuration and the user's own. None can take away. */
  readonly adds?: true;
  /** No property of `Settings`: another property is made from it, or an entry point reads the input. */
  readonly omit?: true;
}

/** One entry of the table; its name is the property of `Settings`. */
export interface Setting extends Omit<SettingFacts<never>, 'default'> {
  readonly default: unknown;
  readonly type: Omit<ValueType<unknown>, 'convert'> & { convert(raw: never): unknown };
}

export type SettingTable = Readonly<Record<string, Setting>>;

/** Makes an entry. The literal types of its name and its key are kept: types are derived from them. */
export function setting<Raw, Value, const Facts extends SettingFacts<Raw>>(
  type: ValueType<Raw, Value>,
  facts: Facts,
): Facts & { readonly type: ValueType<Raw, Value> } {
  return { ...facts, type };
}

/** Makes an entry that the terminal has no option for. */
export function githubSetting<Raw, Value, const Facts extends SettingFacts<Raw>>(
  type: ValueType<Raw, Value>,
  facts: Facts,
): Facts & { readonly githubOnly: true; readonly type: ValueType<Raw, Value> } {
  return { ...facts, githubOnly: true, type };
}

/** The error for the text of an input that is not what it must be. */
export function invalidInput(input: string, text: string, expected: string): PhotonError {
  return new PhotonError('SETTING_INVALID', `${input}: "${text.slice(0, 80)}" is not ${expected}.`);
}

/** Any text. `schema` restricts the configuration only, where the value may have another type, too. */
export function textValue<Other = string>(
  schema: () => z.ZodType<string | Other> = () => z.string().min(1) as z.ZodType<string | Other>,
  form = 'text',
): ValueType<string | Other> {
  return valueType({ schema, form, parse: given => given });
}

/** A text that must match a schema as an input, too; `expected` says what that is. */
export function matching(schema: () => z.ZodType<string>, expected: string, form = 'text') {
  return valueType({
    schema,
    form,
    parse: (given, input) => {
      if (!schema().safeParse(given).success) throw invalidInput(input, given, expected);
      return given;
    },
  });
}

/** An http or https address. */
export function address() {
  return valueType({
    schema: () => z.string(),
    form: 'url',
    parse: (given, input) => {
      // whatever it is, it may hold a password, which nobody is to read in a message
      if (/^[^/?#]*(?:\/\/)?[^/?#]*@/.test(given))
        throw new PhotonError(
          'SETTING_INVALID',
          `${input} holds a user name or a password, which logs and reports would show. Give the key as api-key, or a header as model-headers.`,
        );
      if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
        throw invalidInput(input, given, 'an http or https address');
      return given;
    },
  });
}

export function trueOrFalse() {
  return valueType({
    schema: () => z.boolean(),
    form: 'true|false',
    inputNote: 'true or false.',
    parse: (given, input) => {
      if (given !== 'true' && given !== 'false') throw invalidInput(input, given, 'true or false');
      return given === 'true';
    },
  });
}

export function choice<const T extends string>(allowed: readonly T[], form = allowed.join('|')) {
  return valueType({
    schema: () => z.enum(allowed) as unknown as z.ZodType<T>,
    form,
    parse: (given, input) => {
      const found = allowed.find(a => a === given);
      if (found === undefined) throw invalidInput(input, given, `one of ${allowed.join(', ')}`);
      return found;
    },
  });
}

export function wholeNumber(min: number, max: number) {
  return valueType({
    schema: () => z.int().min(min).max(max),
    form: 'number',
    parse: (given, input) => {
      const n = Number(given);
      if (!/^\d+$/.test(given) || n < min || n > max)
        throw invalidInput(input, given, `a whole number from ${min} to ${max}`);
      return n;
    },
  });
}

/** A number above 0, at most 1,000,000. */
export function positiveNumber() {
  return valueType({
    schema: () => z.number().positive('must be above 0').max(1e6),
    form: 'number',
    parse: (given, input) => {
      const n = Number(given);
      if (!/^\d+(\.\d+)?$/.test(given) || n <= 0 || n > 1e6)
        throw invalidInput(input, given, 'a number above 0');
      return n;
    },
  });
}

/** At most `most` texts of 1 to `maxChars` characters. */
export const texts = (most: number, maxChars: number) =>
  z.array(z.string().min(1).max(maxChars)).max(most);

/** A list of names, each of which must match `item`. */
export function list(item: () => z.ZodType<string>, max: number) {
  return valueType<readonly string[]>({
    schema: () => z.array(item()).max(max),
    form: 'name,...',
    inputNote: 'Separate several with commas.',
    parse: (given, input) => {
      const names = splitNames(given);
      for (const name of names) {
        const rule = item().safeParse(name).error?.issues[0]?.message;
        if (rule !== undefined)
          throw invalidInput(input, name, `${rule}. Several are separated by commas or lines`);
      }
      return names;
    },
  });
}

/** A value with a schema alone; `read` turns the text of an input into what the schema checks. */
export function checkedBy<Raw>(
  schema: () => z.ZodType<Raw>,
  {
    read = text => text,
    form = 'text',
    inputNote = '',
  }: {
    readonly read?: (text: string) => unknown;
    readonly form?: string;
    readonly inputNote?: string;
  } = {},
) {
  return valueType<Raw>({
    schema,
    form,
    inputNote,
    parse: (given, input) => {
      const parsed = schema().safeParse(read(given));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw new PhotonError('SETTING_INVALID', `${input}: ${issue && describeIssue(issue)}`);
    },
  });
}

/** What turns a number as written into milliseconds. */
export const secondsToMs = (seconds: number) => seconds * 1000;
export const minutesToMs = (minutes: number) => minutes * 60_000;

/** Adds what turns the value as written into the property of `Settings`. */
export function convertValue<Raw, Value>(
  type: ValueType<Raw>,
  convert: (raw: Raw) => Value,
): ValueType<Raw, Value> {
  return { ...type, convert };
}

/** The names in a text that separates them with commas or lines. */
export function splitNames(given: string): readonly string[] {
  return given
    .split(/[,\n]/)
    .map(name => name.trim())
    .filter(name => name !== '');
}

type TypeFacts<Raw> = Pick<ValueType<Raw>, 'schema' | 'form' | 'parse'> &
  Partial<Pick<ValueType<Raw>, 'inputNote'>>;

function valueType<Raw>({ schema, form, inputNote = '', parse }: TypeFacts<Raw>): ValueType<Raw> {
  return { schema, form, inputNote, parse, convert: raw => raw };
}

/** A path or pattern that stays inside the repository. */
export const relativePath = () =>
  z
    .string()
    .min(1)
    .refine(
      p => !p.startsWith('/') && !p.split('/').includes('..'),
      'must stay inside the repository',
    );
