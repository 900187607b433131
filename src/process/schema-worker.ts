/** The thread that judges values by foreign schemas: a pattern or a list of one can take for ever. */
import { parentPort, workerData } from 'node:worker_threads';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A schema, and the values to judge by it; none only to see whether the schema can be read. */
export interface SchemaRequest {
  readonly schema: object;
  readonly values: readonly unknown[];
  /** True: what the thread does not know is an error, also in the schema. False: it is passed over. */
  readonly isStrict: boolean;
}

/** What does not match, at a place such as `/a/0`; the place of the value itself is empty. */
export interface SchemaProblem {
  readonly at: string;
  readonly message: string;
}

/** What the thread says of a request: that it begins, and then how that ended. */
export type SchemaReply =
  | { readonly kind: 'began' }
  | { readonly kind: 'done'; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'failed'; readonly message: string };

const own = import.meta.url;

/** The file to start the thread with: this one, or the entry of `dist/`, of which this module is in a part. */
export const schemaWorkerUrl = own.includes('/schema-worker.')
  ? own
  : new URL('index.js', own).href;

/** What the thread is given, which tells it from a thread of the tests. */
export interface SchemaThreadData {
  readonly judgesSchemas: true;
}

const maxProblems = 10;

function compile({ schema, isStrict }: SchemaRequest) {
  const options: Options = isStrict
    ? { allErrors: true, logger: false, strictTypes: false, strictTuples: false }
    : { allErrors: true, strict: false, validateSchema: false };
  const { $schema = '' } = schema as { readonly $schema?: unknown };
  const isOlder = !isStrict || /draft-0[67]/.test(String($schema));
  const ajv = isOlder ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function findProblems(request: SchemaRequest): readonly SchemaProblem[] {
  const validate = compile(request);
  if (request.values.every(value => validate(value))) return [];
  return (validate.errors ?? [])
    .slice(0, maxProblems)
    .map(({ instancePath, message = 'does not match' }) => ({ at: instancePath, message }));
}

const data = workerData as Partial<SchemaThreadData> | null;
if (parentPort !== null && data?.judgesSchemas === true) {
  const port = parentPort;
  const reply = (message: SchemaReply) => port.postMessage(message);
  port.on('message', (request: SchemaRequest) => {
    reply({ kind: 'began' });
    try {
      reply({ kind: 'done', problems: findProblems(request) });
    } catch (error) {
      reply({ kind: 'failed', message: (error as Error).message });
    }
  });
}
