/** The stable codes: what each one means and what to do about it. A code never changes its meaning. */
import { describeSystemError } from './system-errors.ts';

/**
 * - `rule`: the guard decided on one call (`abstain`).
 * - `ending`: why a run ended the way it did.
 * - `protocol`: what is wrong with a reply in instruction tags. The run fails with it if the model cannot repair it.
 * - `input`: invalid settings, configuration, constitution or skills.
 * - `audit`: what is wrong with a ledger.
 * - `record`: why a change of the long-term records was rejected or lost.
 * - `mcp`: why an MCP server is not used, or was cut off. The run goes on without its tools.
 */
export type CodeKind = 'rule' | 'ending' | 'protocol' | 'input' | 'audit' | 'record' | 'mcp';

interface CodeEntry {
  readonly kind: CodeKind;
  readonly meaning: string;
  readonly hint: string;
}

const ofKind =
  <const Kind extends CodeKind>(kind: Kind) =>
  (meaning: string, hint: string) => ({ kind, meaning, hint });

const rule = ofKind('rule');
const ending = ofKind('ending');
const protocol = ofKind('protocol');
const input = ofKind('input');
const audit = ofKind('audit');
const record = ofKind('record');
const mcp = ofKind('mcp');

/** Every code, once. `docs/codes.md` has one heading per entry, generated from this table. */
export const codes = {
  // Rules of the guard (docs/guard.md, docs/constitution.md).
  READ_LIMIT: rule(
    'The reads of a round asked for more lines of one file than the constitution allows.',
    'Read fewer lines of it in a round, or name a symbol.',
  ),
  READ_UNBOUNDED: rule(
    'A read named a folder or a pattern instead of a file.',
    'Find the file with list_project_files or grep, then read a range of it.',
  ),
  PATH_ESCAPE: rule(
    'The path leads outside the workspace, or to something that is not a regular file.',
    'Use a path relative to the repository root, without .., links, submodules or .git.',
  ),
  WRITE_BYPASS: rule(
    'Something other than apply_patch tried to write a file that belongs to the patch.',
    'Make the change with apply_patch. Commands may only write logs and build output.',
  ),
  SKILL_NOT_ALLOWED: rule(
    'The skill is not on the allowlist of this repository.',
    'Activate a listed skill. To allow another one, a maintainer adds its folder to agent.skillRoots in .photon/config.json on the trusted branch.',
  ),
  PATH_PROTECTED: rule(
    'The constitution blocks changes to this file.',
    'Leave the file out. A person can make the change, or narrow protected_paths in a reviewed constitution.',
  ),
  SECRET_IN_PATCH: rule(
    'The patch contains the value of a secret that this run knows.',
    'Refer to the secret by name. Rotate it if it reached the model.',
  ),
  PATH_FILTERED: rule(
    'Git stores this file in another form than a checkout shows (a filter such as Git LFS, an encoding, ident), and Photon cannot make that form.',
    'Leave the file out. A person can make the change in a checkout where the filter is installed.',
  ),
  PHASE_ORDER: rule(
    'This call is not allowed in the current phase.',
    'Follow PLAN, NAVIGATE, READ, PATCH, VERIFY, then finish.',
  ),
  PLAN_MISSING: rule(
    'There is no plan yet.',
    'Call plan with entry symbols, affected files and scope first.',
  ),
  PLAN_SCOPE: rule(
    'The patch touches files outside the plan, or is larger than its scope.',
    'Amend the plan first, then patch.',
  ),
  NAVIGATION_MISSING: rule(
    'This run has not located the file yet.',
    'Find it with list_project_files, grep or a symbol lookup first.',
  ),
  STALE_READ: rule(
    'The edit replaces lines that this run has not read, or whose numbers or text changed since they were shown.',
    'Edit by the numbers that are shown now, or state the first and last line that the edit replaces as `old`. Read what is not shown.',
  ),
  VERIFY_MISSING: rule('The last patch has not been verified.', 'Call verify before finish.'),
  THINK_MISSING: rule(
    'The tool calls came without a sentence of reasoning.',
    'In the same reply as the calls, say in 2 to 5 sentences what is needed and why, as text or as `reason` of a call.',
  ),
  TOOL_NOT_PERMITTED: rule(
    'The tool does not exist, or no active skill grants it.',
    'Activate a skill that grants it, or use another tool.',
  ),
  SKILL_REQUIREMENT: rule(
    'The skill requires something that is missing: a tool, another skill, or a version of it.',
    'Use another skill, or add what the message names to the allowlist.',
  ),
  SKILL_INACTIVE: rule(
    'The file belongs to a skill that is not active.',
    'Activate the skill first, then read its file.',
  ),
  SKILL_LIMIT: rule(
    'As many skills are active as may be at once.',
    'End one with skill_deactivate first; without a name, it ends all.',
  ),
  SKILL_BUDGET: rule(
    'The skill has used up its own budget.',
    'Finish with what you have, or activate another skill that grants the tool.',
  ),
  SKILL_GUARD: rule(
    'The guards of the active skill forbid this change.',
    'Make only changes that the skill allows, or activate a skill that fits this change.',
  ),
  ARGUMENTS_INVALID: rule(
    'The arguments do not match the schema of the tool.',
    'Correct the arguments and send the call again.',
  ),
  CALL_MISSING: rule(
    'The reply called no tool and did not end the run.',
    'Call a tool, or end with finish, abstain or clarify.',
  ),
  CLARIFY_UNFOUNDED: rule(
    'This run has not shown that the question is necessary.',
    'Supply what is missing: symbol, after a lookup of exactly this name found nothing; destroys, for at least two choices with different files; or two constraints in force, one of which refused a call. Otherwise decide yourself and go on.',
  ),
  RAM_LIMIT: rule(
    'The working memory would exceed the entries or bytes that the profile allows.',
    'Delete what is no longer needed, or store less.',
  ),
  TOOL_FAILED: rule(
    'The guard allowed the call, but the tool failed.',
    'Read the error in the ledger, and its log with photon show --session. The run reports a partial failure.',
  ),

  // Endings.
  COMMITTED: ending(
    'The patch was delivered as a commit or a pull request.',
    'Review it like any other change.',
  ),
  SUGGESTED: ending(
    'The patch was suggested in a review of a pull request.',
    'Add the suggestions to one batch, then commit the batch.',
  ),
  APPLIED: ending(
    'The patch was written to the working folder. To take it back, run photon undo.',
    'Review it with git diff.',
  ),
  PATCH_WRITTEN: ending(
    'The patch is in patch.diff, and nothing else was changed.',
    'Apply it with git apply in the top folder of the repository.',
  ),
  DRY_RUN: ending('There is a patch. A dry run delivers nothing.', 'Run again without dry-run.'),
  NOTHING_TO_DO: ending('The scheduled task found nothing to do.', 'Nothing.'),
  DISABLED: ending(
    'Photon is disabled for this repository.',
    'Remove the repository variable PHOTON_DISABLED to enable it again.',
  ),
  STOPPED: ending(
    'The date in stopAfter has passed.',
    'Set a later date in .photon/config.json, or remove stopAfter.',
  ),
  STOPPED_BY_PERSON: ending(
    'A person stopped the run with /photon stop.',
    'Give the task again if you still need it: /photon retry.',
  ),
  STOP_NOTHING: ending(
    'No run is at work here.',
    'Undo what a run has delivered with /photon undo.',
  ),
  WATCHED: ending('The pull request is watched.', 'Nothing. To end it: /photon keep-green off.'),
  WATCH_ENDED: ending(
    'The pull request is no longer watched.',
    'To begin again: /photon keep-green.',
  ),
  WATCH_REFUSED: ending(
    'Only a pull request can be kept green, and only by a comment.',
    'Write /photon keep-green as a comment on a pull request.',
  ),
  CHECK_FAILS_ON_BASE: ending(
    'The checks that fail here fail on the base as well.',
    'Repair them on the base, for example with /photon fix on an issue.',
  ),
  CHECK_UNDECIDED: ending(
    'Some checks ended without a verdict: they were cancelled, wait for an approval, or could not start.',
    'Start or approve them on the page of the pull request.',
  ),
  BASE_REFUSED: ending(
    'GitHub does not merge the base into the branch.',
    'Merge it by hand, or give the token what GitHub asks for. Photon asks again when the base or the branch moves.',
  ),
  TASK_ADDED: ending(
    'A run that was at work has taken this command in.',
    'Read its comment. Give the command again with /photon retry.',
  ),
  COOL_DOWN: ending(
    'The task ran too recently.',
    'Wait, tick its box on the dashboard, or lower its coolDownHours.',
  ),
  STAGED: ending(
    'This is a staged run: the result is shown, but not delivered.',
    'Run again without staged to deliver it.',
  ),
  FLEET_TOO_LARGE: ending(
    'The plan has more rows than a matrix allows (256).',
    'Name fewer packages, repositories or tasks, or split them across workflows.',
  ),
  ROW_INVALID: ending(
    'The input row is not a row of a plan.',
    'Give it as $' + '{{ toJSON(matrix) }}, from the output matrix of mode plan.',
  ),
  OUTCOMES_MISSING: ending(
    'There are no outcomes to gather.',
    'Set the input outcomes to the folder that holds the downloaded artifacts of the rows.',
  ),
  NO_MAINTENANCE: ending(
    'The schedule fired, but no maintenance tasks are configured.',
    'Add maintenance tasks to .photon/config.json on the default branch.',
  ),
  EVENT_NOT_SERVED: ending(
    'This event does not start a run.',
    'Nothing. To start a run from this event, set the input task.',
  ),
  NOT_AUTHORISED: ending(
    'The author of this command is not allowed to give Photon a task.',
    'Nothing. Only people with write access can give commands.',
  ),
  PULL_REQUEST_OPEN: ending(
    'The previous pull request of this task is still open and unchanged.',
    'Merge or close it. The next run then starts again.',
  ),
  WORKFLOW_WAITS: ending(
    'A task of the workflow is waiting for a review.',
    'Approve the pull request, then run the workflow again. At the terminal, run photon workflow approve.',
  ),
  WORKFLOW_DONE: ending(
    'Every task of the workflow is done.',
    'Merge its pull request. The workflow starts again after the merge, or when its branch is deleted.',
  ),
  PATCH_EMPTY: ending(
    'The run finished without changing anything.',
    'If something is to be changed, describe more precisely what, or where.',
  ),
  PATCH_REFUSED: ending(
    'The run changed nothing, because its patches were refused.',
    'Read which rule refused the last one. If you want that change, allow it: name the file in the task, choose another skill, or change the setting or constitution that the rule reads. Otherwise make it yourself.',
  ),
  ABSTAINED: ending(
    'The agent gave the task back without a patch.',
    'Do what its reason asks for, and start the task again.',
  ),
  TASK_EMPTY: ending(
    'The command contains no task text that the model may see.',
    'Describe the task: /photon fix <task>.',
  ),
  CLARIFY_DESTRUCTIVE: ending(
    'Several ways to do this are destructive, and one of them must be chosen.',
    'Give the task again with the answer to this question.',
  ),
  CLARIFY_UNRESOLVED: ending(
    'A symbol that the task needs cannot be found.',
    'Give the task again with the answer to this question.',
  ),
  CLARIFY_CONFLICT: ending(
    'The constraints of the task contradict each other.',
    'Give the task again with the answer to this question.',
  ),
  ANSWER_UNASKED: ending('Photon has no open question here.', 'Give a task: /photon fix <task>.'),
  ANSWER_UNREADABLE: ending(
    'The command that led to the question can no longer be used.',
    'Give the whole task again: /photon fix <task>.',
  ),
  TASK_ANSWERED: ending(
    'The task was answered without a change.',
    'If something was to be changed, give the task again with what the answer leaves open.',
  ),
  REVIEWED: ending('The pull request was reviewed.', 'Nothing.'),
  REVIEW_SCHEMA: ending(
    'The file that review.schema or output-schema names is no JSON Schema of an object that Photon can use.',
    'Correct the file on the trusted branch, as the message says.',
  ),
  REVIEW_REPORT_MISSING: ending(
    'The run ended without the object that review.schema or output-schema asks for.',
    'Try again, or simplify the schema. The answer or the findings are in outcome.json.',
  ),
  REVIEW_NO_PULL_REQUEST: ending(
    'Only a pull request can be reviewed.',
    'Comment /photon review on a pull request.',
  ),
  ANSWERED: ending('Photon answered the command. No run was needed.', 'Nothing.'),
  UNDONE: ending('The last Photon pull request here was undone.', 'Nothing.'),
  UNDO_NOTHING: ending(
    'There is no Photon pull request here to undo.',
    'Name it: /photon undo #<number>.',
  ),
  UNDO_MERGED: ending(
    'The pull request was merged, so Photon does not take it back.',
    'Press Revert on the pull request. GitHub opens one that takes it back.',
  ),
  RETRY_NOTHING: ending(
    'There is no earlier task here to retry.',
    'Give a task: /photon fix <task>.',
  ),
  ACCEPT_NOTHING: ending('No memory changes are waiting for a review here.', 'Nothing.'),
  PLAN_POSTED: ending(
    'The plan is ready. No file was changed.',
    'To carry out exactly this plan, comment /photon approve with its digest.',
  ),
  COMMAND_UNKNOWN: ending(
    'There is no such command.',
    'Comment /photon help for a list of commands.',
  ),
  APPROVAL_NEEDED: ending(
    'The plan is ready and waits for approval. No file was changed.',
    'A maintainer must comment /photon approve with the digest of the plan.',
  ),
  APPROVAL_UNKNOWN: ending(
    'No Photon plan with this digest is waiting for approval here.',
    'Copy the digest from the comment with the plan, or request a new plan: /photon plan <task>.',
  ),
  APPROVAL_BY_ASKER: ending(
    'You cannot approve the plan of a task that you requested yourself.',
    'Ask someone else with write access to approve it.',
  ),
  APPROVAL_OUTDATED: ending(
    'The code has changed since the plan was made.',
    'Request a new plan: /photon plan <task>.',
  ),
  WORK_IN_PROGRESS: ending(
    'Someone is already working on this.',
    'To start anyway, comment /photon fix.',
  ),
  CLOSED_BEFORE: ending(
    'A Photon pull request for this task was closed without being merged.',
    'To try again anyway, comment /photon retry.',
  ),
  RUN_OUTDATED: ending(
    'The branch has new commits since the workflow failed.',
    'Nothing. The workflow runs on the newer commit.',
  ),
  VERIFY_FAILED: ending(
    'The patch did not pass the test command. Nothing was written.',
    'Read the output. The patch is kept in the run folder.',
  ),
  VERIFY_TESTS_CHANGED: ending(
    'The patch passes only with its own changes to the tests.',
    'Review the kept patch. If the tests may change, add to the task: The tests may change. The patch is then a draft. To allow all such patches as drafts, set verify.testChanges to flag.',
  ),
  VERIFY_INCOMPLETE: ending(
    'The tests stopped early with the patch, or test cases that ran before it are missing.',
    'Read the output. If the task may remove those tests, name them in the task.',
  ),
  VERIFY_TAMPERED: ending(
    'With the patch, test cases pass that must fail: the patch changes the assertions or the test runner.',
    'Read the kept patch. Repair the program; a test that cannot fail shows nothing.',
  ),
  VERIFY_ALERT: ending(
    'The tests pass, but the scanner still reports the finding, or reports new ones.',
    'Read what it reports. Repair the cause; a suppression is no repair.',
  ),
  VERIFY_UNPROVEN: ending(
    'The tests pass, but they show less of the changed lines than verify requires.',
    'Add tests that run the named lines, or set verify to pass.',
  ),
  VERIFY_NO_TESTS: ending(
    'The test command ran no test case, so nothing shows that the patch works.',
    'Set test-command to a command that runs the tests. For a project without tests, set verify to none.',
  ),
  VERIFY_NOT_SHOWN: ending(
    'The test command exits with 0 and shows no test case, or ran with other versions of packages than the patch asks for.',
    'Review the draft by hand. Set test-command to a command that prints how many test cases ran, or install the versions.',
  ),
  VERIFY_REPORT_LIMIT: ending(
    'The test report exceeds the limits of Photon: 10 MB, 100,000 test cases.',
    'Split the test command, or write a report with less detail.',
  ),
  VERIFY_REPORT_FORM: ending(
    'The file that verify.report names is in no form that Photon reads.',
    'Name a report in one of the forms of docs/verification.md, or remove verify.report.',
  ),
  VERIFY_COMMAND_MISSING: ending(
    'No test command is configured, and none was detected in the project.',
    'Set test-command, or set verify: none to accept an unverified patch. photon doctor shows what was found.',
  ),
  TEST_COMMAND_UNRUNNABLE: ending(
    'The test command cannot run here, even without a patch: a program, a package script or an installed package is missing.',
    'Run the command in a fresh clone. Install what is missing in a step before Photon, or set setup-command.',
  ),
  VERIFY_REPORT_MISSING: ending(
    'no-regression needs a result for each test case, and the test command reported none.',
    'Use a runner whose output Photon reads (docs/verification.md), print TAP, or set verify.report to the JUnit file that the command writes.',
  ),
  SETUP_FAILED: ending(
    'The set-up command failed.',
    'Run it by hand. It has no network by default: set network to setup, or to the hosts that it needs, if it installs packages. docs/sandbox.md lists the settings of proxies and registries that it receives.',
  ),
  CORRECTIONS_EXHAUSTED: ending(
    'The model kept making calls without the evidence that they require.',
    'Use a stronger model, or a smaller task.',
  ),
  CALL_REPEATED: ending(
    'The model made the same call again and again, with the same result.',
    'Use a stronger model, or name the files and functions that the task is about.',
  ),
  BUDGET_ROUNDS: ending(
    'The run reached max-rounds.',
    'Raise max-rounds, or make the task smaller.',
  ),
  BUDGET_TOKENS: ending(
    'The next request would exceed max-tokens.',
    'Raise max-tokens, or make the task smaller.',
  ),
  BUDGET_COST: ending(
    'The next request would exceed max-cost.',
    'Raise max-cost, or make the task smaller.',
  ),
  BUDGET_DAY: ending(
    'The daily cost limit leaves no room for another run.',
    'Wait for the next day (UTC), or raise limits.costPerDay.',
  ),
  BUDGET_PERSON: ending(
    'This person has started as many runs today as the repository allows.',
    'Wait for the next day (UTC), let somebody else start it, or raise limits.runsPerPersonPerDay.',
  ),
  BUDGET_TIME: ending(
    'The run reached its time limit.',
    'Raise timeout-minutes, or make the task smaller.',
  ),
  CANCELLED: ending('The run was cancelled.', 'Start it again if you still need it.'),
  MODEL_AUTH: ending(
    'The model endpoint rejected the key.',
    'Check that the key is correct and may use this model.',
  ),
  MODEL_REQUEST: ending(
    'The model endpoint rejected the request.',
    'Read the message, then check model and base-url.',
  ),
  MODEL_NOT_FOUND: ending(
    'The model endpoint does not know the model, or its address is wrong.',
    'Check model and base-url. model.fallbacks can name a model that takes over.',
  ),
  MODEL_RATE_LIMIT: ending(
    'The model endpoint kept limiting the request rate.',
    'Wait, or raise the limits of the account.',
  ),
  MODEL_UNAVAILABLE: ending(
    'The model endpoint failed to answer, or broke off its answer, too many times.',
    'Check base-url, then try again later.',
  ),
  MODEL_CONTEXT: ending(
    'The conversation no longer fits the context window of the model.',
    'Use a model with a larger context window, or a smaller task.',
  ),
  MODEL_OUTPUT: ending(
    'The model sent a reply that Photon cannot use.',
    'Try again, or use another model.',
  ),
  GITHUB_AUTH: ending(
    'GitHub rejected the token.',
    'Give github-token contents: write and pull-requests: write.',
  ),
  GITHUB_PERMISSION: ending(
    'The token lacks a permission that the run needs.',
    'Grant the permission that the message names: in the workflow for GITHUB_TOKEN, otherwise in the settings of the App or the token.',
  ),
  PULL_REQUESTS_FORBIDDEN: ending(
    'GitHub does not allow Actions to create pull requests in this repository.',
    'Allow it under Settings › Actions › General › Workflow permissions (an owner may first have to allow it for the organisation). Otherwise set delivery: branch to get the branch and a link, or give Photon the token of a GitHub App.',
  ),
  APP_INVALID: ending(
    'The GitHub App cannot act on this repository.',
    'Check app-id and private-key, and that the App is installed on this repository.',
  ),
  KEY_EXCHANGE: ending(
    'Could not get a model key from the OIDC exchange.',
    'Give the job id-token: write, and check key-exchange, its ids and its audience with the issuer (docs/triggers.md).',
  ),
  NETWORK_CERTIFICATE: ending(
    'A server has a certificate that is not trusted.',
    'If a proxy of your organisation reads TLS, put the certificate of its authority into a PEM file and set NODE_EXTRA_CA_CERTS to the path of that file, in the env of the job or of the runner (docs/sandbox.md).',
  ),
  NETWORK_PROXY: ending(
    'The proxy cannot be used.',
    'Check HTTPS_PROXY and its credentials, and that the proxy allows the host. Name hosts that need no proxy in NO_PROXY (docs/sandbox.md).',
  ),
  GITHUB_REQUEST: ending(
    'GitHub rejected a request.',
    'Read what GitHub says in the message, and correct that.',
  ),
  GITHUB_REPOSITORY: ending(
    'The repository does not exist on GitHub, or the token cannot read it.',
    'Check its name, and give a token that can read it.',
  ),
  GITHUB_UNAVAILABLE: ending('GitHub did not answer, or kept failing.', 'Try again later.'),
  GITHUB_REPLY: ending(
    'GitHub repeatedly sent a reply that does not match its documentation.',
    'Try again later. If it happens again, look for a proxy between the runner and GitHub.',
  ),
  REPOSITORY_LOCKED: ending(
    'Nobody can write to the repository: it is archived, disabled or locked.',
    'An administrator can unarchive it. For a disabled or locked repository, its owner sees the reason on its page.',
  ),
  PUBLISH_MISMATCH: ending('The commit on GitHub does not match the verified patch.', 'Run again.'),
  BRANCH_TAKEN: ending(
    'The branch contains commits that Photon did not make.',
    'Rename or delete that branch, or set delivery.branchPrefix.',
  ),
  BRANCH_MOVED: ending(
    'The branch of this task changed during the run: another run published, or someone pushed to it.',
    'Look at the pull request of the other change. To replace it, give the task again.',
  ),
  FORCE_PUSH_FORBIDDEN: ending(
    'GitHub rejected a force push to the branch, and the commit could not be added on top of it either.',
    'Delete the branch or undo its pull request, then run again. Or exempt the branches of Photon from the rule.',
  ),
  BRANCH_RULES: ending(
    'A rule of the repository refuses the branch or the commit.',
    'Allow it there for the owner of the token, exempt the branches of Photon from the rule, or set delivery.branchPrefix to names that it does not match.',
  ),
  WORKFLOWS_FORBIDDEN: ending(
    'The patch changes a workflow file (.github/workflows), which the token is not allowed to do. GITHUB_TOKEN never is.',
    'Give github-token a token with the permission workflows: write, or make this change by hand.',
  ),
  BASE_MOVED: ending(
    'The base branch no longer contains the commit that the run started from.',
    'Run again on the new state.',
  ),
  BASE_MISSING: ending(
    'GitHub has no branch with the name of the base that the result is for.',
    'Check the name in the input base, or push the branch. If it was deleted, restore it. Then run again.',
  ),
  BASE_TEMPORARY: ending(
    'The run was started on a branch that GitHub makes for a moment, so nothing can be delivered onto it.',
    'Start the task on another event, or set the input base to the branch that the result is for.',
  ),
  BASE_CONFLICT: ending(
    'The base branch and the patch or pull request changed the same lines.',
    'Run again on the new state, or merge the base branch by hand.',
  ),
  HEAD_MOVED: ending(
    'New commits were pushed to the pull request after the command.',
    'Look at the new commits, then give the command again.',
  ),
  HEAD_UNKNOWN: ending(
    'GitHub does not say whether commits were pushed to the fork after the command.',
    'Give the command in a review of the pull request. A review names the commit that it is about.',
  ),
  MODEL_NOT_ALLOWED: ending(
    'The command names a model that nobody may choose.',
    'Give the command without --model, or name a model that model.choices in .photon/config.json lists.',
  ),
  FORK_PULL_REQUEST: ending(
    'The pull request comes from a fork. Photon never writes to forks.',
    'Use a branch of this repository.',
  ),
  PULL_REQUEST_CLOSED: ending(
    'The pull request is closed.',
    'Reopen it, or give the command on an issue.',
  ),
  CHECKOUT_MISMATCH: ending(
    'The checked-out commit is not the one that the task is about.',
    'Set the ref of actions/checkout as docs/triggers.md shows.',
  ),
  SANDBOX_UNAVAILABLE: ending(
    'This machine has no sandbox, its probe failed, or it lacks a guarantee that the settings require.',
    'Run `photon doctor` on this machine, and do what it says.',
  ),
  PLATFORM_UNSUPPORTED: ending(
    'Photon does not run on this system.',
    'Run it on Linux or macOS. On Windows, use WSL.',
  ),
  DISK: ending(
    'The disk is full, or the run folder is not writable.',
    'Make room there, or choose a folder that Photon can write to.',
  ),
  SYSTEM_LIMIT: ending(
    'The system gives Photon no more open files, processes or memory.',
    'Raise the limit that the message names, and run again.',
  ),
  CHECKOUT_MISSING: ending(
    'The folder is in no git repository, or has no commit yet.',
    'In a job, run actions/checkout first. At a terminal, use --repo, or git init and commit.',
  ),
  GIT: ending(
    'Git could not read the checkout.',
    'Run actions/checkout before Photon. The folder must be a git repository.',
  ),
  EXECUTION_INVALID: ending(
    'The trace of the run violates the constitution. Nothing was written.',
    'Please report it with the ledger. photon audit names the entry.',
  ),
  REPLAY_ENDED: ending(
    'The recording contains no more replies.',
    'The replay continued past the end of the recorded run. photon replay names the first difference.',
  ),
  RECORDS_APPLIED: ending(
    'The memory changes of the pull request were applied.',
    'Run photon memory list to see the records.',
  ),
  RECORDS_DROPPED: ending(
    'The pull request was closed without being merged, so its memory changes were dropped.',
    'Give the task again if you want them.',
  ),
  RECORDS_NONE: ending(
    'No memory changes are waiting for this pull request.',
    'They were already applied, replaced by a later run, or expired.',
  ),
  RECORDS_CHANGED: ending(
    'The pending memory changes no longer match this pull request. Nothing was applied.',
    'Give the task again. Its pull request then shows the pending changes.',
  ),
  INTERNAL: ending('Internal error.', 'Please report it with the run id and the outcome file.'),

  // Replies in instruction tags (docs/dev/xml-protocol.md).
  LIBRARIAN_PROTOCOL_INVALID: protocol(
    'The tags of the reply are not nested correctly.',
    'Close every tag that you open, innermost first.',
  ),
  LIBRARIAN_PARSE_FAILED: protocol('A required child is missing.', 'Add it.'),
  XML_TOO_LARGE: protocol('The reply is too large.', 'Send less in one reply.'),
  XML_TOO_DEEP: protocol(
    'The tags are nested too deeply.',
    'Nest no deeper than the tool requires.',
  ),
  XML_TOO_MANY: protocol(
    'The reply contains too many instructions or tags.',
    'Send fewer in one reply.',
  ),
  XML_CUT: protocol(
    'The reply ends in the middle of this instruction.',
    'Send the whole instruction with its closing tag, and write less: the reply may have reached its limit of tokens.',
  ),
  XML_ATTRIBUTE: protocol('A tag has attributes.', 'Write values as children, not as attributes.'),
  XML_ENTITY: protocol(
    'An & does not begin one of the references &amp; &lt; &gt; &quot; &apos; and &#number;.',
    'Put text that contains an ampersand inside <![CDATA[ and ]]>.',
  ),
  XML_DOCTYPE: protocol(
    'The reply declares a document type or an entity.',
    'Remove the declaration.',
  ),
  XML_PROCESSING_INSTRUCTION: protocol(
    'The reply contains an XML declaration or a processing instruction.',
    'Remove it. If it is text of a file, put it inside <![CDATA[ and ]]>.',
  ),
  XML_COMMENT: protocol(
    'The reply contains an XML comment.',
    'Remove it. If it is text of a file, put it inside <![CDATA[ and ]]>.',
  ),
  XML_CDATA: protocol(
    'CDATA appears where no text is allowed.',
    'Use CDATA only inside a child that contains text.',
  ),
  XML_NAMESPACE: protocol('A tag has a prefix.', 'Write the name without the prefix.'),
  XML_UNKNOWN_TAG: protocol(
    'There is no instruction with this name.',
    'Use a tag from the list. In the reasoning, write other tags `in backticks`.',
  ),
  XML_MARKUP_IN_TEXT: protocol(
    'A child that contains only text has a < or ]]> in it.',
    'Put the text inside <![CDATA[ and ]]>. Write ]]> itself as ]]]]><![CDATA[>.',
  ),
  XML_CHARACTER: protocol(
    'The reply contains a character that XML does not allow.',
    'Remove control characters and unpaired surrogates.',
  ),
  XML_UNKNOWN_CHILD: protocol(
    'The instruction has no such child.',
    'Use only the children in the list.',
  ),
  XML_DUPLICATE_CHILD: protocol('This child may appear only once.', 'Keep one of them.'),
  XML_STRAY_TEXT: protocol(
    'There is text between the children of an instruction.',
    'Put the reasoning before the instruction.',
  ),

  // Inputs.
  SETTING_INVALID: input(
    'An action input or option is invalid.',
    'Correct it as the message says.',
  ),
  CONFIG_INVALID: input(
    '.photon/config.json is invalid.',
    'Correct it as the message says, then check it with photon validate.',
  ),
  REPLAY_COMMANDS: input(
    "The recording would run commands that are not the repository's own.",
    'Read them. If they may run in the sandbox, add --allow-commands.',
  ),
  CONFIG_MISSING: input(
    'The configuration file that config names does not exist where settings are read from.',
    'Correct the path, which is relative to the top of the repository, and commit the file.',
  ),
  CONFIG_FROM_JOB: input(
    'A job asked for settings of the work tree. It reads them from the trusted branch only.',
    'Remove config-from, and commit the settings. Only a person at a terminal can use --config-from work-tree.',
  ),
  CONFIG_WEAKENS: input(
    "The repository's configuration loosens the sandbox or a limit that it may only tighten.",
    'Remove it from there. Set it as an input of the workflow, as an option, or in your own configuration (docs/settings.md).',
  ),
  FILE_UNREADABLE: input(
    'A named file cannot be read.',
    'Name a regular file of at most 256 MB that you have permission to read. Folders, pipes and devices are not read.',
  ),
  CONSTITUTION_INVALID: input(
    'The constitution is invalid.',
    'Correct the line that the message names, then check it with photon validate.',
  ),
  CONSTITUTION_VERSION: input(
    'This Photon does not support the version of the constitution.',
    'Use version 2.x, or another version of Photon.',
  ),
  CONSTITUTION_LOOSENED: input(
    'A constitution of the repository loosens the one above it.',
    'A constitution may only tighten the one above it. Correct the line that the message names.',
  ),
  PROMPT_INVALID: input('The prompt file is invalid.', 'Correct it as the message says.'),
  SKILL_INVALID: input('A SKILL.md is invalid.', 'Correct the key that the message names.'),
  API_KEY_MISSING: input(
    'There is no key for the model.',
    'In a job, set api-key from a secret. At a terminal, set the variable PHOTON_API_KEY.',
  ),
  KEY_ADDRESS: input(
    'The key of the model would go to the address of another vendor, or nothing tells where it belongs.',
    'Set base-url to the address of the vendor of the key, or give the key of the vendor of the model (docs/models.md).',
  ),
  MODEL_MISSING: input(
    'No model is set.',
    'In a job, set model to a name that the endpoint knows. At a terminal, give --model or set the variable PHOTON_MODEL.',
  ),
  PRICE_UNKNOWN: input(
    'max-cost is set, but the model has no price.',
    'Add its price to model.prices in .photon/config.json. Photon has a list for well-known models only.',
  ),
  WORKFLOW_INVALID: input(
    'A workflow file is invalid.',
    'Correct the line that the message names, then check it with photon workflow validate.',
  ),
  WORKFLOW_MISSING: input(
    'There is no workflow with this name.',
    'Create .photon/workflows/<name>.yml, or use one of the names that the message lists.',
  ),
  WORKFLOW_STATE_INVALID: input(
    'The state of the workflow cannot be read.',
    'Move the file that the message names. The workflow then starts again, and the commits on its branch stay.',
  ),
  WORKFLOW_OUTPUT_MISSING: input(
    'A task ended without one of its required outputs.',
    'Name the file in the prompt of the task, or correct the path. Then run the workflow again.',
  ),
  WORKFLOW_BRANCH: input(
    'The branch of the workflow cannot be used.',
    'Rename or delete the branch, or switch to another one, as the message says.',
  ),
  WORKFLOW_BUSY: input(
    'Another process is running this workflow.',
    'Wait for it to finish. If no process is running, remove the lock file that the message names. On GitHub, give the job a concurrency group.',
  ),
  SARIF_INVALID: input(
    'The SARIF file of a scanner cannot be used.',
    'Give sarif a SARIF 2.1.0 file in the workspace, of this commit. If sarif-command is set, it must write the same file.',
  ),
  TASK_MISSING: input('There is no task.', 'Set task, or use a trigger that has one.'),
  RECORD_INVALID: input(
    'The file is not a valid recording of replies.',
    'Give the replies.jsonl of a run with record: true.',
  ),
  SESSION_INVALID: input(
    'The file is not a valid session.',
    'Give the path of a session.db written by Photon.',
  ),
  BACKUP_CHANGED: input(
    'A file changed after photon run --apply wrote it.',
    'Undo your own changes to the files that the message names, or commit them and revert by hand. photon undo changes all files of a run or none.',
  ),
  BACKUP_INVALID: input(
    'A backup of photon run --apply is not valid, or is part of the repository.',
    'Remove what the message names. Photon believes only what it wrote on this machine.',
  ),
  RUN_UNKNOWN: input(
    'The checkout keeps no such run.',
    'Run photon runs for a list. Name a run by its id, or as last.',
  ),
  PATCH_MISSING: input(
    'The run ended without a patch that can be applied.',
    'Run photon show RUN to see how the run ended.',
  ),
  EVIDENCE_MISSING: input(
    'The files of the run cannot be found.',
    'Give the path of its outcome.json, or, to photon verify, a folder that holds runs with --run.',
  ),
  EVIDENCE_INVALID: input(
    'The outcome of the run cannot be read.',
    'Give an outcome.json that Photon wrote.',
  ),
  ARTIFACT_EXPIRED: input(
    'GitHub has deleted the artifact of the run.',
    'If you have its files elsewhere, give their folder to photon verify --run. Otherwise they cannot be checked any more.',
  ),
  ARTIFACT_INVALID: input(
    'The artifact of the run cannot be read.',
    'Download it yourself and look at it, then give its folder to photon verify --run.',
  ),
  LEDGER_MISSING: input('The ledger file cannot be read.', 'Give the path of a ledger.jsonl.'),
  DEMO_UNFINISHED: input(
    'The demonstration ended without a pull request.',
    'Look at what the log says last. photon doctor shows what this machine lacks.',
  ),
  USAGE: input(
    'The command line is invalid.',
    'Run photon --help for a list of commands and options.',
  ),

  // MCP servers (docs/mcp.md).
  MCP_UNAVAILABLE: mcp(
    'The MCP server could not be started.',
    'Work without its tools. A maintainer can check the command with photon mcp digest NAME.',
  ),
  MCP_TOOLS_CHANGED: mcp(
    'The tools of the MCP server are not those that the configuration names by their digest, or they changed during the run.',
    'Work without its tools. A maintainer compares the list of photon mcp digest NAME and updates toolsDigest.',
  ),
  MCP_TIMEOUT: mcp(
    'The MCP server did not answer in time.',
    'Work without its tools. A maintainer can raise timeoutSeconds of the server.',
  ),
  MCP_FLOOD: mcp(
    'The MCP server printed more than its limit.',
    'Work without its tools. A maintainer can raise maxOutputBytes of the server.',
  ),
  MCP_MESSAGE_INVALID: mcp(
    'The MCP server sent something that is no valid message of the protocol.',
    'Work without its tools. A maintainer must repair the server: only messages go to its standard output.',
  ),
  MCP_RESULT_INVALID: mcp(
    'A result of the MCP server does not match the protocol or the output schema of the tool.',
    'Work without its tools. A maintainer must repair or replace the server.',
  ),
  MCP_SCHEMA_TIMEOUT: mcp(
    'A schema of the MCP server makes it take too long, or too much memory, to judge a value by it.',
    'Work without its tools. A maintainer must simplify the patterns and the lists of the schema, or replace the server.',
  ),
  MCP_REQUEST_REFUSED: mcp(
    'The MCP server asked for something that Photon never gives: a reply of the model, an answer of a person, or folders.',
    'Nothing: the server was told that the request is not served.',
  ),
  MCP_SERVER_ENDED: mcp(
    'The MCP server ended during the run.',
    'Work without its tools. A maintainer can look for the cause with photon mcp digest NAME.',
  ),

  // Long-term records (docs/memory.md).
  RECORD_STALE: record(
    'The record was changed after the version that this change names.',
    'Search for the record again, then change its current version.',
  ),
  RECORD_WORKSPACE: record(
    'The record would belong to another repository.',
    'Leave workspace out. A run writes records of its own repository only.',
  ),
  RECORD_UNKNOWN: record(
    'There is no record with that id.',
    'Search for it. It may have been forgotten.',
  ),
  RECORD_KIND: record(
    'Only the engine writes records of that kind.',
    'Flag a problem on it with record_issue, or add a note.',
  ),
  RECORD_SECRET: record(
    'The text of the record contains a secret, or something that looks like one.',
    'Leave the secret out, and say where it is stored instead.',
  ),
  RECORD_TOO_LARGE: record(
    'The text of the record is too long.',
    'Keep only the part that matters.',
  ),
  RECORD_LIMIT: record(
    'The run has reached its limit for record changes.',
    'Keep what matters most. docs/memory.md lists the limits.',
  ),
  MEMORY_CONFLICT: record(
    'Other runs kept writing the records at the same time.',
    'Run again. No change of the other runs was lost.',
  ),
  MEMORY_UNAVAILABLE: record(
    'The records could not be read or written. The run continued without them.',
    'Give github-token contents: write, or set memory: off.',
  ),
  MEMORY_MISSING: record(
    'There are no records here yet.',
    'Set memory.mode in .photon/config.json and let a run commit, or name the repository.',
  ),

  // Findings of photon audit.
  LEDGER_UNREADABLE: audit(
    'An entry is not in the format that this Photon writes.',
    'Compare the file with a copy. Do not trust this entry or anything after it.',
  ),
  LEDGER_VERSION: audit(
    'The ledger was written by an earlier version of Photon, in another format.',
    'Audit it with the version of Photon that wrote it.',
  ),
  LEDGER_SEAL: audit(
    'An entry was edited, removed, inserted or moved.',
    'Do not trust the entry or anything after it.',
  ),
  LEDGER_TRUNCATED: audit(
    'The ledger is incomplete: its end is missing.',
    'The run was killed, or the end was cut off. Compare it with the head in the pull request.',
  ),
  LEDGER_PHASE: audit(
    'An entry is in a phase that no valid transition leads to.',
    'Treat the execution as invalid.',
  ),
  LEDGER_DECISION: audit(
    'The rules, applied to the ledger again, decide differently from an entry.',
    'Treat the execution as invalid.',
  ),
  LEDGER_TIME: audit(
    'The times of the ledger run backwards.',
    'Do not trust this entry or anything after it.',
  ),
  LEDGER_STATED: audit(
    'An entry states something that other entries contradict, or that is not its to state.',
    'Do not trust the outcome of this run.',
  ),
  LEDGER_OUTCOME: audit(
    'Outcome or statement say something that the ledger does not back.',
    'Trust the ledger, and none of the fields that are named.',
  ),
  LEDGER_POLICY: audit(
    'The run followed a looser policy than the constitution that Photon ships.',
    'Treat the execution as invalid.',
  ),
} as const satisfies Record<string, CodeEntry>;

/** One of the stable codes. */
export type Code = keyof typeof codes;

/** An error with a stable code. The entry point shows its message and its hint. */
export class PhotonError extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(
    code: Code,
    message?: string,
    options: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(
      message ?? codes[code].meaning,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'PhotonError';
    this.code = code;
    // a disk has many reasons, and each has its own cure
    const isSystem = code === 'DISK' || code === 'SYSTEM_LIMIT';
    const system = isSystem ? describeSystemError(options.cause) : undefined;
    this.hint = options.hint ?? system?.hint ?? codes[code].hint;
  }
}

/** An error of the system as one of Photon; every other error as it is. */
export function withSystemCode(error: unknown): unknown {
  const system = error instanceof PhotonError ? undefined : describeSystemError(error);
  if (system === undefined) return error;
  const { code, reason, hint } = system;
  const { message } = error as Error;
  return new PhotonError(code, `The system refuses: ${reason}. ${message}`, { hint, cause: error });
}
