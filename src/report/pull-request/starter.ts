/** Renders the files that `photon init` writes: workflow, configuration, constitution. */
import { predicateType } from '../../audit/statement.ts';

/** What Photon detected in the repository, and what the user chose. */
export interface Starter {
  /** Tag, branch or commit of Photon, after the `@` of `uses`. */
  readonly ref: string;
  /** Name of a model at its endpoint; empty for the embedded engine, which needs no key. */
  readonly model: string;
  /** Shell command that installs what the tests need; empty for none. */
  readonly setup: string;
  /** Shell command of the tests; empty if none was detected. */
  readonly test: string;
  /** How the CI runs the tests, such as `as ci.yml runs it`; absent if no CI is known to. */
  readonly witness?: string | undefined;
  /** How to give the tests the services of their CI; absent if none is known. */
  readonly services?: string | undefined;
  /** True adds the weekly schedule and a first maintenance task. */
  readonly schedule: boolean;
}

/** A file to write, by its path in the repository. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
  /** Its purpose, in one phrase. */
  readonly about: string;
}

/** GitHub's own actions, by commit: a tag can be moved, a commit cannot. */
const pins = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  upload: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  download: 'actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0',
  attest: 'actions/attest@59d89421af93a897026c735860bf21b6eb4f7b26 # v4.1.0',
} as const;

/** What the workflow asks of GitHub, and why. */
export const permissions = [
  ['contents: write', 'pushes a branch for a verified patch'],
  ['issues: write', 'answers in issues and keeps the dashboard'],
  ['pull-requests: write', 'opens pull requests and answers in them'],
] as const;

/** An expression of a workflow, in its marks. */
const expression = (code: string) => `\${{ ${code} }}`;

/** The files of a repository without Photon. */
export function renderStarter(starter: Starter): readonly StarterFile[] {
  return [
    {
      path: '.github/workflows/photon.yml',
      text: renderWorkflow(starter),
      about: 'starts Photon on commands, labels and by hand',
    },
    {
      path: '.photon/config.json',
      text: renderConfig(starter),
      about: 'how to run the tests, and what to deliver',
    },
    { path: 'constitution.md', text: constitution, about: 'rules of this repository' },
  ];
}

const checkoutRef =
  "github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''";

function renderWorkflow(starter: Starter): string {
  const { ref, model, schedule, setup, test, witness, services } = starter;
  const needed =
    services === undefined ? '' : `# Copy the services of that job. ${oneLine(services)}\n`;
  const tests =
    witness === undefined
      ? ''
      : `# Tests, in .photon/config.json: ${oneLine(`${test}, ${witness}`)}\n${needed}`;
  const when = schedule
    ? "  schedule:\n    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json\n"
    : '';
  const key =
    model === '' ? [] : [`model: ${model}`, `api-key: ${expression('secrets.PHOTON_API_KEY')}`];
  const network =
    setup === '' ? [] : ['network: setup # only for the set-up command, never for the tests'];
  const inputs = [`task: ${expression('inputs.task')}`, ...key, ...network];
  return `# Written by photon init. Photon reads its rules from the default branch, never from a pull request.
${tests}name: Photon
on:
  issue_comment:
    types: [created]
  pull_request_review_comment:
    types: [created]
  pull_request_review:
    types: [submitted]
  issues:
    types: [labeled, edited]
  pull_request:
    types: [closed, labeled]
  workflow_dispatch:
    inputs:
      task:
        description: What to do
        required: true
        type: string
${when}permissions: {}
jobs:
  photon:
    # To stop Photon, set the repository variable PHOTON_DISABLED to true.
    if: >-
      vars.PHOTON_DISABLED != 'true' && (
      github.event_name == 'workflow_dispatch' || github.event_name == 'schedule' ||
      contains(github.event.comment.body || github.event.review.body, '/photon') ||
      github.event.action == 'labeled' && github.event.label.name == 'photon' ||
      github.event.action == 'edited' && contains(github.event.issue.labels.*.name, 'photon-dashboard') ||
      github.event.action == 'closed' && contains(github.event.pull_request.body, 'photon:records'))
    # Behind if:, so that other comments do not take the place of a command that waits. Remove queue on GitHub
    # Enterprise Server that does not know it.
    concurrency:
      group: photon-${expression('github.event.issue.number || github.event.pull_request.number || github.run_id')}
      queue: max
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
${permissions.map(([right, why]) => `      ${right} # ${why}\n`).join('')}    env:
      PHOTON_DISABLED: ${expression('vars.PHOTON_DISABLED')}
    outputs:
      status: ${expression('steps.photon.outputs.status')}
    steps:
      - uses: ${pins.checkout}
        with:
          persist-credentials: false
          ref: ${expression(checkoutRef)}
      - uses: photon/agent-action@${ref}
        id: photon
        with:
${inputs.map(input => `          ${input}\n`).join('')}      - uses: ${pins.upload}
        if: always()
        with:
          name: photon-${expression('github.run_id')}-${expression('github.run_attempt')}
          path: ${expression('runner.temp')}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
${signJob}`;
}

/** The second job, which signs what a run proved; it has no checkout, no model and no right to write to the repository. */
const signJob = `  # Signs what the run proved, for photon verify. In private repositories, actions/attest needs GitHub Enterprise
  # Cloud: remove the last condition there.
  sign:
    needs: photon
    if: needs.photon.outputs.status == 'committed' && !github.event.repository.private
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      id-token: write
      attestations: write
    steps:
      - uses: ${pins.download}
        with:
          name: photon-${expression('github.run_id')}-${expression('github.run_attempt')}
          path: evidence
      - name: Take the predicate out of the statement
        run: |
          cd "$(dirname "$(ls evidence/photon-*/statement.json | head -n 1)")"
          cp statement.json patch.diff "$GITHUB_WORKSPACE"
          jq .predicate statement.json > "$GITHUB_WORKSPACE/predicate.json"
      - uses: ${pins.attest}
        with:
          subject-path: patch.diff
          predicate-type: ${predicateType}
          predicate-path: predicate.json
`;

/** The text without line breaks and other controls, which would end a comment. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function renderConfig({ setup, test, schedule }: Starter): string {
  const verify = { command: test || undefined, setup: setup || undefined };
  const config = {
    $schema: 'https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json',
    agent: { skillRoots: ['photon:*'] },
    verify: test === '' && setup === '' ? undefined : verify,
    delivery: { labels: ['photon'] },
    maintenance: schedule
      ? [
          {
            name: 'failing-tests',
            prompt: 'Run the tests. When one fails, find the cause and repair it.',
          },
        ]
      : undefined,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Paths that the constitution of the starter protects, besides those that Photon ships. */
const starterPaths: readonly string[] = ['**/migrations/**'];

const constitution = `---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
${starterPaths.map(path => `  - "${path}"\n`).join('')}---

# Constitution

Describe what every agent must know before it changes this repository: how the code is organised,
which conventions apply, and what must never be changed and why.

## Reading Convention

If this file has a table "Workflow Artifacts", it lists the artifacts of earlier tasks.
Read only those that the current task needs, and only the ranges that matter: find them with
list_project_files and grep, then read them with read_code_block.
`;
