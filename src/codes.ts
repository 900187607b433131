/** The stable codes: what each means and what to do about it. A code never changes its meaning. */

/**
 * - `rule`: an answer of the guard to one call (abstain or violation).
 * - `ending`: why a run ended the way it did.
 * - `protocol`: what is wrong with a reply in instruction tags; the run fails with it when repairs do not help.
 * - `input`: settings, configuration, constitution or skills that cannot be used.
 * - `audit`: what is wrong with a ledger.
 * - `record`: why a change of the long-term records was not taken, or not kept.
 */
export type CodeKind = 'rule' | 'ending' | 'protocol' | 'input' | 'audit' | 'record';

interface CodeEntry {
  readonly kind: CodeKind;
  readonly meaning: string;
  readonly hint: string;
}

/** Every code, once. `docs/codes.md` has one heading per entry, generated from this table. */
export const codes = {
  // Rules of the guard (constitution §3, §4, §5; SPEC §3).
  READ_LIMIT: rule(
    'A read asked for more lines of one file than the constitution allows.',
    'Read a smaller range, or name a symbol.',
  ),
  READ_UNBOUNDED: rule(
    'A read named a folder or a pattern instead of a file with a range or symbol.',
    'Use list_project_files or grep to find the file, then read a range of it.',
  ),
  PATH_ESCAPE: rule(
    'A path leads outside the workspace or into something that is not a regular file.',
    'Use a path relative to the repository root, without .., links, submodules or .git.',
  ),
  WRITE_BYPASS: rule(
    'Something other than apply_patch tried to write a file that belongs to the patch.',
    'Make the change with apply_patch; commands may only write logs and build output.',
  ),
  SKILL_NOT_ALLOWED: rule(
    'The skill is not on the allowlist of this repository.',
    'Add its folder to agent.skillRoots in .photon/config.json on the trusted branch.',
  ),
  PATH_PROTECTED: rule(
    'The constitution blocks changes to this file.',
    'Make this change by hand, or narrow protected_paths in a reviewed constitution.',
  ),
  SECRET_IN_PATCH: rule(
    'The patch holds the value of a secret that this run knows.',
    'Refer to the secret by name; rotate it if it reached the model.',
  ),
  PHASE_ORDER: rule(
    'The call does not fit the phase that the pipeline is in.',
    'Follow PLAN, NAVIGATE, READ, PATCH, VERIFY, then finish.',
  ),
  PLAN_MISSING: rule(
    'There is no plan yet.',
    'Call plan with entry symbols, affected files and scope first.',
  ),
  PLAN_SCOPE: rule(
    'The patch touches files outside the plan or is larger than its scope.',
    'Amend the plan first, then patch.',
  ),
  NAVIGATION_MISSING: rule(
    'No navigation of this run led to this file.',
    'Find it with list_project_files, grep or a symbol lookup first.',
  ),
  STALE_READ: rule(
    'The edit replaces lines that this run has not read, or that changed since.',
    'Read exactly these lines again, then edit.',
  ),
  VERIFY_MISSING: rule(
    'There is no verification newer than the last patch.',
    'Call verify before finish.',
  ),
  THINK_MISSING: rule(
    'The tool calls came without a line of reasoning.',
    'Say in 2 to 5 sentences what is needed and why, in the same reply as the calls.',
  ),
  TOOL_NOT_PERMITTED: rule(
    'The tool does not exist, or no active skill grants it.',
    'Activate a skill that grants it, or use another tool.',
  ),
  SKILL_REQUIREMENT: rule(
    'What the skill requires is not there: a tool, another skill, or the right version of it.',
    'Use another skill, or add what the message names to the allowlist.',
  ),
  SKILL_INACTIVE: rule(
    'The file belongs to a skill that is not active.',
    'Activate the skill first, then read its file.',
  ),
  SKILL_BUDGET: rule(
    'The skill has used up the budget that it states for itself.',
    'Finish with what there is, or activate another skill that grants the tool.',
  ),
  SKILL_GUARD: rule(
    'The guards of the active skill rule this change out.',
    'Change what the skill is for, or activate one that is for this.',
  ),
  ARGUMENTS_INVALID: rule(
    'The arguments do not fit the schema of the tool.',
    'Send the call again with arguments as the schema asks.',
  ),
  CALL_MISSING: rule(
    'The reply asked for no tool and did not end the run.',
    'Call a tool, or end with finish, abstain or clarify.',
  ),
  CLARIFY_UNFOUNDED: rule(
    'The question is not one that this run has shown to be needed.',
    'Search for the symbol first, or name at least two choices; ask only for the three reasons.',
  ),
  RAM_LIMIT: rule(
    "The run's memory would hold more entries or bytes than the profile allows.",
    'Delete what is no longer needed, or keep less of it.',
  ),
  TOOL_FAILED: rule(
    'The guard passed the call and the tool then failed.',
    'Read the error in the ledger; the run reports partial failure.',
  ),

  // Endings.
  COMMITTED: ending('The verified patch was delivered.', 'Review it as any other change.'),
  APPLIED: ending(
    'The verified patch was written to the working folder.',
    'Review it with git diff.',
  ),
  PATCH_WRITTEN: ending('The verified patch was written to a file.', 'Apply it with git apply.'),
  DRY_RUN: ending('The patch verified; a dry run delivers nothing.', 'Run again without dry-run.'),
  NOTHING_TO_DO: ending('The scheduled task found nothing to do.', 'Nothing.'),
  DISABLED: ending(
    'Photon is switched off for this repository.',
    'Unset the repository variable PHOTON_DISABLED to switch it on again.',
  ),
  STOPPED: ending(
    'The last day of stopAfter is over.',
    'Set a later day in .photon/config.json, or remove stopAfter.',
  ),
  COOL_DOWN: ending(
    'The task ran a short while ago.',
    'Wait, tick its box on the dashboard, or lower its coolDownHours.',
  ),
  STAGED: ending(
    'Everything was done but the delivery; what would be delivered is shown.',
    'Leave staged out to have it delivered.',
  ),
  FLEET_TOO_LARGE: ending(
    'The plan has more rows than a matrix may have (256).',
    'Name fewer packages, repositories or tasks, or plan them in several workflows.',
  ),
  ROW_INVALID: ending(
    'The input row is no row of a plan.',
    'Give it as $' + '{{ toJSON(matrix) }}, from the output matrix of mode plan.',
  ),
  OUTCOMES_MISSING: ending(
    'There are no outcomes to gather.',
    'Give the folder that the artifacts of the rows were downloaded to as the input outcomes.',
  ),
  NO_MAINTENANCE: ending(
    'The schedule fired, but no maintenance tasks are configured.',
    'Add maintenance tasks to .photon/config.json on the default branch.',
  ),
  EVENT_NOT_SERVED: ending('The event asks nothing of Photon.', 'Nothing; or give the task input.'),
  NOT_AUTHORISED: ending(
    'The author of the command may not give Photon a task.',
    'Nothing; people with write access can give the command.',
  ),
  PULL_REQUEST_OPEN: ending(
    'The last pull request of this task is still open and unchanged.',
    'Merge or close it; the next run then starts again.',
  ),
  WORKFLOW_WAITS: ending(
    'A task of the workflow waits for a review.',
    'Approve the pull request, then run the workflow again; at the terminal: photon workflow approve.',
  ),
  WORKFLOW_DONE: ending(
    'Every task of the workflow is done.',
    'Merge its pull request; after that, or when its branch is deleted, it starts anew.',
  ),
  PATCH_EMPTY: ending(
    'The run finished without changing anything.',
    'Say more exactly what is to change, or where.',
  ),
  ABSTAINED: ending(
    'The agent could not find what it needs for this task.',
    'Read its reason, give what is missing and ask again.',
  ),
  TASK_EMPTY: ending(
    'The command names nothing to do that may be shown to the model.',
    'Say what is to be fixed: /photon fix <words>.',
  ),
  CLARIFY_DESTRUCTIVE: ending(
    'Several ways to do this destroy something; one must be chosen.',
    'Answer the question and ask again.',
  ),
  CLARIFY_UNRESOLVED: ending(
    'A symbol that the task needs cannot be found.',
    'Answer the question and ask again.',
  ),
  CLARIFY_CONFLICT: ending(
    'The constraints of the task contradict each other.',
    'Answer the question and ask again.',
  ),
  ANSWER_UNASKED: ending(
    'No question of Photon is open here.',
    'Give a task: /photon fix <words>.',
  ),
  ANSWER_UNREADABLE: ending(
    'The command that the question came from can no longer be used.',
    'Give the whole task again: /photon fix <words>.',
  ),
  ANSWERED: ending('The command asked for words alone and was answered.', 'Nothing.'),
  UNDONE: ending('The last pull request of Photon here was taken back.', 'Nothing.'),
  UNDO_NOTHING: ending(
    'There is no pull request of Photon here that could be taken back.',
    'Name it: /photon undo #<number>.',
  ),
  UNDO_MERGED: ending(
    'The pull request was merged and this Photon cannot open the one that reverts it.',
    'Revert it with the button on the pull request.',
  ),
  RETRY_NOTHING: ending(
    'No task was given here that could be done again.',
    'Give a task: /photon fix <words>.',
  ),
  ACCEPT_NOTHING: ending('There are no records here that wait for a review.', 'Nothing.'),
  PLAN_POSTED: ending(
    'The plan was made; nothing was written.',
    'Give /photon approve with its digest to have exactly this plan carried out.',
  ),
  COMMAND_UNKNOWN: ending(
    'There is no such command.',
    'Comment /photon help for the list of commands.',
  ),
  APPROVAL_NEEDED: ending(
    'The plan is made and waits for approval; nothing was written.',
    'Somebody who may gives /photon approve with the digest of the plan.',
  ),
  APPROVAL_UNKNOWN: ending(
    'No plan of Photon with this digest waits for approval here.',
    'Copy the digest from the comment with the plan, or ask for a new plan: /photon plan <words>.',
  ),
  APPROVAL_BY_ASKER: ending(
    'Who asked for a task may not approve its plan here.',
    'Let somebody else with write access approve it.',
  ),
  APPROVAL_OUTDATED: ending(
    'The code is no longer what the plan was made for.',
    'Ask for a new plan: /photon plan <words>.',
  ),
  WORK_IN_PROGRESS: ending(
    'Somebody is at work on this already.',
    'Give /photon fix to have it done all the same.',
  ),
  CLOSED_BEFORE: ending(
    'A pull request of Photon for this task was closed without a merge.',
    'Give /photon retry to have it done all the same.',
  ),
  RUN_OUTDATED: ending(
    'The branch has moved on since the workflow failed.',
    'Nothing; the workflow runs on the newer commit.',
  ),
  VERIFY_FAILED: ending(
    'The patch did not pass the test command; nothing was written.',
    'Read the output; the patch is kept in the run folder.',
  ),
  VERIFY_TESTS_CHANGED: ending(
    'The patch passes only with the tests that it changed itself.',
    'Review the kept patch; set verify.testChanges to flag to allow such patches as drafts.',
  ),
  VERIFY_INCOMPLETE: ending(
    'The tests ended early with the patch, or test cases that ran before the patch are gone.',
    'Read the output. If the tests may go, name them in the task.',
  ),
  VERIFY_REPORT_LIMIT: ending(
    'The report of the test command is larger than Photon reads: 10 MB, 100,000 test cases.',
    'Split the test command, or write a report with less detail.',
  ),
  VERIFY_COMMAND_MISSING: ending(
    'No test command was given and none was found in the project.',
    'Set test-command, or verify: none to accept an unverified patch.',
  ),
  VERIFY_REPORT_MISSING: ending(
    'no-regression needs results per test case and the test command gave none.',
    'Print TAP, or set verify.report to the JUnit file that the command writes.',
  ),
  SETUP_FAILED: ending(
    'The set-up command failed.',
    'Run it by hand; mind that it has no network by default.',
  ),
  CORRECTIONS_EXHAUSTED: ending(
    'The model was told too often what evidence its calls lack.',
    'Use a stronger model, or a smaller task.',
  ),
  BUDGET_ROUNDS: ending(
    'The run used all its rounds.',
    'Raise max-rounds, or make the task smaller.',
  ),
  BUDGET_TOKENS: ending(
    'The next request would pass max-tokens.',
    'Raise max-tokens, or make the task smaller.',
  ),
  BUDGET_COST: ending(
    'The next request would pass max-cost.',
    'Raise max-cost, or make the task smaller.',
  ),
  BUDGET_DAY: ending(
    'The cap on money per day has no room for another run.',
    'Wait for the next day (UTC), or raise limits.costPerDay.',
  ),
  BUDGET_TIME: ending(
    'The run used all its time.',
    'Raise timeout-minutes, or make the task smaller.',
  ),
  CANCELLED: ending('The run was cancelled.', 'Start it again when it is wanted.'),
  MODEL_AUTH: ending(
    'The model endpoint refused the key.',
    'Check api-key and that it may use this model.',
  ),
  MODEL_REQUEST: ending(
    'The model endpoint refused the request.',
    'Check model and base-url; read the message.',
  ),
  MODEL_RATE_LIMIT: ending(
    'The model endpoint kept limiting the rate.',
    'Wait, or raise the limits of the account.',
  ),
  MODEL_UNAVAILABLE: ending(
    'The model endpoint did not answer, or broke off, too often.',
    'Try again later; check base-url.',
  ),
  MODEL_CONTEXT: ending(
    'The conversation no longer fits the model.',
    'Use a model with a larger context, or a smaller task.',
  ),
  MODEL_OUTPUT: ending('The model sent what cannot be used.', 'Try again, or use another model.'),
  GITHUB_AUTH: ending(
    'GitHub refused the token.',
    'Give github-token contents: write and pull-requests: write.',
  ),
  GITHUB_PERMISSION: ending(
    'The token lacks a permission that the run needs.',
    'Grant the permission that the message names: in the workflow for GITHUB_TOKEN, in the settings of the App or of the token else.',
  ),
  PULL_REQUESTS_FORBIDDEN: ending(
    'GitHub does not allow Actions to create pull requests in this repository.',
    'Allow it under Settings › Actions › General › Workflow permissions (an owner may have to allow it for the organisation first), or set delivery: branch to get the branch and a link, or give Photon the token of a GitHub App.',
  ),
  APP_INVALID: ending(
    'The GitHub App cannot act on this repository.',
    'Check app-id and private-key, and that the App is installed on this repository.',
  ),
  KEY_EXCHANGE: ending(
    'The key of the model could not be had by an OIDC exchange.',
    'Give the job id-token: write, and check key-exchange-url and key-exchange-audience with the issuer.',
  ),
  GITHUB_REQUEST: ending(
    'GitHub refused a request.',
    'Read the message; check the permissions of the workflow.',
  ),
  GITHUB_UNAVAILABLE: ending('GitHub did not answer, or kept failing.', 'Try again later.'),
  GITHUB_REPLY: ending(
    'GitHub sent a reply that does not hold what its documentation promises, several times over.',
    'Try again later. If it happens again, look for a proxy between the runner and GitHub.',
  ),
  PUBLISH_MISMATCH: ending(
    'What arrived on GitHub is not the verified patch.',
    'Nothing was left behind; run again.',
  ),
  BRANCH_TAKEN: ending(
    'The branch holds commits that are not of Photon.',
    'Rename or delete that branch, or set branch-prefix.',
  ),
  BRANCH_MOVED: ending(
    'The branch of this task changed while the run worked: another run published, or somebody moved it.',
    'Nothing was written by this run. Look at the pull request of the other; ask again to replace it.',
  ),
  FORCE_PUSH_FORBIDDEN: ending(
    'GitHub takes no force push to the branch, and the commit could not be put on top of it either.',
    'Delete the branch, or undo its pull request, and run again; or exempt the branches of Photon from the rule.',
  ),
  WORKFLOWS_FORBIDDEN: ending(
    'The patch changes a workflow file (.github/workflows), which the token may not do. GITHUB_TOKEN never may.',
    'Give github-token a token with the permission workflows: write, or make this change by hand.',
  ),
  BASE_MOVED: ending(
    'The base branch no longer holds the commit that the run started at.',
    'Run again on the new state.',
  ),
  BASE_CONFLICT: ending(
    'The base moved while the run worked, and the patch does not apply to the new one.',
    'The patch is kept in the run folder; run again on the new state.',
  ),
  REVERT_CONFLICT: ending(
    'What the pull request changed was changed again since; it cannot be taken back by itself.',
    'Revert the commit by hand, or give the task to take it back in words.',
  ),
  REVERT_UNFIT: ending(
    'The pull request is not one that can be reverted: it was not merged, or not made by Photon.',
    'Close it, or revert the commit by hand.',
  ),
  HEAD_MOVED: ending(
    'The pull request was pushed to after the command.',
    'Look at the new commits, then give the command again.',
  ),
  HEAD_UNKNOWN: ending(
    'GitHub does not say whether the fork was pushed to after the command.',
    'Give the command in a review of the pull request: a review names the commit that it is about.',
  ),
  FORK_PULL_REQUEST: ending(
    'The pull request comes from a fork; Photon never writes there.',
    'Use a branch of this repository.',
  ),
  PULL_REQUEST_CLOSED: ending(
    'The pull request is closed.',
    'Open it again, or give the command on an issue.',
  ),
  CHECKOUT_MISMATCH: ending(
    'The checked-out commit is not the one the task is about.',
    'Give actions/checkout the ref that docs/triggers.md shows.',
  ),
  SANDBOX_UNAVAILABLE: ending(
    'The sandbox cannot give what the setting requires on this machine.',
    'Run `photon doctor` to see what is missing; install it, or choose sandbox: auto.',
  ),
  DISK: ending(
    'The machine has no space or does not let the run folder be written.',
    'Free some space and run again.',
  ),
  GIT: ending(
    'Git could not read the checkout.',
    'Run actions/checkout before Photon; the folder must be a git repository.',
  ),
  EXECUTION_INVALID: ending(
    'The trace of the run deviates from the constitution; nothing was written.',
    'Please report it with the ledger; photon audit names the entry.',
  ),
  REPLAY_ENDED: ending(
    'The record holds no further reply.',
    'The run went on where the recorded one ended; photon replay names the first difference.',
  ),
  RECORDS_APPLIED: ending(
    'The record changes of the pull request were kept.',
    'photon memory list shows the records.',
  ),
  RECORDS_DROPPED: ending(
    'The pull request was closed without a merge; its record changes were dropped.',
    'Give the task again if they are wanted.',
  ),
  RECORDS_NONE: ending(
    'No record changes wait for this pull request.',
    'They were applied before, replaced by a later run, or waited too long.',
  ),
  RECORDS_CHANGED: ending(
    'What waits is not what the pull request shows; nothing was kept.',
    'Give the task again; its pull request then shows what waits.',
  ),
  INTERNAL: ending(
    'Photon failed in a way it does not know.',
    'Please report it with the outcome file.',
  ),

  // Replies in instruction tags (docs/xml-protocol.md).
  LIBRARIAN_PROTOCOL_INVALID: protocol(
    'The tags of the reply do not nest.',
    'Close each tag that is opened, the innermost first.',
  ),
  LIBRARIAN_PARSE_FAILED: protocol('A child that is needed is missing.', 'Add it.'),
  XML_TOO_LARGE: protocol('The reply is too large.', 'Send less in one reply.'),
  XML_TOO_DEEP: protocol(
    'Tags stand too deep inside each other.',
    'Nest no deeper than the tool asks.',
  ),
  XML_TOO_MANY: protocol(
    'The reply holds too many instructions or tags.',
    'Send fewer in one reply.',
  ),
  XML_CUT: protocol(
    'The reply ends before this instruction does.',
    'Send the whole instruction, to its closing tag.',
  ),
  XML_ATTRIBUTE: protocol('A tag has attributes.', 'Write values as children, not attributes.'),
  XML_ENTITY: protocol(
    'An & begins none of the references &amp; &lt; &gt; &quot; &apos; and &#number;.',
    'Put text that holds an ampersand into <![CDATA[ and ]]>.',
  ),
  XML_DOCTYPE: protocol('The reply declares a document type or an entity.', 'Leave it out.'),
  XML_PROCESSING_INSTRUCTION: protocol(
    'The reply holds an XML declaration or a processing instruction.',
    'Leave it out; put such text of a file into <![CDATA[ and ]]>.',
  ),
  XML_COMMENT: protocol(
    'The reply holds an XML comment.',
    'Leave it out; put such text of a file into <![CDATA[ and ]]>.',
  ),
  XML_CDATA: protocol(
    'CDATA stands where no text belongs.',
    'Use CDATA inside a child that holds text only.',
  ),
  XML_NAMESPACE: protocol('A tag has a prefix.', 'Write the name without it.'),
  XML_UNKNOWN_TAG: protocol(
    'There is no instruction of this name.',
    'Use a tag of the list; in the reasoning, write other tags `in backticks`.',
  ),
  XML_MARKUP_IN_TEXT: protocol(
    'A < or ]]> stands in a child that holds text only.',
    'Put the text into <![CDATA[ and ]]>; write ]]> itself as ]]]]><![CDATA[>.',
  ),
  XML_CHARACTER: protocol(
    'The reply holds a character that XML does not allow.',
    'Leave control characters and half surrogates out.',
  ),
  XML_UNKNOWN_CHILD: protocol('The instruction has no such child.', 'Use the children listed.'),
  XML_DUPLICATE_CHILD: protocol('This child may stand only once.', 'Keep one of them.'),
  XML_STRAY_TEXT: protocol(
    'Text stands between the children of an instruction.',
    'Put reasoning before the instruction.',
  ),

  // Inputs.
  SETTING_INVALID: input(
    'An action input or option cannot be used.',
    'Correct it as the message says.',
  ),
  CONFIG_INVALID: input(
    '.photon/config.json cannot be used.',
    'Correct it as the message says; photon validate checks it.',
  ),
  REPLAY_COMMANDS: input(
    "The record would run commands that are not the repository's own.",
    'Read them; give --allow-commands when they may run in the sandbox.',
  ),
  CONFIG_WEAKENS: input(
    "The repository's own configuration sets something that weakens the sandbox.",
    'Take it out, and give it as an input of the workflow, as an option, or in your own configuration (docs/settings.md).',
  ),
  FILE_UNREADABLE: input(
    'A file that was named cannot be read.',
    'Name a regular file of at most 256 MB that you may read; folders, pipes and devices are not read.',
  ),
  CONSTITUTION_INVALID: input(
    'The constitution cannot be used.',
    'Correct the line named; photon validate checks it.',
  ),
  CONSTITUTION_VERSION: input(
    'The constitution is of a version this Photon does not know.',
    'Use version 2.x, or another Photon.',
  ),
  CONSTITUTION_LOOSENED: input(
    'A constitution of the repository loosens the one above it.',
    'A merge may only tighten; correct the line named.',
  ),
  PROMPT_INVALID: input('The prompt file cannot be used.', 'Correct it as the message says.'),
  SKILL_INVALID: input('A SKILL.md cannot be used.', 'Correct the key named.'),
  API_KEY_MISSING: input('There is no key for the model.', 'Set api-key from a secret.'),
  MODEL_MISSING: input('No model is named.', 'Set model to a name that the endpoint knows.'),
  PRICE_UNKNOWN: input(
    'max-cost is set, but the model has no price.',
    'Add it under model.prices in .photon/config.json.',
  ),
  WORKFLOW_INVALID: input(
    'A workflow file cannot be used.',
    'Correct the line named; photon workflow validate checks it.',
  ),
  WORKFLOW_MISSING: input(
    'There is no workflow of this name.',
    'Write it to .photon/workflows/<name>.yml; the message lists those that are there.',
  ),
  WORKFLOW_STATE_INVALID: input(
    'The state of the workflow cannot be read.',
    'Put the file of the message aside; what is on the branch stays, and the workflow starts anew.',
  ),
  WORKFLOW_OUTPUT_MISSING: input(
    'A task ended without an output that it must make.',
    'Name the file in the prompt of the task, or correct the path; then run the workflow again.',
  ),
  WORKFLOW_BRANCH: input(
    'The branch of the workflow cannot be used.',
    'Rename or delete the branch, or switch to another one, as the message says.',
  ),
  WORKFLOW_BUSY: input(
    'Another process is at work on this workflow.',
    'Wait for it; if none is running, remove the lock file of the message. On GitHub, give the job a concurrency group.',
  ),
  TASK_MISSING: input('There is no task.', 'Set task, or use a trigger that carries one.'),
  SESSION_BASE_MISSING: input(
    'The commit that the session lies over is not in the repository.',
    'Fetch it, or give --repo a clone that holds it; photon session export needs none.',
  ),
  RECORD_INVALID: input(
    'The file is no record of replies that can be read.',
    'Give the replies.jsonl of a run with record: true.',
  ),
  SESSION_INVALID: input(
    'The file is no session that can be read.',
    'Give the path of a session.db, as a run of Photon or AgentFS writes it.',
  ),
  LEDGER_MISSING: input('The ledger file cannot be read.', 'Give the path of a ledger.jsonl.'),
  DEMO_UNAVAILABLE: input(
    'The demonstration needs a clone of the repository with its development packages.',
    'Run npm ci in a clone, then npm run demo.',
  ),
  USAGE: input('The command line cannot be read.', 'photon --help lists commands and options.'),

  // Long-term records (SPEC §8).
  RECORD_STALE: record(
    'The record was changed since the version that the change names.',
    'Search the record again, then change the version that is there.',
  ),
  RECORD_WORKSPACE: record(
    'The record would be of another repository.',
    'Leave workspace out; a run writes records of its own repository only.',
  ),
  RECORD_UNKNOWN: record('There is no record of that id.', 'Search for it; it may be forgotten.'),
  RECORD_KIND: record(
    'Records of that kind are written by the engine alone.',
    'Flag a problem on it with record_issue, or add a note.',
  ),
  RECORD_SECRET: record(
    'The text of the record holds a secret, or what looks like one.',
    'Leave it out; say where it is kept instead.',
  ),
  RECORD_TOO_LARGE: record('The text of the record is too long.', 'Keep the part that matters.'),
  RECORD_LIMIT: record(
    'The run has changed as many records as it may.',
    'Keep what matters most; docs/memory.md has the limits.',
  ),
  MEMORY_CONFLICT: record(
    'Other runs wrote the records at the same time, until the tries were used up.',
    'Run again; nothing of theirs was lost.',
  ),
  MEMORY_UNAVAILABLE: record(
    'The records could not be read or written; the run went on without them.',
    'Give github-token contents: write, or set memory: off.',
  ),
  MEMORY_MISSING: record(
    'There is no store of records here.',
    'Set memory.mode in .photon/config.json and let a run commit, or name the repository.',
  ),

  // Findings of photon audit.
  LEDGER_UNREADABLE: audit(
    'An entry is not one that this Photon writes.',
    'Compare the file with a copy; do not trust what follows the entry.',
  ),
  LEDGER_SEAL: audit(
    'An entry was edited, removed, inserted or moved.',
    'Do not trust the entry or anything after it.',
  ),
  LEDGER_TRUNCATED: audit(
    'The ledger does not come to an end.',
    'The run was killed, or the end was cut off; compare with the head in the pull request.',
  ),
  LEDGER_PHASE: audit(
    'An entry stands in a phase that the transition table does not lead to.',
    'Treat the execution as invalid.',
  ),
  LEDGER_DECISION: audit(
    'The rules, applied to what the ledger says, decide otherwise than the entry.',
    'Treat the execution as invalid.',
  ),
  LEDGER_POLICY: audit(
    'The run followed a looser law than the one that Photon ships.',
    'Treat the execution as invalid.',
  ),
} as const satisfies Record<string, CodeEntry>;

/** One of the stable codes. */
export type Code = keyof typeof codes;

/** An unexpected or unusable thing, carried to the door and shown there with its hint. */
export class PhotonError extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, message?: string, options: { hint?: string; cause?: unknown } = {}) {
    super(
      message ?? codes[code].meaning,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'PhotonError';
    this.code = code;
    this.hint = options.hint ?? codes[code].hint;
  }
}

function rule(meaning: string, hint: string): CodeEntry & { readonly kind: 'rule' } {
  return { kind: 'rule', meaning, hint };
}

function record(meaning: string, hint: string): CodeEntry & { readonly kind: 'record' } {
  return { kind: 'record', meaning, hint };
}

function audit(meaning: string, hint: string): CodeEntry & { readonly kind: 'audit' } {
  return { kind: 'audit', meaning, hint };
}

function ending(meaning: string, hint: string): CodeEntry & { readonly kind: 'ending' } {
  return { kind: 'ending', meaning, hint };
}

function protocol(meaning: string, hint: string): CodeEntry & { readonly kind: 'protocol' } {
  return { kind: 'protocol', meaning, hint };
}

function input(meaning: string, hint: string): CodeEntry & { readonly kind: 'input' } {
  return { kind: 'input', meaning, hint };
}
