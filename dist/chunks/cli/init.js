import{PhotonError as e,fencedText as t,inlineText as n,openFolderFiles as r,openShipped as i,pathMatcher as a}from"./command-line.js";import{commitTree as o,detectAll as s,findDefaultBranch as c,findOpenPullRequest as l,findTop as u,folded as d,isOwnHead as f,joinParts as p,languageOf as m,loadPolicy as h,loadSettings as g,makeTree as _,openRemoteFiles as v,plural as y,projectFilesOf as b,publishCommit as x,readRef as S,splitRepository as C,withCodes as w,writeAbsentFile as T}from"../action.js";import{examineProject as E,renderDetection as D}from"./project.js";import{parseArguments as O,repoOf as k,takeNone as ee}from"./arguments.js";import{checkoutOf as A}from"./checkout.js";import{examineRepository as j}from"../github/context/examine-repository.js";import{openRepository as M,repositoryName as te}from"./terminal-github.js";const N={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},P=[[`contents: write`,`pushes a branch for a verified patch`],[`issues: write`,`answers in issues and keeps the dashboard`],[`pull-requests: write`,`opens pull requests and answers in them`]],F=e=>`\${{ ${e} }}`;function I(e){return[{path:`.github/workflows/photon.yml`,text:ne(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:re(e),about:`how to run the tests, and what to deliver`},{path:`constitution.md`,text:ie,about:`rules of this repository`}]}function ne({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,a=t===``?``:`          model: ${t}\n          api-key: ${F(`secrets.PHOTON_API_KEY`)}\n`,o=r===``?``:`          network: setup # only for the set-up command, never for the tests
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
      group: photon-${F(`github.event.issue.number || github.event.pull_request.number || github.run_id`)}
      queue: max
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
${P.map(([e,t])=>`      ${e} # ${t}\n`).join(``)}    env:
      PHOTON_DISABLED: ${F(`vars.PHOTON_DISABLED`)}
    steps:
      - uses: ${N.checkout}
        with:
          persist-credentials: false
          ref: ${F(`github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''`)}
      - uses: photon/agent-action@${e}
        with:
          task: ${F(`inputs.task`)}
${a}${o}      - uses: ${N.upload}
        if: always()
        with:
          name: photon-${F(`github.run_id`)}-${F(`github.run_attempt`)}
          path: ${F(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function re({setup:e,test:t,schedule:n}){return`${JSON.stringify({$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},verify:t===``&&e===``?void 0:{command:t||void 0,setup:e||void 0},delivery:{labels:[`photon`]},maintenance:n?[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]:void 0},null,2)}\n`}const L=[`**/migrations/**`],ie=`---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
${L.map(e=>`  - "${e}"\n`).join(``)}---

# Constitution

Describe what every agent must know before it changes this repository: how the code is organised,
which conventions apply, and what must never be changed and why.

## Reading Convention

If this file has a table "Workflow Artifacts", it lists the artifacts of earlier tasks.
Read only those that the current task needs, and only the ranges that matter: find them with
list_project_files and grep, then read them with read_code_block.
`,R=`Add Photon`;function z(e){return p([`This pull request adds [Photon](https://github.com/photon/agent-action) to the repository. Nothing runs before it is merged. To decline, close it: it is not opened again, unless you change the title of the closed pull request.`,`## What was found\n\n${V(e).join(`
`)}`,d(`${y(e.protectedPaths.length,`protected pattern`)}`,t(e.protectedPaths.join(`
`),{maxChars:6e3})),`## What it adds\n\n${H(e).join(`
`)}`,`## What Photon would do\n\n${U.map(e=>`- ${e}`).join(`
`)}`,`## What it never does\n\n${W.map(e=>`- ${e}`).join(`
`)}`,`## Permissions of the workflow\n\n${P.map(([e,t])=>`- \`${e}\`: ${t}`).join(`
`)}`,`## Before you merge\n\n${G(e).map((e,t)=>`${t+1}. ${e}`).join(`
`)}`,`<!-- photon:onboarding -->`])}function B(e){let t=e.length>10?` and ${e.length-10} more`:``;return`${e.slice(0,10).map(e=>n(e,120)).join(`, `)}${t}`}function V(e){let{languages:t,test:r,setup:i,instructions:a,protectedFiles:o}=e;return[`- Languages: ${t.slice(0,5).map(e=>`${e.name} (${y(e.files,`file`)})`).join(`, `)||`none that Photon has an index for`}`,r===null?"- Test command: none found. Set `verify.command` in `.photon/config.json`.":`- Test command: ${n(r.command)}, from ${n(r.because)}`,`- Set-up: ${i===``?`none`:n(i)}`,`- Rules and instructions: ${a.length===0?`none`:B(a)}`,`- Protected: ${y(o,`file`)} that no patch may touch, such as workflows and configuration`]}function H({added:e,kept:t}){return[...e.map(({path:e,about:t})=>`- \`${e}\`: ${t}`),...t.map(e=>`- \`${e}\` exists already and is not changed`)]}const U=["Work on a task that somebody with write access gives it: `/photon fix …` in an issue or a pull request, the label `photon`, or a start of the workflow by hand.",`Run the tests before and after its change, without network, and open a pull request only with a patch that passed.`,`Otherwise say in one comment why it stopped.`],W=[`Push to the default branch, merge, approve, or release.`,`Change a protected path, or weaken its own rules: they are read from the default branch.`,`Give a key to a command, or obey text in issues of people without write access.`];function G({model:e,pulls:t,test:n}){return[n===null?"Set `verify.command` in `.photon/config.json`, because no test command was found.":void 0,e===``?void 0:"Store the model key as the repository secret `PHOTON_API_KEY`.",K(t)].filter(e=>e!==void 0)}function K({mayOpenPulls:e,page:t}){let n=`"Allow GitHub Actions to create and approve pull requests" (${t}, Workflow permissions)`;return e===null?`Check that ${n} is on. It is unknown here: only a token with the permission Administration can read it.`:e?`${n} is on: nothing to do.`:`Turn on ${n}.`}const q=`photon/onboarding`,J=`onboarding`;async function ae(e,t){let{repository:n,baseRef:r,baseCommit:i,title:a,body:s,now:c}=t,u=C(n);return w(e,async()=>{let d=await l(e,n,q),p=d===null?await se(e,t):null;if(p!==null)return Y(`closed`,p);let{data:m}=await e.rest.git.getCommit({...u,commit_sha:i}),h=t.files.map(({path:e,text:t})=>({path:e,mode:`100644`,type:`blob`,content:t})),g=await _(e,u,{baseTree:m.tree.sha,entries:h}),v=await S(e,n,`refs/heads/${q}`);if(d!==null&&v!==null){if(!await f(e,n,{sha:v,taskId:J}))return Y(`edited`,d);let{data:r}=await e.rest.git.getCommit({...u,commit_sha:v});if(r.tree.sha===g&&r.parents[0]?.sha===i)return ce(e,t,d)}let y=`${a}\n\nPhoton-Task: ${J}\nPhoton-Tree: ${g}\n`,{delivered:b,notes:C}=await x(e,{repository:n,branch:q,taskId:J,baseRef:r,now:c,draft:!1,dispatchWorkflow:``,renderText:()=>({title:a,body:s}),extras:oe},()=>o(e,u,{tree:g,parents:[i],message:y})),{operation:w,pullRequestNumber:T=0,pullRequestUrl:E=``}=b;return{state:w===`created`?`created`:`updated`,number:T,url:E,notes:C}})}const oe={labels:[],reviewers:[],teamReviewers:[],assignees:[],milestone:``,autoMerge:`off`,held:!0};function Y(e,t){return{state:e,number:t.number,url:t.html_url,notes:[]}}async function se(e,{repository:t,title:n}){let r=C(t),i=`${r.owner}:${q}`,{data:a}=await e.rest.pulls.list({...r,state:`closed`,head:i,per_page:50});return a.find(e=>e.merged_at===null&&e.title===n)??null}async function ce(e,{repository:t,body:n},r){if(r.body===n)return Y(`unchanged`,r);let i=C(t);return await e.rest.pulls.update({...i,pull_number:r.number,body:n}),Y(`updated`,r)}async function le(e,t){let n=await r(e).read(`.git/config`),i=n===null?``:new TextDecoder().decode(n.subarray(0,1e5)),a=/^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(i)?.[1]??``,o=/^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/m.exec(a)?.[1]??``,{hostname:s}=new URL(t.GITHUB_SERVER_URL||`https://github.com`),c=/^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(o);return c?.[1]===s?c[2]??null:null}async function X(t,n){let r=`${n.env.GITHUB_SERVER_URL||`https://github.com`}/${t??`OWNER/NAME`}/settings/actions`;if(t===null||!n.env.GITHUB_TOKEN)return{mayOpenPulls:null,page:r};try{let{github:e}=await M(t,n),{mayOpenPulls:i}=await j(e,t);return{mayOpenPulls:i,page:r}}catch(i){if(!(i instanceof e))throw i;return n.tell(`${t} could not be read: ${i.message}\n`),{mayOpenPulls:null,page:r}}}function Z(e,{chosen:t}){return{...e,test:t?.command??``,setup:t?.setup??``}}async function ue(t,n,r){let{github:i}=await M(t,r),a=await c(i,t);if(a===null)throw new e(`GITHUB_REQUEST`,`${t} cannot be read with this token.`);let o=await v(i,t,a),s=await de(o,n,{root:r.root,pulls:await X(t,r)}),l=z(s);return{found:s,body:l,open:()=>ae(i,{repository:t,baseRef:a,baseCommit:o.commit,files:s.added,title:R,body:l,now:r.now()})}}async function de(e,t,{root:n,pulls:r}){let o=i(n),c=await g({config:``,"agent-profile":``},e),{constitution:l,instructions:u}=await h({settings:c,trusted:e,shipped:o}),d=await b(e),{paths:f}=d,p=await s(d),m=I(Z(t,p)),_=f.includes(`constitution.md`),v=l.protectedPaths,y=_?v:[...v,...L],x=a(y),{chosen:S}=p;return{languages:fe(f),test:S===null?null:{command:S.command,because:S.because},setup:S?.setup??``,instructions:[_?`constitution.md`:void 0,...u?.files.map(e=>e.path)??[]].filter(e=>e!==void 0),protectedPaths:y,protectedFiles:f.filter(e=>x(e)!==null).length,added:m.filter(({path:e})=>!f.includes(e)),kept:m.map(({path:e})=>e).filter(e=>f.includes(e)),pulls:r,model:t.model}}function fe(e){let t=e.flatMap(e=>m(e)?.grammar??[]);return[...Map.groupBy(t,e=>e)].map(([e,t])=>({name:e,files:t.length})).sort((e,t)=>t.files-e.files||(e.name<t.name?-1:1))}const pe=async(t,n)=>{let{values:r,positionals:i}=O(t,[`repo`,`on`,`model`,`ref`],[`schedule`,`dry-run`,`open-pull-request`]);ee(i,`Name the folder of the repository with --repo.`);let a=k(r),o={ref:$(`ref`,String(r.ref??`v2`)),model:$(`model`,String(r.model??``)),schedule:r.schedule===!0},s=r.on===void 0?await le(a,n.env):te(r.on),c=r[`dry-run`]===!0;if(r[`open-pull-request`]===!0)return me({repository:s,options:o,isDry:c},n);await A(r,n);let l=await E(a);if(l===null)throw new e(`USAGE`,`${a} is not the top folder of its repository.`,{hint:`Use photon init --repo ${u(a)}.`});let d=I(Z(o,l));c?Q(d,n):n.print(_e(a,d)),n.tell(D(l)),n.tell(ge());let f=await X(s,n);return n.tell(ve({pulls:f,model:o.model,test:l.chosen})),0};async function me({repository:t,options:n,isDry:r},i){if(t===null)throw new e(`USAGE`,`The repository on GitHub is unknown.`,{hint:`Name it: photon init --open-pull-request --on OWNER/NAME.`});if(!i.env.GITHUB_TOKEN)throw new e(`GITHUB_AUTH`,`GITHUB_TOKEN is not set.`,{hint:`Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.`});let{found:a,body:o,open:s}=await ue(t,n,i);if(a.added.length===0)return i.print(`${t} has all files of Photon already.\n`),0;if(r)return Q(a.added,i),i.print(`# Pull request: ${R}\n${o}`),0;let{state:c,number:l,url:u,notes:d}=await s();i.print(`${he[c]} #${l}: ${u}\n`);for(let e of d)i.tell(`${e}\n`);return 0}const he={created:`Opened pull request`,updated:`Updated pull request`,unchanged:`Nothing has changed in pull request`,closed:`Somebody closed the pull request, so it is not opened again. To get a new one, change the title of`,edited:`The branch has commits of others, so nothing was changed in pull request`};function Q(e,t){for(let{path:n,text:r}of e)t.print(`# ${n}\n${r}\n`)}function ge(){return`Permissions of the workflow:\n${P.map(([e,t])=>`  ${e.padEnd(21)} ${t}\n`).join(``)}`}function $(t,n){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(n))throw new e(`USAGE`,`--${t}: use letters, digits and . _ : / - only.`);return n}function _e(e,t){return t.map(({path:t,text:n,about:r})=>{let i=T(e,t,n);return`${i?`wrote`:`kept `} ${t.padEnd(30)} ${i?r:`already exists`}\n`}).join(``)}function ve(e){return`Next:\n${[...G(e).map(e=>e.replaceAll("`",``)),`Run photon validate, then commit the three files to the default branch.`,`Comment /photon fix <task> on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}export{pe as init};