/** Implements `mode: gather`: combines the outcomes of all fleet rows into a summary and the dashboard. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { currentStatus, severity, statuses } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { keepDashboard } from '../../hosts/github/maintenance/dashboard.ts';
import { withGitHub } from '../../hosts/github/open-github.ts';
import type { RunInput } from '../../hosts/host.ts';
import { dashboardText } from '../../report/comment/dashboard.ts';
import { readOutcomeFiles } from '../../workspace/files/read-foreign.ts';

/** What names the edit of the embedded engine. */
const repairSchema = z.object({
  edit: z
    .object({
      path: z.string(),
      symbol: z.string().optional(),
      line: z.number(),
      before: z.string(),
      after: z.string(),
    })
    .optional(),
});

/** The part of an outcome that is read; artifacts are untrusted until validated. */
const gatheredSchema = z
  .object({
    schema: z.literal(1),
    status: z.enum(statuses),
    code: z.string().regex(/^[A-Z_]{3,40}$/),
    message: z.string(),
    repository: z.string(),
    page: z
      .string()
      .regex(/^https?:\/\/[\w.:-]+\/[\w./-]+$/)
      .optional(),
    task: z.object({
      id: z.string(),
      trigger: z.string(),
      text: z.string().optional(),
      maintenance: z.string().optional(),
    }),
    startedAt: z.iso.datetime().optional(),
    durationMs: z.number().min(0).optional(),
    repair: repairSchema.optional(),
    usage: z.object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cost: z.number().optional(),
    }),
    delivered: z.object({
      pullRequestNumber: z.number().optional(),
      pullRequestUrl: z.string().optional(),
      kind: z.string().optional(),
    }),
  })
  .transform(row => ({ ...row, status: currentStatus(row) }));

export type RowOutcome = z.infer<typeof gatheredSchema>;

/** The outcomes, and the number of files that were not valid outcomes. */
interface Gathering {
  readonly rows: readonly RowOutcome[];
  readonly unreadable: number;
}

/** Parses outcomes and sorts them by task and repository. */
export function parseOutcomes(texts: readonly string[]): Gathering {
  const parsed = texts.map(text => gatheredSchema.safeParse(parseJson(text)).data);
  const rows = parsed.filter(row => row !== undefined);
  const key = (row: RowOutcome) => `${row.task.id}\0${row.repository}`;
  return {
    rows: [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    unreadable: parsed.length - rows.length,
  };
}

/**
 * Reads the outcomes below a folder and updates the dashboard of this repository.
 * @throws PhotonError `OUTCOMES_MISSING`, and what opening a run throws.
 */
export async function gatherFleet(input: RunInput): Promise<Gathering> {
  const folder = input.inputs.outcomes?.trim() ?? '';
  const texts = folder === '' ? [] : readOutcomeFiles(folder);
  if (texts.length === 0) throw new PhotonError('OUTCOMES_MISSING');
  const gathering = parseOutcomes(texts);
  await withGitHub(input, { kind: 'schedule' }, opened =>
    keepDashboard(opened, lastOfEach(gathering, opened.repository), dashboardText),
  );
  return gathering;
}

/** For the dashboard: a task with several packages shows its worst row, with the cost of all rows. */
function lastOfEach({ rows }: Gathering, repository: string) {
  const names = [...new Set(rows.flatMap(row => row.task.maintenance ?? []))];
  return names.flatMap(name => {
    const own = rows
      .filter(row => row.task.maintenance === name && row.repository === repository)
      .sort((a, b) => severity[b.status] - severity[a.status]);
    const [worst] = own;
    return worst === undefined ? [] : [{ outcome: { ...worst, usage: sumUsage(own) } }];
  });
}

function sumUsage(rows: readonly RowOutcome[]): RowOutcome['usage'] {
  const costs = rows.flatMap(row => row.usage.cost ?? []);
  return {
    inputTokens: sum(rows.map(row => row.usage.inputTokens)),
    outputTokens: sum(rows.map(row => row.usage.outputTokens)),
    cost: costs.length === 0 ? undefined : sum(costs),
  };
}
