/** An edit of the dashboard ► the boxes that it ticked. Pure; the payload is untrusted data. */
import * as z from 'zod';
import { dashboardLabel, dashboardMarker, tickedTasks } from '../../../base/dashboard-state.ts';
import { type Author, accountSchema } from '../api/github.ts';

const tickSchema = z.object({
  action: z.literal('edited'),
  issue: z.object({
    number: z.int().min(1),
    body: z.string(),
    labels: z.array(z.object({ name: z.string() })),
  }),
  changes: z.object({ body: z.object({ from: z.string() }) }),
  sender: accountSchema,
});

/** The ticked boxes and the person who ticked them, not yet authorised. */
export interface Tick {
  readonly kind: 'tick';
  readonly names: readonly string[];
  readonly author: Author;
}

/** The boxes that this edit ticked; undefined when it edits no dashboard or ticks no box. */
export function parseTick(payload: unknown): Tick | undefined {
  const tick = tickSchema.safeParse(payload).data;
  if (tick === undefined) return undefined;
  const { issue, changes, sender } = tick;
  const ours =
    issue.body.includes(dashboardMarker) && issue.labels.some(l => l.name === dashboardLabel);
  const before = new Set(tickedTasks(changes.body.from));
  const names = tickedTasks(issue.body).filter(name => ours && !before.has(name));
  return names.length === 0 ? undefined : { kind: 'tick', names, author: sender };
}
