/** Talks to a runner inside the sandbox: one JSON line for each job, and one for each result. Results are untrusted. */

import { createInterface } from 'node:readline';
import * as z from 'zod';
import { parseJson } from '../../base/schema-issue.ts';
import type { Running } from '../../process/run-process.ts';
import type { RunnerView } from './runner-context.ts';
import type { Job, JobLimits, JobResult, TestRunner } from './test-runner.ts';

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
  points: z.object({ passed: z.int(), failed: z.int() }).optional(),
  changed: z.array(z.string().max(300)).max(1000).optional(),
  // the runner ends behind this job
  leaves: z.boolean().optional(),
});

const idSchema = z.object({ id: z.number() });

/** Parses one case that a runner or a reporter wrote; undefined for other text. */
export function parseCase(text: string): z.infer<typeof caseSchema> | undefined {
  const parsed = caseSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Parses the coverage of one case that the hooks wrote; undefined for other text. */
export function parseCaseCoverage(text: string): z.infer<typeof coverageSchema> | undefined {
  const parsed = coverageSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

interface ChannelOptions {
  readonly view: RunnerView;
  readonly argv: readonly string[];
  /** The first message, before any job. */
  readonly open: Readonly<Record<string, unknown>>;
  /** Limits of a job that has none of its own. */
  readonly limits: JobLimits;
}

/**
 * Starts a runner that serves many jobs, in the order in which they are sent. If it ends or does not reply in time, the
 * next job starts a new one.
 */
export function openChannel(options: ChannelOptions): TestRunner {
  let next = 1;
  let isClosed = false;
  let line: Line | undefined = openLine(options);
  const run = async (job: Job): Promise<JobResult> => {
    line ??= openLine(options);
    const own = line;
    const id = next;
    next += 1;
    const result = await own.request({ op: 'run', id, ...job }, id);
    if (typeof result !== 'string') return result;
    own.stop();
    if (line === own) line = undefined;
    // the runner ended before this job began
    if (result === 'waiting' && !isClosed) return run(job);
    return { cases: [], ended: 'crash', coverage: [], cpuMs: 0 };
  };
  return {
    queues: true,
    run,
    close: () => {
      isClosed = true;
      line?.stop();
    },
  };
}

interface Line {
  /**
   * The result; `ended` if the runner ended, or did not reply long after its limits; `waiting` if this happened before
   * the job began.
   */
  request(message: object, id: number): Promise<JobResult | 'ended' | 'waiting'>;
  stop(): void;
}

const graceMs = 15_000;

function openLine({ view, argv, open, limits }: ChannelOptions): Line {
  const running: Running = view.start(argv);
  // in the order in which they were sent
  const waiting = new Map<number, (result: JobResult | 'ended' | 'waiting') => void>();
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const leave = () => {
    hasEnded = true;
    clearTimeout(timer);
    for (const done of waiting.values()) done('waiting');
    waiting.clear();
  };
  const giveUp = () => {
    const [[id, first] = []] = waiting;
    if (id !== undefined) waiting.delete(id);
    first?.('ended');
    leave();
  };
  /** Gives the first job its time. */
  const startClock = () => {
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(giveUp, limits.wallMs + graceMs);
  };
  createInterface({ input: running.output }).on('line', text => {
    const reply = parseJson(text);
    const id = idSchema.safeParse(reply);
    const done = id.success ? waiting.get(id.data.id) : undefined;
    if (!id.success || done === undefined) return;
    const parsed = resultSchema.safeParse(reply);
    waiting.delete(id.data.id);
    startClock();
    // an invalid reply counts as no reply, and the runner is replaced
    done(parsed.success ? (parsed.data as JobResult) : 'ended');
    if (parsed.data?.leaves) leave();
  });
  void running.ended.then(giveUp);
  const send = (message: object) => running.input.write(`${JSON.stringify(message)}\n`);
  send({ op: 'open', id: 0, ...open, limits });
  return {
    request: (message, id) =>
      new Promise(done => {
        if (hasEnded) {
          done('waiting');
          return;
        }
        waiting.set(id, done);
        if (waiting.size === 1) startClock();
        send(message);
      }),
    stop: () => {
      leave();
      running.stop();
    },
  };
}
