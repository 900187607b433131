/** Reads what a call plainly means: its name and its arguments, as its endpoint sent them. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { digest } from '../../base/digest.ts';
import { asObject, parseJson, tryJson } from '../../base/schema-issue.ts';
import type { ToolCall, ToolDefinition } from '../turn.ts';

/** A call as it is carried out, and what of it was read in another way than it was sent. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly repaired: readonly ('name' | 'arguments')[];
}

const callable = /^[\w-]{1,64}$/;

/** A tool's name that an endpoint takes back in the conversation; `unknown` stands for any other. */
export const sendableName = (name: string): string => (callable.test(name) ? name : 'unknown');

/** Longest name that is looked into. */
const maxNameChars = 300;

/** Reads one call. A name that means no tool stays as it is, or becomes `unknown` where no endpoint would take it back. */
export function readCall(given: ToolCall, tools: readonly ToolDefinition[]): ReadCall {
  const named = readName(given.name, tools);
  const name = named?.name ?? sendableName(given.name);
  const read =
    named === undefined || given.argumentsText.trim() === ''
      ? undefined
      : readForms(given.argumentsText, named.tool);
  const repaired = [
    named !== undefined && name !== given.name ? ('name' as const) : undefined,
    read === undefined ? undefined : ('arguments' as const),
  ].filter(each => each !== undefined);
  const call =
    read === undefined
      ? { ...given, name }
      : { ...given, name, argumentsText: read, sentText: given.argumentsText };
  return { call, repaired };
}

/** The arguments of a call as its tool takes them; undefined when they fit as they are, or cannot be read. */
function readForms(text: string, tool: ToolDefinition): string | undefined {
  const known = readOtherForm(tryLoose(text)?.value ?? text, tool);
  return readArguments(known ?? text, tool) ?? known;
}

/** Arguments in a form that models know from other agents, as the text that the tool takes; undefined for any other. */
export function readOtherForm(sent: unknown, tool: Pick<ToolDefinition, 'readForm'>) {
  const form = tool.readForm?.(sent);
  return form === undefined || isDeepStrictEqual(form, sent) ? undefined : JSON.stringify(form);
}

/** What the arguments of a call were sent as, by digest, and where Photon read something else, by type. */
export function describeReading({ argumentsText }: ToolCall, sentText: string) {
  const sent = asObject(parseJson(sentText));
  const read = asObject(parseJson(argumentsText));
  const readings = Object.keys({ ...sent, ...read })
    .filter(key => JSON.stringify(sent[key]) !== JSON.stringify(read[key]))
    .map(key => `/${key}: ${nameType(sent[key])} as ${nameType(read[key])}`);
  return { sent: digest(sentText), readAs: readings.join(', ').slice(0, 300), readBy: 'photon' };
}

