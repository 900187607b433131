import{PhotonError as e}from"../../npm/zod/v4/classic/schemas.js";import{findTop as t}from"../../workspace/git/checkout-state.js";import{plural as n}from"../../base/plural.js";import{fencedText as r,inlineText as i}from"../../report/escape.js";import{folded as a,joinParts as o}from"../../report/pull-request/sections.js";import{examineRepository as s,renderDetection as c}from"../../report/terminal/detection-text.js";import{writeAbsentFile as l}from"../../workspace/files/run-folder.js";import{examineProject as u,resolveCheckout as d}from"../checkout.js";import{command as f,flag as p,repoOption as m,resolveRepo as h,value as g}from"../command.js";import{openRepository as _,repositoryName as v}from"../terminal-github.js";import{loadPolicy as y,loadSettings as b}from"../../agent/context/policy.js";import{pathMatcher as x}from"../../settings/settings.js";import{detectAll as S}from"../../ecosystems/commands/detect.js";import{loadProjectFiles as ee}from"../../ecosystems/index.js";import{findDefaultBranch as te,openRemoteFiles as C}from"../../hosts/github/api/remote-files.js";import{commitTree as ne,findOpenPullRequest as w,isOwnHead as re,makeTree as T,publishCommit as E}from"../../hosts/github/delivery/publish.js";import{splitRepository as D,withCodes as O}from"../../hosts/github/api/client.js";import{readRef as k}from"../../hosts/github/api/swap-refs.js";import{detectLanguage as ie}from"../../tools/index.js";import{openShipped as ae}from"../../workspace/trusted/shipped.js";import{openFolderFiles as oe}from"../../workspace/trusted/trusted-files.js";const A={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},j=[[`contents: write`,`pushes a branch for a verified patch`],[`issues: write`,`answers in issues and keeps the dashboard`],[`pull-requests: write`,`opens pull requests and answers in them`]],M=e=>`\${{ ${e} }}`;function N(e){return[{path:`.github/workflows/photon.yml`,text:P(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:F(e),about:`how to run the tests, and what to deliver`},{path:`constitution.md`,text:L,about:`rules of this repository`}]}function P({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,a=t===``?``:`          model: ${t}\n          api-key: ${M(`secrets.PHOTON_API_KEY`)}\n`,o=r===``?``:`          network: setup # only for the set-up command, never for the tests
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
      group: photon-${M(`github.event.issue.number || github.event.pull_request.number || github.run_id`)}
      queue: max
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
${j.map(([e,t])=>`      ${e} # ${t}\n`).join(``)}    env:
      PHOTON_DISABLED: ${M(`vars.PHOTON_DISABLED`)}
    steps:
      - uses: ${A.checkout}
        with:
          persist-credentials: false
          ref: ${M(`github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''`)}
      - uses: photon/agent-action@${e}
        with:
          task: ${M(`inputs.task`)}
${a}${o}      - uses: ${A.upload}
        if: always()
        with:
          name: photon-${M(`github.run_id`)}-${M(`github.run_attempt`)}
          path: ${M(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function F({setup:e,test:t,schedule:n}){return`${JSON.stringify({$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},verify:t===``&&e===``?void 0:{command:t||void 0,setup:e||void 0},delivery:{labels:[`photon`]},maintenance:n?[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]:void 0},null,2)}\n`}const I=[`**/migrations/**`],L=`---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
${I.map(e=>`  - "${e}"\n`).join(``)}---

# Constitution

Describe what every agent must know before it changes this repository: how the code is organised,
which conventions apply, and what must never be changed and why.

## Reading Convention

If this file has a table "Workflow Artifacts", it lists the artifacts of earlier tasks.
Read only those that the current task needs, and only the ranges that matter: find them with
list_project_files and grep, then read them with read_code_block.
`,R=`Add Photon`;function z(e){return o([`This pull request adds [Photon](https://github.com/photon/agent-action) to the repository. Nothing runs before it is merged. To decline, close it: it is not opened again, unless you change the title of the closed pull request.`,`## What was found\n\n${V(e).join(`
`)}`,a(`${n(e.protectedPaths.length,`protected pattern`)}`,r(e.protectedPaths.join(`
`),{maxChars:6e3})),`## What it adds\n\n${H(e).join(`
`)}`,`## What Photon would do\n\n${U.map(e=>`- ${e}`).join(`
`)}`,`## What it never does\n\n${W.map(e=>`- ${e}`).join(`
`)}`,`## Permissions of the workflow\n\n${j.map(([e,t])=>`- \`${e}\`: ${t}`).join(`
`)}`,`## Before you merge\n\n${G(e).map((e,t)=>`${t+1}. ${e}`).join(`
`)}`,`<!-- photon:onboarding -->`])}function B(e){let t=e.length>10?` and ${e.length-10} more`:``;return`${e.slice(0,10).map(e=>i(e,120)).join(`, `)}${t}`}function V(e){let{languages:t,test:r,setup:a,instructions:o,protectedFiles:s}=e;return[`- Languages: ${t.slice(0,5).map(e=>`${e.name} (${n(e.files,`file`)})`).join(`, `)||`none that Photon has an index for`}`,r===void 0?"- Test command: none found. Set `verify.command` in `.photon/config.json`.":`- Test command: ${i(r.command)}, from ${i(r.because)}`,`- Set-up: ${a===``?`none`:i(a)}`,`- Rules and instructions: ${o.length===0?`none`:B(o)}`,`- Protected: ${n(s,`file`)} that no patch may touch, such as workflows and configuration`]}function H({added:e,kept:t}){return[...e.map(({path:e,about:t})=>`- \`${e}\`: ${t}`),...t.map(e=>`- \`${e}\` exists already and is not changed`)]}const U=["Work on a task that somebody with write access gives it: `/photon fix …` in an issue or a pull request, the label `photon`, or a start of the workflow by hand.",`Run the tests before and after its change, without network, and open a pull request only with a patch that passed.`,`Otherwise say in one comment why it stopped.`],W=[`Push to the default branch, merge, approve, or release.`,`Change a protected path, or weaken its own rules: they are read from the default branch.`,`Give a key to a command, or obey text in issues of people without write access.`];function G({model:e,pulls:t,test:n}){return[n===void 0?"Set `verify.command` in `.photon/config.json`, because no test command was found.":void 0,e===``?void 0:"Store the model key as the repository secret `PHOTON_API_KEY`.",K(t)].filter(e=>e!==void 0)}function K({mayOpenPulls:e,page:t}){let n=`"Allow GitHub Actions to create and approve pull requests" (${t}, Workflow permissions)`;return e===void 0?`Check that ${n} is on. It is unknown here: only a token with the permission Administration can read it.`:e?`${n} is on: nothing to do.`:`Turn on ${n}.`}const q=`photon/onboarding`,J=`onboarding`;async function se(e,t){let{repository:n,baseRef:r,baseCommit:i,title:a,body:o,now:s}=t,c=D(n);return O(e,async()=>{let l=await w(e,n,q),u=l===void 0?await le(e,t):void 0;if(u!==void 0)return Y(`closed`,u);let{data:d}=await e.rest.git.getCommit({...c,commit_sha:i}),f=t.files.map(({path:e,text:t})=>({path:e,mode:`100644`,type:`blob`,content:t})),p=await T(e,c,{baseTree:d.tree.sha,entries:f}),m=await k(e,n,`refs/heads/${q}`);if(l!==void 0&&m!==void 0){if(!await re(e,n,{sha:m,taskId:J}))return Y(`edited`,l);let{data:r}=await e.rest.git.getCommit({...c,commit_sha:m});if(r.tree.sha===p&&r.parents[0]?.sha===i)return ue(e,t,l)}let h=`${a}\n\nPhoton-Task: ${J}\nPhoton-Tree: ${p}\n`,{delivered:g,notes:_}=await E(e,{repository:n,branch:q,taskId:J,baseRef:r,now:s,draft:!1,dispatchWorkflow:``,renderText:()=>({title:a,body:o}),extras:ce},()=>ne(e,c,{tree:p,parents:[i],message:h})),{operation:v,pullRequestNumber:y=0,pullRequestUrl:b=``}=g;return{state:v===`created`?`created`:`updated`,number:y,url:b,notes:_}})}const ce={labels:[],reviewers:[],teamReviewers:[],assignees:[],milestone:``,autoMerge:`off`,held:!0};function Y(e,t){return{state:e,number:t.number,url:t.html_url,notes:[]}}async function le(e,{repository:t,title:n}){let r=D(t),i=`${r.owner}:${q}`,{data:a}=await e.rest.pulls.list({...r,state:`closed`,head:i,per_page:50});return a.find(e=>e.merged_at===null&&e.title===n)}async function ue(e,{repository:t,body:n},r){if(r.body===n)return Y(`unchanged`,r);let i=D(t);return await e.rest.pulls.update({...i,pull_number:r.number,body:n}),Y(`updated`,r)}async function de(e,t){let n=await oe(e).read(`.git/config`),r=n===void 0?``:new TextDecoder().decode(n.subarray(0,1e5)),i=/^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(r)?.[1]??``,a=/^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/m.exec(i)?.[1]??``,{hostname:o}=new URL(t.GITHUB_SERVER_URL||`https://github.com`),s=/^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(a);return s?.[1]===o?s[2]:void 0}async function X(t,n){let r=`${n.env.GITHUB_SERVER_URL||`https://github.com`}/${t??`OWNER/NAME`}/settings/actions`;if(t===void 0||!n.env.GITHUB_TOKEN)return{mayOpenPulls:void 0,page:r};try{let{github:e}=await _(t,n),{mayOpenPulls:i}=await s(e,t);return{mayOpenPulls:i,page:r}}catch(i){if(!(i instanceof e))throw i;return n.tell(`${t} could not be read: ${i.message}\n`),{mayOpenPulls:void 0,page:r}}}function Z(e,{chosen:t}){return{...e,test:t?.command??``,setup:t?.setup??``}}async function fe(t,n,r){let{github:i}=await _(t,r),a=await te(i,t);if(a===void 0)throw new e(`GITHUB_REQUEST`,`${t} cannot be read with this token.`);let o=await C(i,t,a),s=await pe(o,n,{root:r.root,pulls:await X(t,r)}),c=z(s);return{found:s,body:c,open:()=>se(i,{repository:t,baseRef:a,baseCommit:o.commit,files:s.added,title:R,body:c,now:r.now()})}}async function pe(e,t,{root:n,pulls:r}){let i=ae(n),a=await b({config:``,"agent-profile":``},e),{constitution:o,instructions:s}=await y({settings:a,trusted:e,shipped:i}),c=await ee(e),{paths:l}=c,u=await S(c),d=N(Z(t,u)),f=l.includes(`constitution.md`),p=o.protectedPaths,m=f?p:[...p,...I],h=x(m),{chosen:g}=u;return{languages:me(l),test:g===void 0?void 0:{command:g.command,because:g.because},setup:g?.setup??``,instructions:[f?`constitution.md`:void 0,...s?.files.map(e=>e.path)??[]].filter(e=>e!==void 0),protectedPaths:m,protectedFiles:l.filter(e=>h(e)!==void 0).length,added:d.filter(({path:e})=>!l.includes(e)),kept:d.map(({path:e})=>e).filter(e=>l.includes(e)),pulls:r,model:t.model}}function me(e){let t=e.flatMap(e=>ie(e)?.grammar??[]);return[...Map.groupBy(t,e=>e)].map(([e,t])=>({name:e,files:t.length})).sort((e,t)=>t.files-e.files||(e.name<t.name?-1:1))}const he={repo:m,on:g(`<owner/name>`,`Repository on GitHub (default: the remote origin)`),"open-pull-request":p(`Write nothing here: open a pull request on GitHub, or update it. It needs GITHUB_TOKEN, of an App or a person`),model:g(`<name>`,`Model behind an API key (default: the embedded engine, without a key)`),schedule:p(`Add a weekly run with a first maintenance task`),ref:g(`<ref>`,`Version of Photon: tag, branch or, safest, a commit (default: v2)`),"dry-run":p(`Print the files without writing them`)},ge=f({about:`Write a workflow, a configuration and a constitution for a repository.`,options:he,usage:[[`[flags]`,``,_e]],examples:[`photon init --dry-run`,`photon init --model gpt-5 --schedule`,`photon init --open-pull-request --on octo/shop`]});async function _e({values:n},r){let i=h(n),a={ref:$(`ref`,n.ref??`v2`),model:$(`model`,n.model??``),schedule:n.schedule??!1},o=n.on===void 0?await de(i,r.env):v(n.on),s=n[`dry-run`]??!1;if(n[`open-pull-request`])return ve({repository:o,options:a,isDry:s},r);await d(n,r);let l=await u(i);if(l===void 0)throw new e(`USAGE`,`${i} is not the top folder of its repository.`,{hint:`Use photon init --repo ${t(i)}.`});let f=N(Z(a,l));s?Q(f,r):r.print(xe(i,f)),r.tell(c(l)),r.tell(be());let p=await X(o,r);return r.tell(Se({pulls:p,model:a.model,test:l.chosen})),0}async function ve({repository:t,options:n,isDry:r},i){if(t===void 0)throw new e(`USAGE`,`The repository on GitHub is unknown.`,{hint:`Name it: photon init --open-pull-request --on OWNER/NAME.`});if(!i.env.GITHUB_TOKEN)throw new e(`GITHUB_AUTH`,`GITHUB_TOKEN is not set.`,{hint:`Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.`});let{found:a,body:o,open:s}=await fe(t,n,i);if(a.added.length===0)return i.print(`${t} has all files of Photon already.\n`),0;if(r)return Q(a.added,i),i.print(`# Pull request: ${R}\n${o}`),0;let{state:c,number:l,url:u,notes:d}=await s();i.print(`${ye[c]} #${l}: ${u}\n`);for(let e of d)i.tell(`${e}\n`);return 0}const ye={created:`Opened pull request`,updated:`Updated pull request`,unchanged:`Nothing has changed in pull request`,closed:`Somebody closed the pull request, so it is not opened again. To get a new one, change the title of`,edited:`The branch has commits of others, so nothing was changed in pull request`};function Q(e,t){for(let{path:n,text:r}of e)t.print(`# ${n}\n${r}\n`)}function be(){return`Permissions of the workflow:\n${j.map(([e,t])=>`  ${e.padEnd(21)} ${t}\n`).join(``)}`}function $(t,n){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(n))throw new e(`USAGE`,`--${t}: use letters, digits and . _ : / - only.`);return n}function xe(e,t){return t.map(({path:t,text:n,about:r})=>{let i=l(e,t,n);return`${i?`wrote`:`kept `} ${t.padEnd(30)} ${i?r:`already exists`}\n`}).join(``)}function Se(e){return`Next:\n${[...G(e).map(e=>e.replaceAll("`",``)),`Run photon validate, then commit the three files to the default branch.`,`Comment /photon fix <task> on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}export{ge as init};