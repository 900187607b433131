/** Requests and responses held against GitHub's own OpenAPI description. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { extractPath } from './extract.ts';

type Schema = Record<string, unknown>;
interface Operation {
  readonly requestBody?: { readonly content?: Record<string, { schema: Schema }> };
  readonly responses: Record<string, Schema>;
}

const description = JSON.parse(readFileSync(extractPath, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Schema>>;
};

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: true,
  // to make the code of a check smaller takes longer than all checks with it
  code: { optimize: false },
});
(addFormats as unknown as (a: Ajv) => void)(ajv);
ajv.addFormat('repo.nwo', true);
ajv.addFormat('timestamp', true);
ajv.addSchema(convert({ $id: 'github', components: description.components }) as Schema);

/** OpenAPI 3.0 to JSON schema: `nullable`, and references into one document. */
function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, v]) => [
    key,
    key === '$ref' && typeof v === 'string' ? `github${v}` : convert(v),
  ]);
  const schema = Object.fromEntries(entries) as Schema;
  if (schema.nullable !== true) return schema;
  const { nullable: _, ...rest } = schema;
  if (typeof rest.type === 'string') {
    const allowed = Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {};
    return { ...rest, ...allowed, type: [rest.type, 'null'] };
  }
  return { anyOf: [rest, { type: 'null' }] };
}

const compiled = new Map<string, ValidateFunction>();

function validate(key: string, schema: Schema, data: unknown): string[] {
  const check = compiled.get(key) ?? ajv.compile(convert(schema) as Schema);
  compiled.set(key, check);
  if (check(data)) return [];
  return (check.errors ?? [])
    .slice(0, 5)
    .map(e => `${key}: ${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

interface Found {
  readonly key: string;
  readonly operation: Operation;
}

/** The operation of a path as requested; `{ref}`, `{basehead}` and `{branch}` take slashes. */
export function findOperation(method: string, path: string): Found | undefined {
  for (const [template, methods] of Object.entries(description.paths)) {
    const pattern = template
      .replace(/\{(ref|basehead|branch)\}/g, '.+')
      .replace(/\{[^}]+\}/g, '[^/]+');
    const operation = methods[method.toLowerCase()];
    if (operation !== undefined && new RegExp(`^${pattern}$`).test(path))
      return { key: `${method.toUpperCase()} ${template}`, operation };
  }
  return undefined;
}

function resolve(schema: Schema): Schema {
  const ref = schema.$ref;
  if (typeof ref !== 'string') return schema;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Schema)[part], description) as Schema;
}

/** What is wrong with a request; a property that the description does not know is wrong, too. */
export function checkRequest(method: string, path: string, body: unknown): string[] {
  const found = findOperation(method, path);
  if (found === undefined) return [`no operation ${method} ${path}`];
  const schema = found.operation.requestBody?.content?.['application/json']?.schema;
  if (schema === undefined) return body === undefined ? [] : [`${found.key}: takes no body`];
  const unknown = Object.keys((body ?? {}) as object).filter(
    k => schema.properties !== undefined && !Object.hasOwn(schema.properties as object, k),
  );
  return [
    ...unknown.map(k => `${found.key}: unknown property ${k}`),
    ...validate(`${found.key} request`, schema, body ?? {}),
  ];
}

const basicError: Schema = { $ref: '#/components/schemas/basic-error' };

/** What is wrong with a response of a known status. */
export function checkResponse(
  method: string,
  path: string,
  reply: { status: number; body: unknown },
): string[] {
  const found = findOperation(method, path);
  if (found === undefined) return [`no operation ${method} ${path}`];
  const response = found.operation.responses[String(reply.status)];
  if (response === undefined)
    return reply.status >= 500 || [401, 403, 429].includes(reply.status)
      ? []
      : [`${found.key}: no status ${reply.status}`];
  const content = resolve(response).content as Record<string, { schema: Schema }> | undefined;
  // an error has a body although the description leaves it out, as for a reference that cannot be deleted
  const undescribed = reply.status >= 400 && reply.body !== undefined ? basicError : undefined;
  const schema = content?.['application/json']?.schema ?? undescribed;
  if (schema === undefined)
    return reply.body === undefined ? [] : [`${found.key} ${reply.status}: has no body`];
  return validate(`${found.key} ${reply.status}`, schema, reply.body);
}
