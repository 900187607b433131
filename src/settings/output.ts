/** Settings of what a run leaves behind, and the outputs of the Action. */
import { setting, trueOrFalse } from './setting.ts';

export const outputSettings = {
  record: setting(trueOrFalse(), {
    input: 'record',
    key: 'record',
    terminalOnly: true,
    default: false,
    description:
      "Record the model's replies next to the ledger, so that the run can be replayed. They contain its reasoning.",
  }),
  showPlan: setting(trueOrFalse(), {
    key: 'delivery.showPlan',
    default: false,
    description: 'Show the plan in the pull request, the comment and the summary.',
  }),
  failOnAbstain: setting(trueOrFalse(), {
    input: 'fail-on-abstain',
    default: false,
    description: 'Fail the job if the run ends with abstained or needs_clarification.',
  }),
} as const;

/** The outputs of the Action, in the order of action.yml. */
export const outputs = {
  status:
    'How the run ended: committed (a commit or pull request exists), suggested, applied, written, previewed, undone, answered, no_change, abstained, needs_clarification, rolled_back or failed. The README explains each under How a run ends.',
  code: 'Stable code of the ending. docs/codes.md says what to do.',
  message: 'How the run ended, in one or two sentences by Photon.',
  'pull-request-number': 'Number of the pull request.',
  'pull-request-url': 'Address of the pull request.',
  'comment-url':
    'Address of the comment that reports the run. Empty if it was not started in a conversation.',
  branch: 'Branch that contains the patch.',
  commit: 'Commit that contains the patch.',
  'patch-path': 'Path of the patch as a unified diff. It is written even if it was not delivered.',
  'outcome-path':
    'Path of the outcome as JSON, outcome.json. The ledger and the session of the run are beside it.',
  'report-path':
    'Path of the report, a page for a browser. After several runs it is that of the worst.',
  cost: 'Cost of the model in the run, such as 0.1234, in US dollars, or in the currency of model.prices. Empty if a model has no price.',
  matrix: 'Rows of a fleet for strategy.matrix, as JSON (mode plan). Empty if there are none.',
  answer:
    'The answer of a run that ended with answered, as Markdown. A model wrote it: pass it on in a variable, never inside a script.',
  report:
    'The object that output-schema or review.schema asks for, as JSON. A model wrote it: pass it on in a variable, never inside a script.',
  review:
    'The findings of a review, as JSON. A model wrote texts in it: pass it on in a variable, never inside a script.',
} as const;

export type OutputName = keyof typeof outputs;
