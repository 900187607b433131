/** Every step of the features; a phrase means one thing. */
import { githubSteps } from './github.ts';
import { outcomeSteps } from './outcome.ts';
import { recordSteps } from './records.ts';
import { repositorySteps } from './repository.ts';
import { runSteps } from './run.ts';
import type { StepBody, StepDefinition } from './step.ts';
import { workflowSteps } from './workflows.ts';

export const steps: readonly StepDefinition[] = [
  ...repositorySteps,
  ...runSteps,
  ...outcomeSteps,
  ...githubSteps,
  ...recordSteps,
  ...workflowSteps,
];

/** The one step that a text means. */
export function findStep(text: string): { run: StepBody; args: unknown[] } {
  const found = steps.flatMap(s => {
    const args = s.expression.match(text);
    return args === null
      ? []
      : [{ run: s.body, args: args.map(a => a.getValue(null)), text: s.text }];
  });
  const [only, ...others] = found;
  if (only === undefined) throw new Error(`no step says: ${text}`);
  if (others.length > 0)
    throw new Error(`two steps say: ${text}\n${found.map(f => f.text).join('\n')}`);
  return only;
}
