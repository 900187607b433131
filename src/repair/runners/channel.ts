/** Talks to a runner inside the sandbox: one JSON line for each job, and one for each result. Results are untrusted. */
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { parseJson } from '../../base/schema-issue.ts';
import type { Running } from '../../process/run-process.ts';
import type { RunnerView } from './runner-context.ts';
import type { JobLimits, JobResult, TestRunner } from './test-runner.ts';

const place = z.object({ path: z.string().max(4096), line: z.int().min(1) });

const caseSchema = z.object({
  id: z.string().max(600),
  file: z.string().max(4096),
  status: z.enum(['passed', 'failed', 'skipped']),
  message: z.string().max(4000).optional(),
  frames: z.array(place).max(100).optional(),
  compared: z.object({ actual: z.string().max(2000), expected: z.string().max(2000) }).optional(),
});

const coverageSchema = z.object({
  id: z
    .string()
    .max(600)
    .nullable()
    .transform(id => id ?? undefined),
  file: z.string().max(4096),
  files: z.record(z.string(), z.array(z.int().min(1))),
});

const timeSchema = z.object({ cpuMs: z.number().min(0), wallMs: z.number().min(0) });

const resultSchema = z.object({
  id: z.number(),
  cases: z.array(caseSchema).max(100_000),
  ended: z.enum(['done', 'time', 'crash']),
  coverage: z.array(coverageSchema).max(100_000),
  cpuMs: z.number().min(0),
  loadMs: z.number().min(0).optional(),
  spent: z.record(z.string().max(600), timeSchema).optional(),
  why: z.string().max(1000).optional(),
  changed: z.array(z.string().max(300)).max(1000).optional(),
});

const idSchema = z.object({ id: z.number() });

/** Parses one case that a runner or a reporter wrote; undefined for other text. */
export function parseCase(text: string): z.infer<typeof caseSchema> | undefined {
  const parsed = caseSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

interface ChannelOptions {
  readonly view: RunnerView;
  readonly argv: readonly string[];
  /** The first message, before any job. */
  readonly open: Readonly<Record<string, unknown>>;
  /** Limits of each job. */
  readonly limits: JobLimits;
}

/**
 * Starts a runner that serves many jobs, one after another. If it ends or does not reply in time, the next job starts a
 * new one.
 */
export function openChannel(options: ChannelOptions): TestRunner {
  let next = 1;
  let isClosed = false;
  let line = openLine(options);
  return {
    run: async job => {
      if (!line.isOpen() && !isClosed) {
        line.stop();
        line = openLine(options);
      }
      const id = next;
      next += 1;
      const result = await line.request({ op: 'run', id, ...job }, id);
      if (result !== undefined) return result;
      line.stop();
      return { cases: [], ended: 'crash', coverage: [], cpuMs: 0 };
    },
    close: () => {
      isClosed = true;
      line.stop();
    },
  };
}

interface Line {
  /** False when the runner has ended. */
  isOpen(): boolean;
  /** The result; undefined if the runner ended, or did not reply long after its limits. */
  request(message: object, id: number): Promise<JobResult | undefined>;
  stop(): void;
}

const graceMs = 15_000;

function openLine({ view, argv, open, limits }: ChannelOptions): Line {
  const running: Running = view.start(argv);
  let isOpen = true;
  let job: { readonly id: number; readonly done: (result?: JobResult) => void } | undefined;
  const settle = (result?: JobResult) => {
    job?.done(result);
    job = undefined;
  };
  const end = () => {
    isOpen = false;
    settle();
  };
  createInterface({ input: running.output }).on('line', text => {
    const reply = parseJson(text);
    if (job === undefined || idSchema.safeParse(reply).data?.id !== job.id) return;
    const { data } = resultSchema.safeParse(reply);
    // an invalid reply counts as no reply, and the runner is replaced
    settle(data as JobResult | undefined);
  });
  void running.ended.then(end);
  const send = (message: object) => running.input.write(`${JSON.stringify(message)}\n`);
  send({ op: 'open', id: 0, ...open, limits });
  return {
    isOpen: () => isOpen,
    request: (message, id) =>
      new Promise(resolve => {
        if (!isOpen) return resolve(undefined);
        const timer = setTimeout(end, limits.wallMs + graceMs);
        const finish = (result?: JobResult) => {
          clearTimeout(timer);
          resolve(result);
        };
        job = { id, done: finish };
        send(message);
      }),
    stop: () => {
      end();
      running.stop();
    },
  };
}
