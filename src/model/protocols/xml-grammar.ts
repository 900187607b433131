/** Makes the grammar of instruction tags from the JSON schemas of the tools. Pure. */
import type { ToolDefinition } from '../turn.ts';

/** How the text of a child becomes a value. */
export type LeafType = 'string' | 'integer' | 'number' | 'boolean' | 'json';

export type Form =
  | { readonly kind: 'leaf'; readonly type: LeafType; readonly choices: readonly string[] }
  | { readonly kind: 'children'; readonly children: ReadonlyMap<string, Child> };

export interface Child {
  readonly form: Form;
  /** True for a child that may be repeated. */
  readonly list: boolean;
  readonly required: boolean;
  /** True for a required list that may be empty: no child stands for it then. */
  readonly mayBeEmpty?: boolean;
  readonly description: string;
  /** True for a child that is accepted and not described. */
  readonly hidden?: true;
}

export interface Instruction {
  readonly name: string;
  readonly description: string;
  readonly form: Extract<Form, { kind: 'children' }>;
  /** True for another name of a tool, which is accepted and not described. */
  readonly hidden?: true;
}

/** Every instruction by its tag. */
export type Grammar = ReadonlyMap<string, Instruction>;

type Schema = Readonly<Record<string, unknown>>;

/** One tag for each name of a tool. A value that tags cannot express is a leaf of JSON text. */
export function buildGrammar(tools: readonly ToolDefinition[]): Grammar {
  const entries = tools.flatMap(tool => {
    const { name, description, parameters, accepts = {}, aliases = [] } = tool;
    const own = buildChildren(findObjects(parameters) ?? []);
    // a call in another form lacks what the form of the schema requires; the guard judges it
    const form = withHidden(own, accepts);
    return [
      [name, { name, description, form }] as const,
      ...aliases.map(alias => [alias, { name: alias, description, form, hidden: true }] as const),
    ];
  });
  return new Map<string, Instruction>(entries);
}

/** The form with further children that are not described. */
function withHidden({ children: own }: Instruction['form'], fields: Schema): Instruction['form'] {
  const children = new Map(own);
  for (const [key, schema] of Object.entries(fields).filter(([key]) => !own.has(key)))
    children.set(key, { ...buildChild(isSchema(schema) ? schema : {}, false), hidden: true });
  return { kind: 'children', children };
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const schemas = (value: unknown): readonly Schema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

/** The alternatives of a schema without `null`; the schema itself if it has none. */
function alternatives(schema: Schema): readonly Schema[] {
  const many = [...schemas(schema.anyOf), ...schemas(schema.oneOf)];
  if (many.length > 0) return many.flatMap(alternatives);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.filter(t => t !== 'null').map(type => ({ ...schema, type }));
}

/** The alternatives of a schema if all are objects with named properties; otherwise undefined. */
function findObjects(schema: Schema): readonly Schema[] | undefined {
  const all = alternatives(schema);
  const named = all.every(s => s.type === 'object' && isSchema(s.properties));
  return named && all.length > 0 ? all : undefined;
}

/** The children of all these objects. A child is required if every object requires it. */
function buildChildren(objects: readonly Schema[]): Extract<Form, { kind: 'children' }> {
  const children = new Map<string, Child>();
  for (const object of objects) {
    for (const [name, schema] of Object.entries(object.properties as Record<string, unknown>)) {
      const required = objects.every(o => Array.isArray(o.required) && o.required.includes(name));
      const child = buildChild(isSchema(schema) ? schema : {}, required);
      const known = children.get(name);
      children.set(name, known === undefined ? child : joinChildren(known, child));
    }
  }
  return { kind: 'children', children };
}

function buildChild(schema: Schema, required: boolean): Child {
  const description = typeof schema.description === 'string' ? schema.description : '';
  const array = alternatives(schema).find(s => s.type === 'array');
  if (array === undefined) return { form: buildForm(schema), list: false, required, description };
  const items = isSchema(array.items) ? array.items : {};
  const most = typeof array.maxItems === 'number' ? `at most ${array.maxItems}` : '';
  const about = [description, most].filter(text => text !== '').join('; ');
  const mayBeEmpty = required && !(typeof array.minItems === 'number' && array.minItems > 0);
  const list = { form: buildForm(items), list: true, description: about };
  return mayBeEmpty ? { ...list, required: false, mayBeEmpty } : { ...list, required };
}

/** Joins a child of two alternatives: choices are united, and different types become text. */
function joinChildren(a: Child, b: Child): Child {
  if (a.form.kind !== 'leaf' || b.form.kind !== 'leaf') return a;
  const type = a.form.type === b.form.type ? a.form.type : 'string';
  const open = a.form.choices.length === 0 || b.form.choices.length === 0;
  const choices = open ? [] : [...new Set([...a.form.choices, ...b.form.choices])];
  return { ...a, form: { kind: 'leaf', type, choices } };
}

const json: Form = { kind: 'leaf', type: 'json', choices: [] };

function buildForm(schema: Schema): Form {
  const objects = findObjects(schema);
  if (objects !== undefined) return buildChildren(objects);
  const leaves = alternatives(schema).map(findLeaf);
  if (leaves.length === 0 || leaves.includes(undefined)) return json;
  const types = new Set(leaves.map(l => l?.type));
  const choices = leaves.flatMap(l => l?.choices ?? []);
  const [first] = types;
  const type = types.size > 1 ? 'string' : first;
  if (type === undefined) return json;
  return { kind: 'leaf', type, choices: types.size > 1 ? [] : choices };
}

function findLeaf(schema: Schema): { type: LeafType; choices: readonly string[] } | undefined {
  const values = Array.isArray(schema.enum)
    ? schema.enum
    : schema.const === undefined
      ? []
      : [schema.const];
  if (values.length > 0) {
    if (values.every(v => typeof v === 'boolean')) return { type: 'boolean', choices: [] };
    return values.every(v => typeof v === 'string')
      ? { type: 'string', choices: values }
      : undefined;
  }
  const { type } = schema;
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean'
    ? { type, choices: [] }
    : undefined;
}

/**
 * The grammar with a few characters for each child, for the prompt and the documentation: `?` is
 * optional, `*` may be absent or repeated, `+` occurs at least once.
 */
export function renderGrammar(grammar: Grammar): string {
  return [...grammar.values()]
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, description, form }) =>
      [`<${name}> ${description}`.trimEnd(), ...renderChildren(form, '  ')].join('\n'),
    )
    .join('\n');
}

function renderChildren(form: Form, indent: string): string[] {
  if (form.kind === 'leaf') return [];
  const described = [...form.children].filter(([, child]) => child.hidden !== true);
  return described.flatMap(([name, child]) => {
    const often = child.list ? (child.required ? '+' : '*') : child.required ? '' : '?';
    const about = child.description === '' ? '' : `: ${child.description}`;
    const type = child.form.kind === 'leaf' ? ` ${leafWord(child.form)}` : '';
    const head = `${indent}<${name}>${often}${type}${about}`;
    return [head, ...renderChildren(child.form, `${indent}  `)];
  });
}

function leafWord({ type, choices }: Extract<Form, { kind: 'leaf' }>): string {
  return choices.length > 0 ? choices.join('|') : type;
}
