import{PhotonError as e}from"../codes.js";import{findTop as t}from"../workspace/git/checkout-state.js";import{examineProject as n,renderDetection as r}from"./project.js";import{plural as i}from"../plural.js";import{fencedText as a,inlineText as o}from"../report/escape.js";import{folded as s,joinParts as c}from"../report/sections.js";import{writeAbsentFile as l}from"../workspace/files/run-folder.js";import{parseArguments as u,repoOf as d,takeNone as f}from"./arguments.js";import{checkoutOf as p}from"./checkout.js";import{loadPolicy as m,loadSettings as h}from"../agent/context/policy.js";import{findDefaultBranch as g,openRemoteFiles as _}from"../github/api/remote-files.js";import{examineRepository as v}from"../github/context/examine-repository.js";import{commitTree as ee,findOpenPullRequest as te,isOwnHead as ne,makeTree as y,publishCommit as b}from"../github/publish/publish.js";import{splitRepository as x,withCodes as S}from"../github/api/client.js";import{readRef as C}from"../github/api/swap-refs.js";import{languageOf as w}from"../navigation/languages.js";import{pathMatcher as re}from"../path-patterns.js";import{detectAll as ie,projectFilesOf as T}from"../testing/commands/detect.js";import{openShipped as E}from"../workspace/trusted/shipped.js";import{openFolderFiles as D}from"../workspace/trusted/trusted-files.js";import{openRepository as O,repositoryName as ae}from"./terminal-github.js";const k={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},A=[[`contents: write`,`pushes a branch for a verified patch`],[`issues: write`,`answers in issues and keeps the dashboard`],[`pull-requests: write`,`opens pull requests and answers in them`]],j=e=>`\${{ ${e} }}`;function M(e){return[{path:`.github/workflows/photon.yml`,text:N(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:P(e),about:`how to run the tests, and what to deliver`},{path:`constitution.md`,text:I,about:`rules of this repository`}]}function N({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,a=t===``?``:`          model: ${t}\n          api-key: ${j(`secrets.PHOTON_API_KEY`)}\n`,o=r===``?``:`          network: setup # only for the set-up command, never for the tests
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
      group: photon-${j(`github.event.issue.number || github.event.pull_request.number || github.run_id`)}
      queue: max
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
${A.map(([e,t])=>`      ${e} # ${t}\n`).join(``)}    env:
      PHOTON_DISABLED: ${j(`vars.PHOTON_DISABLED`)}
    steps:
      - uses: ${k.checkout}
        with:
          persist-credentials: false
          ref: ${j(`github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''`)}
      - uses: photon/agent-action@${e}
        with:
          task: ${j(`inputs.task`)}
${a}${o}      - uses: ${k.upload}
        if: always()
        with:
          name: photon-${j(`github.run_id`)}-${j(`github.run_attempt`)}
          path: ${j(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function P({setup:e,test:t,schedule:n}){return`${JSON.stringify({$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},verify:t===``&&e===``?void 0:{command:t||void 0,setup:e||void 0},delivery:{labels:[`photon`]},maintenance:n?[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]:void 0},null,2)}\n`}const F=[`**/migrations/**`],I=`---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
${F.map(e=>`  - "${e}"\n`).join(``)}---

# Constitution

Describe what every agent must know before it changes this repository: how the code is organised,
which conventions apply, and what must never be changed and why.

## Reading Convention

If this file has a table "Workflow Artifacts", it lists the artifacts of earlier tasks.
Read only those that the current task needs, and only the ranges that matter: find them with
list_project_files and grep, then read them with read_code_block.
`,L=`Add Photon`;function R(e){return c([`This pull request adds [Photon](https://github.com/photon/agent-action) to the repository. Nothing runs before it is merged. To decline, close it: it is not opened again, unless you change the title of the closed pull request.`,`## What was found\n\n${B(e).join(`
`)}`,s(`${i(e.protectedPaths.length,`protected pattern`)}`,a(e.protectedPaths.join(`
`),{maxChars:6e3})),`## What it adds\n\n${V(e).join(`
`)}`,`## What Photon would do\n\n${H.map(e=>`- ${e}`).join(`
`)}`,`## What it never does\n\n${U.map(e=>`- ${e}`).join(`
`)}`,`## Permissions of the workflow\n\n${A.map(([e,t])=>`- \`${e}\`: ${t}`).join(`
`)}`,`## Before you merge\n\n${W(e).map((e,t)=>`${t+1}. ${e}`).join(`
`)}`,`<!-- photon:onboarding -->`])}function z(e){let t=e.length>10?` and ${e.length-10} more`:``;return`${e.slice(0,10).map(e=>o(e,120)).join(`, `)}${t}`}function B(e){let{languages:t,test:n,setup:r,instructions:a,protectedFiles:s}=e;return[`- Languages: ${t.slice(0,5).map(e=>`${e.name} (${i(e.files,`file`)})`).join(`, `)||`none that Photon has an index for`}`,n===null?"- Test command: none found. Set `verify.command` in `.photon/config.json`.":`- Test command: ${o(n.command)}, from ${o(n.because)}`,`- Set-up: ${r===``?`none`:o(r)}`,`- Rules and instructions: ${a.length===0?`none`:z(a)}`,`- Protected: ${i(s,`file`)} that no patch may touch, such as workflows and configuration`]}function V({added:e,kept:t}){return[...e.map(({path:e,about:t})=>`- \`${e}\`: ${t}`),...t.map(e=>`- \`${e}\` exists already and is not changed`)]}const H=["Work on a task that somebody with write access gives it: `/photon fix …` in an issue or a pull request, the label `photon`, or a start of the workflow by hand.",`Run the tests before and after its change, without network, and open a pull request only with a patch that passed.`,`Otherwise say in one comment why it stopped.`],U=[`Push to the default branch, merge, approve, or release.`,`Change a protected path, or weaken its own rules: they are read from the default branch.`,`Give a key to a command, or obey text in issues of people without write access.`];function W({model:e,pulls:t,test:n}){return[n===null?"Set `verify.command` in `.photon/config.json`, because no test command was found.":void 0,e===``?void 0:"Store the model key as the repository secret `PHOTON_API_KEY`.",G(t)].filter(e=>e!==void 0)}function G({mayOpenPulls:e,page:t}){let n=`"Allow GitHub Actions to create and approve pull requests" (${t}, Workflow permissions)`;return e===null?`Check that ${n} is on. It is unknown here: only a token with the permission Administration can read it.`:e?`${n} is on: nothing to do.`:`Turn on ${n}.`}const K=`photon/onboarding`,q=`onboarding`;async function J(e,t){let{repository:n,baseRef:r,baseCommit:i,title:a,body:o,now:s}=t,c=x(n);return S(e,async()=>{let l=await te(e,n,K),u=l===null?await se(e,t):null;if(u!==null)return Y(`closed`,u);let{data:d}=await e.rest.git.getCommit({...c,commit_sha:i}),f=t.files.map(({path:e,text:t})=>({path:e,mode:`100644`,type:`blob`,content:t})),p=await y(e,c,{baseTree:d.tree.sha,entries:f}),m=await C(e,n,`refs/heads/${K}`);if(l!==null&&m!==null){if(!await ne(e,n,{sha:m,taskId:q}))return Y(`edited`,l);let{data:r}=await e.rest.git.getCommit({...c,commit_sha:m});if(r.tree.sha===p&&r.parents[0]?.sha===i)return ce(e,t,l)}let h=`${a}\n\nPhoton-Task: ${q}\nPhoton-Tree: ${p}\n`,{delivered:g,notes:_}=await b(e,{repository:n,branch:K,taskId:q,baseRef:r,now:s,draft:!1,dispatchWorkflow:``,renderText:()=>({title:a,body:o}),extras:oe},()=>ee(e,c,{tree:p,parents:[i],message:h})),{operation:v,pullRequestNumber:x=0,pullRequestUrl:S=``}=g;return{state:v===`created`?`created`:`updated`,number:x,url:S,notes:_}})}const oe={labels:[],reviewers:[],teamReviewers:[],assignees:[],milestone:``,autoMerge:`off`,held:!0};function Y(e,t){return{state:e,number:t.number,url:t.html_url,notes:[]}}async function se(e,{repository:t,title:n}){let r=x(t),i=`${r.owner}:${K}`,{data:a}=await e.rest.pulls.list({...r,state:`closed`,head:i,per_page:50});return a.find(e=>e.merged_at===null&&e.title===n)??null}async function ce(e,{repository:t,body:n},r){if(r.body===n)return Y(`unchanged`,r);let i=x(t);return await e.rest.pulls.update({...i,pull_number:r.number,body:n}),Y(`updated`,r)}async function le(e,t){let n=await D(e).read(`.git/config`),r=n===null?``:new TextDecoder().decode(n.subarray(0,1e5)),i=/^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(r)?.[1]??``,a=/^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/m.exec(i)?.[1]??``,{hostname:o}=new URL(t.GITHUB_SERVER_URL||`https://github.com`),s=/^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(a);return s?.[1]===o?s[2]??null:null}async function X(t,n){let r=`${n.env.GITHUB_SERVER_URL||`https://github.com`}/${t??`OWNER/NAME`}/settings/actions`;if(t===null||!n.env.GITHUB_TOKEN)return{mayOpenPulls:null,page:r};try{let{github:e}=await O(t,n),{mayOpenPulls:i}=await v(e,t);return{mayOpenPulls:i,page:r}}catch(i){if(!(i instanceof e))throw i;return n.tell(`${t} could not be read: ${i.message}\n`),{mayOpenPulls:null,page:r}}}function Z(e,{chosen:t}){return{...e,test:t?.command??``,setup:t?.setup??``}}async function ue(t,n,r){let{github:i}=await O(t,r),a=await g(i,t);if(a===null)throw new e(`GITHUB_REQUEST`,`${t} cannot be read with this token.`);let o=await _(i,t,a),s=await de(o,n,{root:r.root,pulls:await X(t,r)}),c=R(s);return{found:s,body:c,open:()=>J(i,{repository:t,baseRef:a,baseCommit:o.commit,files:s.added,title:L,body:c,now:r.now()})}}async function de(e,t,{root:n,pulls:r}){let i=E(n),a=await h({config:``,"agent-profile":``},e),{constitution:o,instructions:s}=await m({settings:a,trusted:e,shipped:i}),c=await T(e),{paths:l}=c,u=await ie(c),d=M(Z(t,u)),f=l.includes(`constitution.md`),p=o.protectedPaths,g=f?p:[...p,...F],_=re(g),{chosen:v}=u;return{languages:fe(l),test:v===null?null:{command:v.command,because:v.because},setup:v?.setup??``,instructions:[f?`constitution.md`:void 0,...s?.files.map(e=>e.path)??[]].filter(e=>e!==void 0),protectedPaths:g,protectedFiles:l.filter(e=>_(e)!==null).length,added:d.filter(({path:e})=>!l.includes(e)),kept:d.map(({path:e})=>e).filter(e=>l.includes(e)),pulls:r,model:t.model}}function fe(e){let t=e.flatMap(e=>w(e)?.grammar??[]);return[...Map.groupBy(t,e=>e)].map(([e,t])=>({name:e,files:t.length})).sort((e,t)=>t.files-e.files||(e.name<t.name?-1:1))}const pe=async(i,a)=>{let{values:o,positionals:s}=u(i,[`repo`,`on`,`model`,`ref`],[`schedule`,`dry-run`,`open-pull-request`]);f(s,`Name the folder of the repository with --repo.`);let c=d(o),l={ref:$(`ref`,String(o.ref??`v2`)),model:$(`model`,String(o.model??``)),schedule:o.schedule===!0},m=o.on===void 0?await le(c,a.env):ae(o.on),h=o[`dry-run`]===!0;if(o[`open-pull-request`]===!0)return me({repository:m,options:l,isDry:h},a);await p(o,a);let g=await n(c);if(g===null)throw new e(`USAGE`,`${c} is not the top folder of its repository.`,{hint:`Use photon init --repo ${t(c)}.`});let _=M(Z(l,g));h?Q(_,a):a.print(_e(c,_)),a.tell(r(g)),a.tell(ge());let v=await X(m,a);return a.tell(ve({pulls:v,model:l.model,test:g.chosen})),0};async function me({repository:t,options:n,isDry:r},i){if(t===null)throw new e(`USAGE`,`The repository on GitHub is unknown.`,{hint:`Name it: photon init --open-pull-request --on OWNER/NAME.`});if(!i.env.GITHUB_TOKEN)throw new e(`GITHUB_AUTH`,`GITHUB_TOKEN is not set.`,{hint:`Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.`});let{found:a,body:o,open:s}=await ue(t,n,i);if(a.added.length===0)return i.print(`${t} has all files of Photon already.\n`),0;if(r)return Q(a.added,i),i.print(`# Pull request: ${L}\n${o}`),0;let{state:c,number:l,url:u,notes:d}=await s();i.print(`${he[c]} #${l}: ${u}\n`);for(let e of d)i.tell(`${e}\n`);return 0}const he={created:`Opened pull request`,updated:`Updated pull request`,unchanged:`Nothing has changed in pull request`,closed:`Somebody closed the pull request, so it is not opened again. To get a new one, change the title of`,edited:`The branch has commits of others, so nothing was changed in pull request`};function Q(e,t){for(let{path:n,text:r}of e)t.print(`# ${n}\n${r}\n`)}function ge(){return`Permissions of the workflow:\n${A.map(([e,t])=>`  ${e.padEnd(21)} ${t}\n`).join(``)}`}function $(t,n){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(n))throw new e(`USAGE`,`--${t}: use letters, digits and . _ : / - only.`);return n}function _e(e,t){return t.map(({path:t,text:n,about:r})=>{let i=l(e,t,n);return`${i?`wrote`:`kept `} ${t.padEnd(30)} ${i?r:`already exists`}\n`}).join(``)}function ve(e){return`Next:\n${[...W(e).map(e=>e.replaceAll("`",``)),`Run photon validate, then commit the three files to the default branch.`,`Comment /photon fix <task> on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}export{pe as init};