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

/**
 * The arguments of a call as its tool takes them: from a form that models know from other agents, and with the types of
 * the schema. Undefined when they fit as they are, or cannot be read.
 */
function readForms(text: string, tool: ToolDefinition): string | undefined {
  const sent = tryLoose(text)?.value ?? text;
  const form = tool.readForm?.(sent);
  const known =
    form === undefined || isDeepStrictEqual(form, sent) ? undefined : JSON.stringify(form);
  return readArguments(known ?? text, tool) ?? known;
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
 * The arguments of a call as a text with the types of the schema; undefined when they fit as they are, or cannot be read.
 * What still does not fit is named by the refusal.
 */
export function readArguments(
  text: string,
  { parameters, accepts = {} }: Pick<ToolDefinition, 'parameters' | 'accepts'>,
): string | undefined {
  const schemas = [parameters, otherForm(parameters, accepts)];
  const parsed = tryJson(text);
  const found = parsed ?? tryLoose(withoutMarks(text));
  if (found === undefined) return undefined;
  if (parsed !== undefined && schemas.some(schema => fits(parsed.value, schema, 0)))
    return undefined;
  const readings = schemas.map(schema => readValue(found.value, schema, 0));
  const read = readings.find((each, i) => fits(each, schemas[i] ?? {}, 0)) ?? readings[0];
  return isDeepStrictEqual(read, parsed?.value) ? undefined : JSON.stringify(read);
}

/** A text without the fence around it, and without what an endpoint leaves behind it: a mark of its template, or a brace too many. */
function withoutMarks(text: string): string {
  const inside = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text;
  const whole = inside.replace(/(?:\s|<\|\w+\|>|<\/\w+>)+$/, '');
  return tryLoose(whole) === undefined ? whole.replace(/\}$/, '') : whole;
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

/** A value with the types that a schema asks for, as far as it plainly holds them. */
function readValue(value: unknown, schema: Schema, depth: number): unknown {
  if (depth > maxDepth || fits(value, schema, depth)) return value;
  const forms = alternatives(schema);
  const readings = forms.map(form => readInForm(value, form, depth + 1));
  const fitting = readings.find((each, i) => fits(each, forms[i] ?? {}, depth));
  return fitting ?? readings.find(each => each !== value) ?? value;
}

function readInForm(value: unknown, schema: Schema, depth: number): unknown {
  if (typeof value === 'string' && schema.type === 'string') return value;
  const inner = typeof value === 'string' ? tryLoose(value)?.value : value;
  if (schema.type === 'array') {
    // one thing where a list of such things is wanted
    const list: readonly unknown[] = Array.isArray(inner) ? inner : [value];
    return list.map(item => readValue(item, asObject(schema.items), depth));
  }
  const [only, another] = Array.isArray(schema.required) ? schema.required : [];
  // a text for an object that needs one thing
  if (
    inner === undefined &&
    schema.type === 'object' &&
    another === undefined &&
    only !== undefined
  )
    return readValue({ [String(only)]: value }, schema, depth);
  if (inner === undefined) return value;
  if (inner !== value) return readValue(inner, schema, depth);
  return hasType(value, 'object') ? readFields(value as Schema, schema, depth) : value;
}

/** Names under which a call puts its arguments into its arguments. */
const wrappers = ['arguments', 'parameters', 'args', 'input'];

function readFields(value: Schema, schema: Schema, depth: number): unknown {
  const properties = asObject(schema.properties);
  const names = Object.keys(value);
  const wrapper = names.find(name => wrappers.includes(name));
  const wraps = names.every(
    name => (name === wrapper || name === 'name') && !Object.hasOwn(properties, name),
  );
  if (wrapper !== undefined && wraps) return readValue(value[wrapper], schema, depth);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(value).flatMap(([sent, given]) => {
    const meant = nameField(sent, properties);
    const isOnly = names.filter(each => nameField(each, properties) === meant).length === 1;
    const name = isOnly ? meant : sent;
    const own = Object.hasOwn(properties, name) ? asObject(properties[name]) : {};
    // nothing for what may be absent is its absence
    const isNothing = given === null || given === '';
    if (isNothing && !required.includes(name) && !fits(given, own, depth)) return [];
    return [[name, readValue(given, own, depth)] as const];
  });
  return Object.fromEntries(entries);
}

/** Names of the same thing: those of Photon first, then those that models bring from other agents. */
const sameThings = [
  ['path', 'file_path', 'folder', 'file', 'filename', 'directory'],
  ['pattern', 'query'],
  ['symbol', 'symbol_name', 'skill_name', 'name', 'skill'],
  ['start_line', 'line'],
  ['summary', 'problem', 'message'],
];

/** The name that a field has in a schema. */
function nameField(sent: string, properties: Schema): string {
  const names = Object.hasOwn(properties, sent) ? [] : sameThings.find(s => s.includes(sent));
  return names?.find(name => Object.hasOwn(properties, name)) ?? sent;
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
