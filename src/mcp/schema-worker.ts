/** The thread that judges values by the schemas of MCP servers: a pattern or a list of one can take for ever. */
import { parentPort, workerData } from 'node:worker_threads';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

/** A schema, and the values to judge by it; none only to see whether the schema can be read. */
export interface SchemaRequest {
  readonly schema: object;
  readonly values: readonly unknown[];
}

/** What the thread says of a request: that it begins, and then how that ended. */
export type SchemaReply =
  | { readonly kind: 'began' }
  /** `wrong` is what does not match; undefined for nothing. */
  | { readonly kind: 'done'; readonly wrong: string | undefined }
  | { readonly kind: 'failed'; readonly message: string };

/** The file to start the thread with: this one, or the one file of `dist/`. */
export const schemaWorkerUrl = import.meta.url;

/** What the thread is given, which tells it from a thread of the tests. */
export interface SchemaThreadData {
  readonly judgesSchemas: true;
}

const data = workerData as Partial<SchemaThreadData> | null;
if (parentPort !== null && data?.judgesSchemas === true) {
  const port = parentPort;
  const reply = (message: SchemaReply) => port.postMessage(message);
  port.on('message', ({ schema, values }: SchemaRequest) => {
    reply({ kind: 'began' });
    try {
      const validate = new AjvJsonSchemaValidator().getValidator(schema);
      const found = values.map(validate).find(judged => !judged.valid);
      const wrong = found === undefined ? undefined : (found.errorMessage ?? 'does not match');
      reply({ kind: 'done', wrong });
    } catch (error) {
      reply({ kind: 'failed', message: (error as Error).message });
    }
  });
}
