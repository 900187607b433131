import{PhotonError as e,fencedText as t,inlineText as n,openFolderFiles as r,openShipped as i,pathMatcher as a}from"./command-line.js";import{examineProject as o,renderDetection as s}from"./project.js";import{commitTree as c,detectAll as l,findDefaultBranch as u,findOpenPullRequest as d,folded as f,isOwnHead as p,joinParts as m,languageOf as h,loadPolicy as g,loadSettings as _,makeTree as v,openRemoteFiles as y,plural as b,projectFilesOf as x,publishCommit as ee,readRef as S,splitRepository as C,withCodes as w,writeAbsentFile as T}from"../action.js";import{parseArguments as E,repoOf as te}from"./arguments.js";import{examineRepository as D}from"../github/context/examine-repository.js";import{openRepository as O}from"./terminal-github.js";const k={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},A=[[`contents: write`,`pushes a branch for a verified patch`],[`issues: write`,`answers in issues and keeps the dashboard`],[`pull-requests: write`,`opens pull requests and answers in them`]],j=e=>`\${{ ${e} }}`;function M(e){return[{path:`.github/workflows/photon.yml`,text:N(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:P(e),about:`how to run the tests, and what to deliver`},{path:`constitution.md`,text:ne,about:`rules of this repository`}]}function N({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
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
concurrency:
  group: photon-${j(`github.event.issue.number || github.event.pull_request.number || github.ref`)}
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
`}function P({setup:e,test:t,schedule:n}){let r={...t===``?{}:{command:t},...e===``?{}:{setup:e}},i={$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},...Object.keys(r).length===0?{}:{verify:r},delivery:{labels:[`photon`]},...n?{maintenance:[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]}:{}};return`${JSON.stringify(i,null,2)}\n`}const F=[`**/migrations/**`],ne=`---
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
`,I=`Add Photon`;function re(e){return m([`This pull request adds [Photon](https://github.com/photon/agent-action) to the repository. Nothing runs before it is merged. To decline, close it: it is not opened again, unless you change the title of the closed pull request.`,`## What was found\n\n${L(e).join(`
`)}`,f(`${b(e.protectedPaths.length,`protected pattern`)}`,t(e.protectedPaths.join(`
`),{maxChars:6e3})),`## What it adds\n\n${R(e).join(`
`)}`,`## What Photon would do\n\n${z.map(e=>`- ${e}`).join(`
`)}`,`## What it never does\n\n${B.map(e=>`- ${e}`).join(`
`)}`,`## Permissions of the workflow\n\n${A.map(([e,t])=>`- \`${e}\`: ${t}`).join(`
`)}`,`## Before you merge\n\n${V(e).map((e,t)=>`${t+1}. ${e}`).join(`
`)}`,`<!-- photon:onboarding -->`])}function ie(e){let t=e.length>10?` and ${e.length-10} more`:``;return`${e.slice(0,10).map(e=>n(e,120)).join(`, `)}${t}`}function L(e){let{languages:t,test:r,setup:i,instructions:a,protectedFiles:o}=e;return[`- Languages: ${t.slice(0,5).map(e=>`${e.name} (${b(e.files,`file`)})`).join(`, `)||`none that Photon has an index for`}`,r===null?"- Test command: none found. Set `verify.command` in `.photon/config.json`.":`- Test command: ${n(r.command)}, from ${n(r.because)}`,`- Set-up: ${i===``?`none`:n(i)}`,`- Rules and instructions: ${a.length===0?`none`:ie(a)}`,`- Protected: ${b(o,`file`)} that no patch may touch, such as workflows and configuration`]}function R({added:e,kept:t}){return[...e.map(({path:e,about:t})=>`- \`${e}\`: ${t}`),...t.map(e=>`- \`${e}\` exists already and is not changed`)]}const z=["Work on a task that somebody with write access gives it: `/photon fix …` in an issue or a pull request, the label `photon`, or a start of the workflow by hand.",`Run the tests before and after its change, without network, and open a pull request only with a patch that passed.`,`Otherwise say in one comment why it stopped.`],B=[`Push to the default branch, merge, approve, or release.`,`Change a protected path, or weaken its own rules: they are read from the default branch.`,`Give a key to a command, or obey text in issues of people without write access.`];function V({model:e,pulls:t,test:n}){return[...n===null?["Set `verify.command` in `.photon/config.json`, because no test command was found."]:[],...e===``?[]:["Store the model key as the repository secret `PHOTON_API_KEY`."],H(t)]}function H({mayOpenPulls:e,page:t}){let n=`"Allow GitHub Actions to create and approve pull requests" (${t}, Workflow permissions)`;return e===null?`Check that ${n} is on. It is unknown here: only a token with the permission Administration can read it.`:e?`${n} is on: nothing to do.`:`Turn on ${n}.`}const U=`photon/onboarding`,W=`onboarding`;async function G(e,t){let{repository:n,baseRef:r,baseCommit:i,title:a,body:o,now:s}=t,l=C(n);return w(e,async()=>{let u=await d(e,n,U),f=u===null?await J(e,t):null;if(f!==null)return q(`closed`,f);let{data:m}=await e.rest.git.getCommit({...l,commit_sha:i}),h=t.files.map(({path:e,text:t})=>({path:e,mode:`100644`,type:`blob`,content:t})),g=await v(e,l,{baseTree:m.tree.sha,entries:h}),_=await S(e,n,`refs/heads/${U}`);if(u!==null&&_!==null){if(!await p(e,n,{sha:_,taskId:W}))return q(`edited`,u);let{data:r}=await e.rest.git.getCommit({...l,commit_sha:_});if(r.tree.sha===g&&r.parents[0]?.sha===i)return ae(e,t,u)}let y=`${a}\n\nPhoton-Task: ${W}\nPhoton-Tree: ${g}\n`,{delivered:b,notes:x}=await ee(e,{repository:n,branch:U,taskId:W,baseRef:r,now:s,draft:!1,dispatchWorkflow:``,renderText:()=>({title:a,body:o}),extras:K},()=>c(e,l,{tree:g,parents:[i],message:y})),{operation:C,pullRequestNumber:w=0,pullRequestUrl:T=``}=b;return{state:C===`created`?`created`:`updated`,number:w,url:T,notes:x}})}const K={labels:[],reviewers:[],teamReviewers:[],assignees:[],milestone:``,autoMerge:`off`,held:!0};function q(e,t){return{state:e,number:t.number,url:t.html_url,notes:[]}}async function J(e,{repository:t,title:n}){let r=C(t),i=`${r.owner}:${U}`,{data:a}=await e.rest.pulls.list({...r,state:`closed`,head:i,per_page:50});return a.find(e=>e.merged_at===null&&e.title===n)??null}async function ae(e,{repository:t,body:n},r){if(r.body===n)return q(`unchanged`,r);let i=C(t);return await e.rest.pulls.update({...i,pull_number:r.number,body:n}),q(`updated`,r)}async function oe(e,t){let n=await r(e).read(`.git/config`),i=n===null?``:new TextDecoder().decode(n.subarray(0,1e5)),a=/^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(i)?.[1]??``,o=/^\s*url\s*=\s*(\S+)\s*$/m.exec(a)?.[1]??``,{hostname:s}=new URL(t.GITHUB_SERVER_URL||`https://github.com`),c=/^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(o);return c?.[1]===s?c[2]??null:null}async function Y(t,n){let r=`${n.env.GITHUB_SERVER_URL||`https://github.com`}/${t??`OWNER/NAME`}/settings/actions`;if(t===null||!n.env.GITHUB_TOKEN)return{mayOpenPulls:null,page:r};try{let{github:e}=O(t,n),{mayOpenPulls:i}=await D(await e,t);return{mayOpenPulls:i,page:r}}catch(i){if(!(i instanceof e))throw i;return n.tell(`${t} could not be read: ${i.message}\n`),{mayOpenPulls:null,page:r}}}function X(e,{chosen:t}){return{...e,test:t?.command??``,setup:t?.setup??``}}async function se(t,n,r){let i=await O(t,r).github,a=await u(i,t);if(a===null)throw new e(`GITHUB_REQUEST`,`${t} cannot be read with this token.`);let o=await y(i,t,a),s=await ce(o,n,{root:r.root,pulls:await Y(t,r)}),c=re(s);return{found:s,body:c,open:()=>G(i,{repository:t,baseRef:a,baseCommit:o.commit,files:s.added,title:I,body:c,now:r.now()})}}async function ce(e,t,{root:n,pulls:r}){let o=i(n),s=await _({config:``,"agent-profile":``},e),{constitution:c,instructions:u}=await g({settings:s,trusted:e,shipped:o}),d=await x(e),{paths:f}=d,p=await l(d),m=M(X(t,p)),h=f.includes(`constitution.md`),v=[...c.protectedPaths,...h?[]:F],y=a(v),{chosen:b}=p;return{languages:le(f),test:b===null?null:{command:b.command,because:b.because},setup:b?.setup??``,instructions:[...h?[`constitution.md`]:[],...u?.files.map(e=>e.path)??[]],protectedPaths:v,protectedFiles:f.filter(e=>y(e)!==null).length,added:m.filter(({path:e})=>!f.includes(e)),kept:m.map(({path:e})=>e).filter(e=>f.includes(e)),pulls:r,model:t.model}}function le(e){let t=e.flatMap(e=>h(e)?.grammar??[]);return[...Map.groupBy(t,e=>e)].map(([e,t])=>({name:e,files:t.length})).sort((e,t)=>t.files-e.files||(e.name<t.name?-1:1))}const ue=async(t,n)=>{let{values:r,positionals:i}=E(t,[`repo`,`on`,`model`,`ref`],[`schedule`,`dry-run`,`open-pull-request`]);if(i.length>0)throw new e(`USAGE`,`Unexpected argument ${JSON.stringify(i[0])}. Usage: photon init --repo DIR.`);let a=te(r),c={ref:$(`ref`,String(r.ref??`v2`)),model:$(`model`,String(r.model??``)),schedule:r.schedule===!0},{on:l=await oe(a,n.env)??void 0}=r,u=l===void 0?null:String(l),d=r[`dry-run`]===!0;if(r[`open-pull-request`]===!0)return de({repository:u,options:c,isDry:d},n);let f=await o(a);if(f===null)throw new e(`USAGE`,`${a} is not a git repository. Give its folder with --repo.`);let p=M(X(c,f));d?Q(p,n):n.print(pe(a,p)),n.tell(s(f)),n.tell(fe());let m=await Y(u,n);return n.tell(me({pulls:m,model:c.model,test:f.chosen})),0};async function de({repository:t,options:n,isDry:r},i){if(t===null)throw new e(`USAGE`,`The repository on GitHub is unknown.`,{hint:`Name it: photon init --open-pull-request --on OWNER/NAME.`});if(!i.env.GITHUB_TOKEN)throw new e(`USAGE`,`--open-pull-request needs GITHUB_TOKEN.`,{hint:`Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.`});let{found:a,body:o,open:s}=await se(t,n,i);if(a.added.length===0)return i.print(`${t} has all files of Photon already.\n`),0;if(r)return Q(a.added,i),i.print(`# Pull request: ${I}\n${o}`),0;let{state:c,number:l,url:u,notes:d}=await s();i.print(`${Z[c]} #${l}: ${u}\n`);for(let e of d)i.tell(`${e}\n`);return 0}const Z={created:`Opened pull request`,updated:`Updated pull request`,unchanged:`Nothing has changed in pull request`,closed:`Somebody closed the pull request, so it is not opened again. To get a new one, change the title of`,edited:`The branch has commits of others, so nothing was changed in pull request`};function Q(e,t){for(let{path:n,text:r}of e)t.print(`# ${n}\n${r}\n`)}function fe(){return`Permissions of the workflow:\n${A.map(([e,t])=>`  ${e.padEnd(21)} ${t}\n`).join(``)}`}function $(t,n){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(n))throw new e(`USAGE`,`--${t}: use letters, digits and . _ : / - only.`);return n}function pe(e,t){return t.map(({path:t,text:n,about:r})=>{let i=T(e,t,n);return`${i?`wrote`:`kept `} ${t.padEnd(30)} ${i?r:`already exists`}\n`}).join(``)}function me(e){return`Next:\n${[...V(e).map(e=>e.replaceAll("`",``)),`Run photon validate, then commit the three files to the default branch.`,`Comment /photon fix <task> on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}export{ue as init};