/** The one program that ships: the Action; with arguments, the terminal; in a thread, what judges schemas. */
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) await import('./mcp/schema-worker.ts');
else if (process.argv.length > 2) await import('./cli.ts');
else await import('./main.ts');
