/** A ticked box of the dashboard ► a request to run its task now. Pure; the payload is untrusted data. */

import * as z from 'zod';
import { dashboardLabel, dashboardMarker, tickedTasks } from '../../../base/dashboard-state.ts';
import { once } from '../../../base/once.ts';
import { accountSchema } from './account.ts';

const tickSchema = once(() =>
  z.object({
    action: z.literal('edited'),
    issue: z.object({
      number: z.int().min(1),
      body: z.string(),
      labels: z.array(z.object({ name: z.string() })),
    }),
    changes: z.object({ body: z.object({ from: z.string() }) }),
    sender: accountSchema(),
  }),
);

/** The ticked boxes and the person who ticked them, not yet authorised. */
export interface Tick {
  readonly kind: 'tick';
  readonly names: readonly string[];
  readonly author: { readonly login: string; readonly id: number; readonly type: string };
}

/** The boxes that this edit ticked; null when it edits no dashboard or ticks no box. */
export function parseTick(payload: unknown): Tick | null {
  const parsed = tickSchema().safeParse(payload);
  if (!parsed.success) return null;
  const { issue, changes, sender } = parsed.data;
  const ours =
    issue.body.includes(dashboardMarker) && issue.labels.some(l => l.name === dashboardLabel);
  const before = new Set(tickedTasks(changes.body.from));
  const names = ours ? tickedTasks(issue.body).filter(name => !before.has(name)) : [];
  return names.length === 0 ? null : { kind: 'tick', names, author: sender };
}
