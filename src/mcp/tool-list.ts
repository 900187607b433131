/** The tools of an MCP server: their digest, and which of them the model can be offered. Pure. */
import { digest, sortKeys } from '../base/digest.ts';
import { readOutside } from '../guard/content/outside-text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** One tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema | undefined;
}

/** The digest of a tool list: names, descriptions and schemas, whatever their order. */
export function digestOfTools(tools: readonly ListedTool[]): string {
  const listed = tools
    .map(({ name, description = '', inputSchema, outputSchema }) =>
      JSON.stringify(sortKeys({ name, description, inputSchema, outputSchema })),
    )
    .sort();
  return `sha256:${digest(listed.join('\n'))}`;
}

/** What the model is told of a tool, or why it cannot be told. */
type ToolDescription =
  | { readonly description: string; readonly parameters: Schema }
  | { readonly reason: string };

const maxDescription = 2_000;
const maxSchemaBytes = 16_000;
const maxDepth = 8;

/** Keywords that endpoints do not take, or that say nothing to a model. */
const noise: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'additionalProperties',
  'default',
  'examples',
  'title',
  'format',
]);

/** Keywords that the wires and the instruction tags cannot express. */
const inexpressible: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  'allOf',
  'not',
  'if',
  'patternProperties',
]);

/** The definition of a tool in a form that every wire and the instruction tags can express. */
export function describeTool({ description = '', inputSchema }: ListedTool): ToolDescription {
  if (JSON.stringify(inputSchema).length > maxSchemaBytes)
    return { reason: `its input schema is larger than ${maxSchemaBytes} bytes` };
  if (inputSchema.type !== 'object') return { reason: 'its input schema is not one of an object' };
  const why = objection(inputSchema, 0);
  if (why !== undefined) return { reason: why };
  const { properties = {}, required } = inputSchema as {
    readonly properties?: Schema;
    readonly required?: readonly string[];
  };
  return {
    description: readOutside('MCP tool', description.slice(0, maxDescription)).text,
    parameters: {
      type: 'object',
      properties: withoutNoise(properties, true) as Schema,
      required,
    },
  };
}

function objection(schema: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return `its input schema is nested more than ${maxDepth} levels deep`;
  if (Array.isArray(schema)) return firstObjection(schema, depth);
  if (typeof schema !== 'object' || schema === null) return undefined;
  const word = Object.keys(schema).find(key => inexpressible.has(key));
  if (word !== undefined) return `its input schema uses ${word}`;
  const { properties = {}, ...rest } = schema as { readonly properties?: object };
  const strange = Object.keys(properties).find(key => !/^[A-Za-z_][\w-]{0,63}$/.test(key));
  if (strange !== undefined)
    return `its argument ${JSON.stringify(strange).slice(0, 80)} cannot be a tag`;
  const { items, anyOf, oneOf } = rest as Schema;
  return firstObjection([...Object.values(properties), items, anyOf, oneOf], depth + 1);
}

function firstObjection(schemas: readonly unknown[], depth: number): string | undefined {
  for (const each of schemas) {
    const why = objection(each, depth);
    if (why !== undefined) return why;
  }
  return undefined;
}

function withoutNoise(value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map(each => withoutNoise(each));
  if (typeof value === 'string') return readOutside('MCP tool', value).text;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => inProperties || !noise.has(key));
  return Object.fromEntries(
    kept.map(([key, each]) => [key, withoutNoise(each, key === 'properties' && !inProperties)]),
  );
}