function nameType(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

interface Named {
  readonly name: string;
  readonly tool: ToolDefinition;
}

/**
 * The tool of a name. Endpoints leave marks of their template on it (`grep<|channel|>commentary`), or the place that
 * their model learned to call from (`functions.grep`, `default_api.grep:0`). A part that names a tool means it, if no
 * other part names another one.
 */
function readName(name: string, tools: readonly ToolDefinition[]): Named | undefined {
  const all = tools.flatMap(tool =>
    [...(tool.knownAs ?? tool.aliases ?? []), tool.name].map(
      (each): Named => ({ name: each, tool }),
    ),
  );
  const exact = all.findLast(each => each.name === name);
  if (exact !== undefined || name.length > maxNameChars) return exact;
  const byForm = new Map(all.map(each => [plainForm(each.name), each]));
  const parts = name
    .replace(/^(?:functions?|tools?|default_api|mcp__[a-z0-9]+_)_/i, '')
    .split(/[^\w-]+/);
  const meant = parts.map(part => byForm.get(plainForm(part)));
  const [only, another] = new Set(meant.filter(each => each !== undefined));
  return another === undefined ? only : undefined;
}

/** A name without its case and its dividers: `readCodeBlock` and `read-code-block` are `read_code_block`. */
const plainForm = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

type Schema = Readonly<Record<string, unknown>>;

/** Most levels of a schema, and of texts inside texts, that are looked at. */
const maxDepth = 12;

/**
 * The arguments of a call as a text that fits the schema of its tool. Undefined when they fit as they are, and when
 * none or several readings fit: nothing is guessed. A list that is written as a text is that list, even if an item does
 * not fit, so that the refusal can name the item.
 */
export function readArguments(
  text: string,
  { parameters, accepts = {} }: Pick<ToolDefinition, 'parameters' | 'accepts'>,
): string | undefined {
  const schemas = [parameters, otherForm(parameters, accepts)];
  const parsed = tryJson(text);
  if (parsed !== undefined && schemas.some(schema => fits(parsed.value, schema, 0)))
    return undefined;
  const values = parsed === undefined ? findValues(text) : [parsed.value];
  for (const schema of schemas) {
    const found = onlyOne(values.flatMap(value => findReadings(value, schema, 0)));
    if (found !== undefined) return JSON.stringify(found.value);
  }
  return openTexts(parsed?.value, asObject(parameters.properties));
}

/** Arguments with the data of the texts that stand where data is wanted; undefined if there are none. */
function openTexts(args: unknown, properties: Schema): string | undefined {
  const opened = Object.entries(asObject(args)).flatMap(([name, given]) => {
    const data = typeof given === 'string' ? tryJson(given)?.value : undefined;
    const own = Object.hasOwn(properties, name) ? alternatives(asObject(properties[name])) : [];
    const isWanted =
      typeof data === 'object' &&
      own.some(form => hasType(data, form.type)) &&
      !own.some(form => form.type === 'string');
    return isWanted ? [[name, data] as const] : [];
  });
  return opened.length === 0
    ? undefined
    : JSON.stringify({ ...asObject(args), ...Object.fromEntries(opened) });
}

/** The other form of the arguments: each of its fields may be absent, but one must be there. */
function otherForm(parameters: Schema, accepts: Schema): Schema {
  const own = Object.keys(accepts).filter(name => name !== 'reason');
  const properties = { ...asObject(parameters.properties), ...accepts };
  return { type: 'object', properties, anyOf: own.map(name => ({ required: [name] })) };
}

interface Found {
  readonly value: unknown;
}

/** The one value of several readings; undefined when they differ, or without any. */
function onlyOne(found: readonly Found[]): Found | undefined {
  const different = new Set(found.map(({ value }) => JSON.stringify(value)));
  return different.size === 1 ? found[0] : undefined;
}

/** What a text that is not JSON holds all the same: in a fence, with line breaks inside its texts, or repeated. */
function findValues(text: string): readonly unknown[] {
  const inside = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text;
  const whole = tryLoose(inside);
  if (whole !== undefined) return [whole.value];
  // the same object again, or an empty one before it, which some endpoints send as the start of a stream
  return splitObjects(withEscapes(inside)).filter(part => Object.keys(asObject(part)).length > 0);
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with the control characters and the backslashes inside its strings escaped, as JSON wants them. */
function withEscapes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, quoted =>
    quoted
      .replace(/\\(.)/gs, (pair, char: string) => (/["\\/bfnrtu]/.test(char) ? pair : `\\${pair}`))
      .replace(/[\n\r\t]/g, each => escapes[each] ?? each),
  );
}

const pythonWords: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
};

/** The data of a text that is nearly JSON: as Python writes it, or with characters that JSON wants escaped. */
function tryLoose(text: string): Found | undefined {
  const quoted = text.includes('"') ? text : text.replaceAll("'", '"');
  const python = quoted.replace(
    /"[^"]*"|\b(?:True|False|None)\b/g,
    part => pythonWords[part] ?? part,
  );
  return tryJson(text) ?? tryJson(withEscapes(text)) ?? tryJson(python);
}

/** What an endpoint leaves behind arguments: a brace too many, or a mark of its template. */
const leftover = /^(?:\s|\}|<\|\w+\|>|<\/\w+>)+$/;

/** The objects that follow one another in a text; empty if anything else is in it. */
function splitObjects(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const end = findObjectEnd(rest);
    const part = end === undefined ? undefined : tryJson(rest.slice(0, end));
    if (end === undefined || part === undefined || found.length >= 20) return [];
    found.push(part.value);
    rest = rest.slice(end).replace(leftover, '').trim();
  }
  return found;
}

/** The index behind the object with which a text begins. */
function findObjectEnd(text: string): number | undefined {
  if (!text.startsWith('{')) return undefined;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return undefined;
}

