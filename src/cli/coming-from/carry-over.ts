/** The settings of another agent ► inputs of Photon, and a line for each setting that says what became of it. Pure. */
import { PhotonError } from '../../base/codes.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { isScalar } from '../../ecosystems/commands/ci-lines.ts';
import type { Setting } from '../../settings/setting.ts';
import { topics } from '../../settings/settings.ts';
import { findKeyedVendors } from '../../settings/vendors.ts';
import { findElsewhereIn, type Lacking, withoutNegated } from './expressions.ts';
import type { SourceStep } from './find-source.ts';
import { apiKey, notes, token, triggerWords } from './shared-notes.ts';
import type { Counterpart, Counterparts, InputValues, Kind } from './source-agent.ts';

/** What became of the settings of a step. */
export interface CarriedOver {
  readonly inputs: InputValues;
  /** `setting ► input: value`, a line each. */
  readonly carried: readonly string[];
  /** `setting: what Photon does by itself`. */
  readonly covered: readonly string[];
  /** `setting: why it has no counterpart`. */
  readonly missing: readonly string[];
}

type Found = Record<'inputs', Record<string, string>> &
  Record<'carried' | 'covered' | 'missing', string[]> & { readonly lacking: Lacking };

/** Carries over the inputs and the variables of a step; for one that serves commands, also the words that start it. */
export function carryOver(
  { agent, step, job, conditions, text, isCalled }: SourceStep,
  { kind }: { readonly kind: Kind },
): CarriedOver {
  const servesCommands = kind === 'commands';
  const lacking = { isCalled, keepsInputs: kind === 'task' };
  const found: Found = { inputs: {}, carried: [], covered: [], missing: [], lacking };
  const given = asObject(step.with);
  const words = servesCommands
    ? { ...findWords(conditions, agent.defaults), ...agent.defaults }
    : {};
  apply({ ...words, ...given }, agent.inputs, found);
  const env = { ...asObject(job.env), ...asObject(step.env) };
  for (const [name, value] of Object.entries(env))
    settle([`env ${name}`, String(value)], variable(name), found);
  for (const [name, output] of Object.entries(agent.outputs))
    if (text.includes(`outputs.${name}`)) {
      const line = `output ${name}`;
      if (output === undefined) found.missing.push(`${line}: Photon has no such output.`);
      else found.covered.push(`${line}: the output ${output} of Photon.`);
    }
  return found;
}

/** What a variable of the step is: a key, a token, or nothing. */
function variable(name: string): Counterpart {
  if (name === 'GITHUB_TOKEN' || name === 'GH_TOKEN') return token;
  const isKey = findKeyedVendors({ [name]: 'key' }).length > 0 || /_API_KEY$/.test(name);
  return isKey ? apiKey : { none: notes.environment };
}

