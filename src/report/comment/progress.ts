/** Renders the check list in the progress comment of a run. */
import type { Phase } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import { plainParagraph } from '../escape.ts';
import { joinParts, marker } from '../pull-request/sections.ts';

interface ProgressStep {
  readonly title: string;
  readonly phases: readonly Phase[];
}

const steps: readonly ProgressStep[] = [
  { title: 'Plan', phases: ['INPUT', 'PLAN'] },
  { title: 'Find and read the code', phases: ['NAVIGATE', 'READ'] },
  { title: 'Change the code', phases: ['PATCH'] },
  { title: 'Run the tests', phases: ['VERIFY'] },
  { title: 'Deliver', phases: ['COMMIT', 'ROLLBACK'] },
];

/**
 * Finished steps are ticked, and the current one is marked. A run that goes back to an earlier step keeps
 * its ticks. `messages` has lines about what people said to the run. `runUrl` is the page of the workflow run; empty if there is none.
 */
export function renderProgress(
  task: Task,
  { seen, messages }: { readonly seen: readonly Phase[]; readonly messages: readonly string[] },
  runUrl: string,
): string {
  const now = steps.findIndex(s => s.phases.includes(seen.at(-1) ?? 'INPUT'));
  const furthest = Math.max(0, ...seen.map(p => steps.findIndex(s => s.phases.includes(p))));
  const shown = task.until === undefined ? steps : steps.slice(0, 2);
  const lines = shown.map((step, i) => {
    const done = i !== now && i < furthest + (now === furthest ? 0 : 1);
    return `- [${done ? 'x' : ' '}] ${step.title}${i === now ? ' ← here' : ''}`;
  });
  const link = /^https?:\/\/[^\s<>()[\]]+$/.test(runUrl) ? `[Run log](${runUrl})` : '';
  const people = messages.map(line => `- ${plainParagraph(line, 300)}`).join('\n');
  const title = '### Photon is working on this';
  return joinParts([title, lines.join('\n'), people, link, marker(task.id)]);
}