/** Every reading of a value that fits a schema. A value that fits has no other. */
function findReadings(value: unknown, schema: Schema, depth: number): readonly Found[] {
  if (fits(value, schema, depth)) return [{ value }];
  if (depth > maxDepth) return [];
  const forms = alternatives(schema);
  return forms.flatMap(form => readInForm(value, form, depth + 1));
}

function readInForm(value: unknown, schema: Schema, depth: number): readonly Found[] {
  const candidates: Found[] = [];
  const inner = typeof value === 'string' ? tryLoose(value) : undefined;
  if (inner !== undefined) candidates.push(...findReadings(inner.value, schema, depth));
  if (Array.isArray(value)) candidates.push(...readItems(value, schema, depth));
  else if (typeof value === 'object' && value !== null)
    candidates.push(...readFields(value as Schema, schema, depth));
  // one thing where a list of such things is wanted; a text that holds a list is that list
  if (schema.type === 'array' && !Array.isArray(value) && !Array.isArray(inner?.value))
    candidates.push(...readItems([value], schema, depth));
  return candidates.filter(found => fits(found.value, schema, depth));
}

function readItems(list: readonly unknown[], schema: Schema, depth: number): readonly Found[] {
  const read = list.map(item => onlyOne(findReadings(item, asObject(schema.items), depth)));
  return read.includes(undefined) ? [] : [{ value: read.map(found => found?.value) }];
}

/** Names under which a call puts its arguments into its arguments. */
const wrappers = ['arguments', 'parameters', 'args', 'input'];

function readFields(value: Schema, schema: Schema, depth: number): readonly Found[] {
  const properties = asObject(schema.properties);
  const names = Object.keys(value);
  const [wrapper, another] = names.filter(name => wrappers.includes(name));
  const wraps = names.every(
    name => (name === wrapper || name === 'name') && !Object.hasOwn(properties, name),
  );
  if (wrapper !== undefined && another === undefined && wraps)
    return findReadings(value[wrapper], schema, depth);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(value).flatMap(([sent, given]) => {
    const name = nameField(sent, properties);
    if (!Object.hasOwn(properties, name)) return [[name, given] as const];
    const own = asObject(properties[name]);
    // nothing for what may be absent is its absence
    const isNothing = given === null || given === '';
    if (isNothing && !required.includes(name) && !fits(given, own, depth)) return [];
    const read = onlyOne(findReadings(given, own, depth));
    return [[name, read === undefined ? given : read.value] as const];
  });
  return [{ value: Object.fromEntries(entries) }];
}

/** Names of the same thing. */
const pathNames = ['path', 'file_path', 'folder'];

/** The name that a field has in a schema. */
function nameField(sent: string, properties: Schema): string {
  if (Object.hasOwn(properties, sent) || !pathNames.includes(sent)) return sent;
  return pathNames.find(name => Object.hasOwn(properties, name)) ?? sent;
}

function alternatives(schema: Schema): readonly Schema[] {
  const many = [schema.anyOf, schema.oneOf].flatMap(each => (Array.isArray(each) ? each : []));
  const forms = many.map(asObject).filter(form => form.type !== undefined || form.anyOf);
  if (forms.length > 0) return forms.flatMap(alternatives);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map(type => ({ ...schema, type }));
}

/** True if a value is what a JSON schema asks for, as far as the types, names and choices in it go. */
function fits(value: unknown, schema: Schema, depth: number): boolean {
  if (depth > maxDepth) return false;
  for (const forms of [schema.anyOf, schema.oneOf])
    if (Array.isArray(forms) && !forms.some(form => fits(value, asObject(form), depth + 1)))
      return false;
  if ('const' in schema && schema.const !== value) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (schema.type !== undefined && !types.some(type => hasType(value, type))) return false;
  if (Array.isArray(value))
    return value.every(item => fits(item, asObject(schema.items), depth + 1));
  return typeof value !== 'object' || value === null || fitsObject(value, schema, depth + 1);
}

function fitsObject(value: object, schema: Schema, depth: number): boolean {
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (!required.every(name => Object.hasOwn(value, String(name)))) return false;
  const properties = asObject(schema.properties);
  return Object.entries(value).every(
    ([name, each]) =>
      nameField(name, properties) === name &&
      (!Object.hasOwn(properties, name) || fits(each, asObject(properties[name]), depth)),
  );
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
