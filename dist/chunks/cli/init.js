import{PhotonError as e}from"../codes.js";import{examineProject as t,renderDetection as n}from"./project.js";import{writeAbsentFile as r}from"../workspace/files/replace-file.js";import{parseArguments as i,repoOf as a}from"./arguments.js";const o={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},s=e=>`\${{ ${e} }}`;function c(e){return[{path:`.github/workflows/photon.yml`,text:l(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:u(e),about:`how to run the tests, and what to deliver`},{path:`constitution.md`,text:d,about:`rules of this repository`}]}function l({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,a=t===``?``:`          model: ${t}\n          api-key: ${s(`secrets.PHOTON_API_KEY`)}\n`,c=r===``?``:`          network: setup # only for the set-up command, never for the tests
`;return`# Written by photon init. Photon reads its rules from the default branch, never from a pull request.
name: Photon
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
${i}permissions: {}
concurrency:
  group: photon-${s(`github.event.issue.number || github.event.pull_request.number || github.ref`)}
  cancel-in-progress: false
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
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: write
      issues: write
      pull-requests: write
    env:
      PHOTON_DISABLED: ${s(`vars.PHOTON_DISABLED`)}
    steps:
      - uses: ${o.checkout}
        with:
          persist-credentials: false
          ref: ${s(`github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''`)}
      - uses: photon/agent-action@${e}
        with:
          task: ${s(`inputs.task`)}
${a}${c}      - uses: ${o.upload}
        if: always()
        with:
          name: photon-${s(`github.run_id`)}-${s(`github.run_attempt`)}
          path: ${s(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function u({setup:e,test:t,schedule:n}){let r={...t===``?{}:{command:t},...e===``?{}:{setup:e}},i={$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},...Object.keys(r).length===0?{}:{verify:r},delivery:{labels:[`photon`]},...n?{maintenance:[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]}:{}};return`${JSON.stringify(i,null,2)}\n`}const d=`---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
  - "**/migrations/**"
---

# Constitution

Describe what every agent must know before it changes this repository: how the code is organised,
which conventions apply, and what must never be changed and why.

## Reading Convention

If this file has a table "Workflow Artifacts", it lists the artifacts of earlier tasks.
Read only those that the current task needs, and only the ranges that matter: find them with
list_project_files and grep, then read them with read_code_block.
`,f=async(r,o)=>{let{values:s,positionals:l}=i(r,[`repo`,`model`,`ref`],[`schedule`,`dry-run`]);if(l.length>0)throw new e(`USAGE`,`Unexpected argument ${JSON.stringify(l[0])}. Usage: photon init --repo DIR.`);let u=a(s),d=await t(u);if(d===null)throw new e(`USAGE`,`${u} is not a git repository. Give its folder with --repo.`);let f={ref:p(`ref`,String(s.ref??`v2`)),model:p(`model`,String(s.model??``)),schedule:s.schedule===!0,test:d.chosen?.command??``,setup:d.chosen?.setup??``},g=c(f);if(s[`dry-run`]===!0)for(let{path:e,text:t}of g)o.print(`# ${e}\n${t}\n`);else o.print(m(u,g));return o.tell(n(d)),o.tell(h(f)),0};function p(t,n){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(n))throw new e(`USAGE`,`--${t}: use letters, digits and . _ : / - only.`);return n}function m(e,t){return t.map(({path:t,text:n,about:i})=>{let a=r(e,t,n);return`${a?`wrote`:`kept `} ${t.padEnd(30)} ${a?i:`already exists`}\n`}).join(``)}function h({model:e,test:t}){return`Next:\n${[...t===``?[`Photon found no test command: set verify.command in .photon/config.json.`]:[],...e===``?[]:[`Store the model key as the repository secret PHOTON_API_KEY.`],`Under Settings > Actions > General, allow GitHub Actions to create pull requests.`,`Run photon validate, then commit the three files to the default branch.`,`Comment /photon fix <task> on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}export{f as init};