/** The words that the condition of a job looks for, by the input that is for words. */
function findWords(
  conditions: readonly string[],
  defaults: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const input = ['trigger_phrase', 'mentions'].find(name => name in defaults);
  if (input !== undefined) return {};
  const words = conditions.flatMap(text => [
    ...withoutNegated(text).matchAll(/(?:contains|startsWith)\([^']{0,300}'\s*([@/!][\w-]+)/g),
  ]);
  const named = [...new Set(words.map(([, word = '']) => word))].filter(word => word !== '');
  return named.length === 0 ? {} : { [conditionWords]: named.join(',') };
}

const conditionWords = 'if (words)';

function apply(
  given: Readonly<Record<string, unknown>>,
  entries: Counterparts,
  found: Found,
): void {
  for (const [name, value] of Object.entries(given)) {
    const text = isScalar(value) ? String(value).trim() : JSON.stringify(value);
    if (text === '') continue;
    const entry = name === conditionWords ? triggerWords : entries[name];
    settle([name, text], entry, found);
  }
}

function settle(
  [name, text]: readonly [name: string, text: string],
  entry: Counterpart | undefined,
  found: Found,
): void {
  if (entry === undefined) found.missing.push(`${name}: photon init does not know it.`);
  else if ('none' in entry) found.missing.push(`${name}: ${entry.none}`);
  else if ('here' in entry) found.covered.push(`${name}: ${entry.here}`);
  else if ('holds' in entry) {
    const inner = entry.holds === 'json' ? readJson(text, entry.entries) : readArguments(text);
    if (inner === undefined || Object.keys(inner).length === 0)
      found.missing.push(`${name}: photon init cannot read what it holds.`);
    else apply(inner, entry.entries, found);
  } else {
    const values = entry.read === undefined ? { [entry.to]: text } : entry.read(text);
    const elsewhere = Object.entries(values ?? {})
      .map(([input, value]) =>
        input === 'task' ? undefined : findElsewhereIn(value, found.lacking),
      )
      .find(place => place !== undefined);
    if (elsewhere !== undefined)
      found.missing.push(
        `${name}: its value comes from ${elsewhere}, which is not carried over. Write the value itself.`,
      );
    else if (values === undefined || !Object.entries(values).every(isAccepted))
      found.missing.push(`${name}: Photon cannot take its value. ${entry.note ?? ''}`.trimEnd());
    else keep(name, values, found);
  }
}

/** True for a value that does not end each run. What an expression becomes is not known. */
function isAccepted([input, value]: readonly [input: string, value: string]): boolean {
  const setting = settings.get(input);
  if (setting === undefined || value.includes('$' + '{{')) return true;
  try {
    return setting.type.schema().safeParse(setting.type.parse(value, input)).success;
  } catch (error) {
    if (error instanceof PhotonError) return false;
    throw error;
  }
}

const settings: ReadonlyMap<string | undefined, Setting> = new Map(
  topics.flatMap(topic => Object.values<Setting>(topic.settings).map(each => [each.input, each])),
);

/** Inputs that take several values. */
const lists: ReadonlySet<string> = new Set([
  'trigger-words',
  'allowed-bots',
  'key-exchange-ids',
  'sandbox-read',
]);

function keep(name: string, values: InputValues, found: Found): void {
  const all = Object.entries(values);
  if (all.length === 0) found.covered.push(`${name}: the default of Photon.`);
  for (const [input, value] of all) {
    const before = found.inputs[input];
    if (before !== undefined && before !== value && !lists.has(input)) {
      found.missing.push(`${name}: ${input} is set already, from another setting.`);
      continue;
    }
    found.inputs[input] = before === undefined || before === value ? value : `${before},${value}`;
    found.carried.push(`${name} ► ${input}: ${shorten(value)}`);
  }
}

/** One line of a value, which stands in a comment. */
export function shorten(value: string): string {
  const line = value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** The values of a JSON text by the paths that the table names; what it does not name by its first key. */
function readJson(text: string, entries: Counterparts): Record<string, unknown> | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const hasParts = Object.keys(entries).some(path => path.startsWith(`${key}.`));
    if (isScalar(inner) || (key in entries && !hasParts)) found[key] = inner;
    else for (const [leaf, deep] of Object.entries(asObject(inner))) found[`${key}.${leaf}`] = deep;
  }
  return found;
}

/** A word in quotes, or one in which an expression may hold spaces. */
const argument = /"([^"]*)"|'([^']*)'|(?:\$\{\{[^{}]*(?:\{\d+\}[^{}]*)*\}\}|[^\s"'])+/g;

/** The flags of a command line with the words behind each. Lines that begin with `#` are comments. */
function readArguments(text: string): Record<string, string> {
  const list = text.startsWith('[') ? parseJson(text) : undefined;
  const lines = text.split('\n').filter(line => !line.trim().startsWith('#'));
  const words = Array.isArray(list)
    ? list.map(String)
    : [...lines.join('\n').matchAll(argument)].map(m => m[1] ?? m[2] ?? m[0]);
  const found: Record<string, string> = {};
  let flag = '';
  for (const word of words) {
    if (/^--?[A-Za-z]/.test(word)) {
      const [name = '', ...value] = word.split('=');
      flag = name;
      found[flag] = value.join('=') || (found[flag] ?? '');
    } else if (flag !== '') found[flag] = [found[flag], word].filter(Boolean).join(',');
  }
  // a flag without a value is on
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value || 'true']));
}
