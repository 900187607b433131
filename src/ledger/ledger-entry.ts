/** One line of a ledger: its schema, and the seal that chains it to the previous entry. Pure. */
import * as z from 'zod';
import type { Code } from '../base/codes.ts';
import { guardStates, phases, severities } from '../base/outcome.ts';
import { isShallow } from '../base/schema-issue.ts';
import { eventSchema } from '../guard/evidence.ts';
import { callTraceSchema } from '../guard/facts.ts';
import { policySchema } from '../guard/policy/parse-constitution.ts';
import { grantSchema } from '../guard/policy/skill-grant.ts';
import { hashEntry, hashGenesis, type LedgerEntry, ledgerFormat } from './ledger.ts';

/** The first entry that is wrong, and why. */
export interface Finding {
  /** Number of the entry, from 1. */
  readonly seq: number;
  readonly code: Extract<Code, `LEDGER_${string}`>;
  readonly message: string;
}

export function report(seq: number, code: Finding['code'], message: string): Finding {
  return { seq, code, message };
}

const entrySchema = z.strictObject({
  seq: z.int(),
  time: z.string(),
  run: z.string(),
  caller: z.string(),
  phase: z.enum(phases),
  via: z.enum(phases).optional(),
  tool: z.string(),
  decision: z.enum(guardStates),
  severity: z.enum(severities).optional(),
  code: z.string().nullable(),
  paths: z.array(z.string()),
  arguments: z.string(),
  content: z.string(),
  durationMs: z.number(),
  section: z.string().optional(),
  evidence: z.string().optional(),
  call: callTraceSchema.optional(),
  policy: z.strictObject({ constitution: policySchema, violations: z.int().min(0) }).optional(),
  initial: z
    .strictObject({
      taskPaths: z.array(z.string()),
      mapPaths: z.array(z.string()).optional(),
      coreTools: z.array(z.string()),
      allowedSkills: z.array(z.string()),
      verificationWaived: z.boolean(),
      skillsOfTask: z.int().min(0).optional(),
      within: z.array(z.string()).optional(),
      approved: z
        .strictObject({ affectedFiles: z.array(z.string()), maxChangedLines: z.int().min(1) })
        .optional(),
      unreadySkills: z.record(z.string(), z.string()),
    })
    .optional(),
  skills: z
    .strictObject({
      allowedSkills: z.array(z.string()),
      unreadySkills: z.record(z.string(), z.string()),
      tools: z.array(z.string()),
      active: z.array(grantSchema),
    })
    .optional(),
  forgotten: z.array(eventSchema).optional(),
  states: z.record(z.string(), z.unknown()).refine(isShallow, 'too many levels').optional(),
  text: z.string().optional(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  previous: z.string(),
  hash: z.string(),
});

export type Entry = z.infer<typeof entrySchema>;

/** Parses a line as the entry with this number. */
export function readEntry(line: string, seq: number): (Entry & { raw: object }) | Finding {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch (error) {
    return report(seq, 'LEDGER_UNREADABLE', `not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const earlier = seq === 1 ? findEarlier(data) : undefined;
  if (earlier !== undefined)
    return report(
      seq,
      'LEDGER_VERSION',
      `the ledger has format ${earlier}; this Photon reads format ${ledgerFormat}`,
    );
  const parsed = entrySchema.safeParse(data);
  if (parsed.success) return { ...parsed.data, seq, raw: data as object };
  const problem = parsed.error.issues[0];
  return report(
    seq,
    'LEDGER_UNREADABLE',
    `/${problem?.path.map(String).join('/')}: ${problem?.message}`,
  );
}

/** The format of a ledger of an earlier Photon, by its first entry; undefined for any other. */
function findEarlier(data: unknown): number | undefined {
  const { run, previous } = (data ?? {}) as Partial<LedgerEntry>;
  if (typeof run !== 'string') return undefined;
  return [1, 2].find(format => previous === hashGenesis(run, format));
}

/** Checks that the hash of an entry covers its content and the previous entry. */
export function checkSeal(
  entry: Entry & { raw: object },
  previous: Entry | undefined,
): Finding | undefined {
  const { hash, ...body } = entry.raw as LedgerEntry;
  const { seq } = entry;
  if (body.seq !== seq)
    return report(seq, 'LEDGER_SEAL', `entry ${seq} has the number ${body.seq}`);
  if (previous !== undefined && body.run !== previous.run)
    return report(seq, 'LEDGER_SEAL', 'the entry belongs to another run');
  if (body.previous !== (previous?.hash ?? hashGenesis(body.run)))
    return report(seq, 'LEDGER_SEAL', 'the entry does not continue the previous entry');
  return hashEntry(body) === hash
    ? undefined
    : report(seq, 'LEDGER_SEAL', 'the content of the entry does not match its hash');
}
