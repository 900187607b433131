export const id=7331;export const ids=[7331];export const modules={2303:((e,t,n)=>{n.d(t,{W:()=>a});var r=n(7975),i=n(7702);function a(e,t,n=[]){let a=Object.fromEntries([...t.map(e=>[e,{type:`string`}]),...n.map(e=>[e,{type:`boolean`}])]);try{return(0,r.parseArgs)({args:[...e],options:a,allowPositionals:!0})}catch(e){throw new i.l(`USAGE`,e.message)}}}),7331:((e,t,n)=>{n.r(t),n.d(t,{init:()=>h});var r=n(6760),i=n(7702);let a={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},o=e=>`\${{ ${e} }}`;function s(e){return[{path:`.github/workflows/photon.yml`,text:c(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:l(e),about:`how the tests run, what is delivered`},{path:`constitution.md`,text:u,about:`rules of this repository`}]}function c({ref:e,model:t,schedule:n}){let r=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,i=t===``?``:`          model: ${t}\n          api-key: ${o(`secrets.PHOTON_API_KEY`)}\n`;return`# Written by photon init. Photon reads its rules from the default branch, never from a pull request.
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
    types: [closed]
  workflow_dispatch:
    inputs:
      task:
        description: What to do
        required: true
        type: string
${r}permissions: {}
concurrency:
  group: photon-${o(`github.event.issue.number || github.event.pull_request.number || github.ref`)}
  cancel-in-progress: false
jobs:
  photon:
    # the kill switch is the repository variable PHOTON_DISABLED: set it to true, and nothing starts
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
      PHOTON_DISABLED: ${o(`vars.PHOTON_DISABLED`)}
    steps:
      - uses: ${a.checkout}
        with:
          persist-credentials: false
          ref: ${o(`github.event.pull_request && format('refs/pull/{0}/head', github.event.pull_request.number) || github.event.issue.pull_request && format('refs/pull/{0}/head', github.event.issue.number) || ''`)}
      - uses: photon/agent-action@${e}
        with:
          task: ${o(`inputs.task`)}
${i}      - uses: ${a.upload}
        if: always()
        with:
          name: photon-${o(`github.run_id`)}-${o(`github.run_attempt`)}
          path: ${o(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function l({setup:e,test:t,schedule:n}){let r={...t===``?{}:{command:t},...e===``?{}:{setup:e}},i={$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},...Object.keys(r).length===0?{}:{verify:r},...e===``?{}:{sandbox:{network:`setup`}},delivery:{labels:[`photon`]},...n?{maintenance:[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]}:{}};return`${JSON.stringify(i,null,2)}\n`}let u=`---
# Merged over the constitution that Photon ships. It can only tighten: smaller limits, more protected
# paths. photon validate checks it.
version: "2.0"
limits:
  patch_files: 10
protected_paths:
  - "**/migrations/**"
---

# Constitution

Say here what every agent must know before it changes this repository: how the code is laid out,
which conventions hold, what must never be touched and why.

## Reading Convention

Artifacts of earlier tasks stand in the table "Workflow Artifacts" of this file, when there is one.
Read only those that the task in hand needs, and of those only the ranges that matter:
list_project_files and grep lead to the place, read_code_block reads it.
`;var d=n(1035),f=n(5086),p=n(8483),m=n(2303);let h=async(e,t)=>{let{values:n,positionals:a}=(0,m.W)(e,[`repo`,`model`,`ref`],[`schedule`,`dry-run`]);if(a.length>0)throw new i.l(`USAGE`,`What is ${JSON.stringify(a[0])}? photon init --repo DIR.`);let o=(0,r.resolve)(String(n.repo??`.`)),c=await _(o,{ref:g(`ref`,String(n.ref??`v2`)),model:g(`model`,String(n.model??``)),schedule:n.schedule===!0}),l=s(c);if(n[`dry-run`]===!0)for(let{path:e,text:n}of l)t.print(`# ${e}\n${n}\n`);else t.print(v(o,l));return t.tell(y(c)),0};function g(e,t){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(t))throw new i.l(`USAGE`,`--${e}: use letters, digits and . _ : / - only.`);return t}async function _(e,t){let n=(0,f.M5)(e);if(await n.read(`.git/HEAD`)===null&&await n.read(`.git`)===null)throw new i.l(`USAGE`,`${e} is no git repository; give its folder with --repo.`);let r=await n.list(``),a=new Set(r),o={paths:r,has:e=>a.has(e),read:async e=>{let t=await n.read(e);return t===null?null:new TextDecoder().decode(t)}},s=await(0,p.H)(o);return{...t,test:s?.command??``,setup:(0,p.c)(o)}}function v(e,t){return t.map(({path:t,text:n,about:i})=>{let a=(0,d.lJ)((0,r.join)(e,t),n);return`${a?`wrote`:`kept `} ${t.padEnd(30)} ${a?i:`it is there already`}\n`}).join(``)}function y({model:e,test:t}){return`Next:\n${[...t===``?[`No test command was found: set verify.command in .photon/config.json.`]:[],...e===``?[]:[`Store the key of the model as the secret PHOTON_API_KEY of the repository.`],`Settings > Actions > General: allow GitHub Actions to create pull requests.`,`photon validate, then commit the three files to the default branch.`,`Write /photon fix with a few words on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}}),5483:((e,t,n)=>{n.d(t,{a:()=>a,v:()=>o});var r=n(3024),i=n(6760);function a(e,{path:t,state:n},a=()=>493){let o=``;for(let s of(0,i.dirname)(t).split(`/`).filter(e=>e!==`.`)){o=(0,i.join)(o,s);let t=(0,i.join)(e,o),c=(0,r.lstatSync)(t,{throwIfNoEntry:!1});if(!c?.isDirectory()){if(n===null)return;c&&(0,r.rmSync)(t,{force:!0}),(0,r.mkdirSync)(t),(0,r.chmodSync)(t,a(o))}}let s=(0,i.join)(e,t);(0,r.rmSync)(s,{recursive:!0,force:!0}),n!==null&&(n.mode===`120000`?(0,r.symlinkSync)(Buffer.from(n.bytes),s):((0,r.writeFileSync)(s,n.bytes,{flag:`wx`}),(0,r.chmodSync)(s,n.mode===`100755`?493:420)))}function o(e){try{(0,r.rmSync)(e,{recursive:!0,force:!0,maxRetries:3})}catch{s(e),(0,r.rmSync)(e,{recursive:!0,force:!0,maxRetries:3})}}function s(e){if((0,r.lstatSync)(e,{throwIfNoEntry:!1})?.isDirectory()){(0,r.chmodSync)(e,448);for(let t of(0,r.readdirSync)(e))s((0,i.join)(e,t))}}}),1035:((e,t,n)=>{n.d(t,{S0:()=>d,Z9:()=>h,ZO:()=>u,iN:()=>c,lJ:()=>p,mV:()=>f,wh:()=>m});var r=n(3024),i=n(8161),a=n(6760),o=n(7702),s=n(5483);function c(e,t){let n=(0,a.join)(e,`photon-${t}`),i=(0,a.join)(n,`scratch`),s=e=>{try{e()}catch(e){throw new o.l(`DISK`,`the run folder cannot be written: ${e.message}`,{cause:e})}};s(()=>{(0,r.existsSync)(e)||(0,r.mkdirSync)(e,{recursive:!0});for(let e of[n,i])(0,r.mkdirSync)(e,{mode:448})});let c=(0,a.join)(n,`reserve`);s(()=>(0,r.writeFileSync)(c,Buffer.alloc(1048576)));let u=()=>{try{(0,r.rmSync)(c,{force:!0})}catch{}};return{path:n,outcomePath:(0,a.join)(n,`outcome.json`),ledgerPath:(0,a.join)(n,`ledger.jsonl`),patchPath:(0,a.join)(n,`patch.diff`),reportPath:(0,a.join)(n,`report.md`),sessionPath:(0,a.join)(n,`session.db`),recordPath:(0,a.join)(n,`replies.jsonl`),rejectedPath:(0,a.join)(n,`rejected.jsonl`),scratch:i,write:(e,t)=>s(()=>(0,r.writeFileSync)(e,t,{mode:384})),append:(e,t)=>s(()=>(0,r.appendFileSync)(e,t,{mode:384})),freeReserve:u,discard:()=>l(n),close:()=>{u(),l(i)}}}function l(e){try{(0,s.v)(e)}catch(e){if(e.code===void 0)throw e}}function u(e){try{return e===null?(0,r.mkdtempSync)((0,a.join)((0,i.tmpdir)(),`photon-`)):((0,r.mkdirSync)(e,{recursive:!0}),e)}catch(e){throw new o.l(`DISK`,`the folder for results cannot be made: ${e.message}`,{cause:e})}}function d(e,t){try{(0,r.writeFileSync)(e,t,{flag:`wx`})}catch(t){throw new o.l(`DISK`,`${e} cannot be written: ${t.message}`,{hint:`Name a file that is not there yet with --out.`,cause:t})}}function f(e,t){if((0,r.existsSync)(t))throw new o.l(`DISK`,`${t} is there already.`);try{(0,r.renameSync)(e,t)}catch(e){throw new o.l(`DISK`,`${t} cannot be made: ${e.message}`,{cause:e})}}function p(e,t){try{return(0,r.mkdirSync)((0,a.dirname)(e),{recursive:!0}),(0,r.writeFileSync)(e,t,{flag:`wx`}),!0}catch(t){if(t.code===`EEXIST`)return!1;throw new o.l(`DISK`,`${e} cannot be written: ${t.message}`,{cause:t})}}function m(e){try{return(0,r.readFileSync)(e,`utf8`)}catch{return null}}function h(e,t){try{(0,r.mkdirSync)((0,a.dirname)(e),{recursive:!0}),(0,r.mkdirSync)(e);for(let[n,i]of Object.entries(t))(0,r.writeFileSync)((0,a.join)(e,n),i,{flag:`wx`})}catch(t){throw new o.l(`DISK`,`${e} cannot be made: ${t.message}`,{hint:`Choose a name that is not there yet, in a folder that can be written.`,cause:t})}}}),8483:((e,t,n)=>{n.d(t,{H:()=>i,c:()=>o});let r=[s,u,d,f,p,m,h,g,_,v];async function i(e){for(let t of r){let n=await t(e);if(n!==null)return n}return null}let a=[[`pnpm-lock.yaml`,`corepack pnpm install --frozen-lockfile`],[`yarn.lock`,`corepack yarn install --immutable`],[`bun.lock`,`bun install --frozen-lockfile`],[`package-lock.json`,`npm ci`],[`uv.lock`,`uv sync --frozen`],[`poetry.lock`,`poetry install`],[`requirements.txt`,`python3 -m pip install -r requirements.txt`],[`Gemfile.lock`,`bundle install`],[`go.sum`,`go mod download`],[`Cargo.lock`,`cargo fetch --locked`]];function o(e){return a.find(([t])=>e.has(t))?.[1]??``}async function s(e){let t=l(await e.read(`package.json`)),n=t.scripts?.test;if(typeof n!=`string`||/no test specified/.test(n))return null;let r=c(e,t.packageManager);return{command:r===`bun`?`bun run test`:`${r} test`,tool:r,because:`package.json`}}function c(e,t){let n=typeof t==`string`?/^(npm|pnpm|yarn|bun)@/.exec(t)?.[1]:void 0;return n===void 0?e.has(`pnpm-lock.yaml`)?`pnpm`:e.has(`yarn.lock`)?`yarn`:e.has(`bun.lock`)||e.has(`bun.lockb`)?`bun`:`npm`:n}function l(e){try{let t=JSON.parse(e??``);return typeof t==`object`&&t?t:{}}catch{return{}}}async function u(e){return e.has(`tox.ini`)?{command:`tox`,tool:`tox`,because:`tox.ini`}:null}async function d(e){for(let[t,n]of[[`pytest.ini`,/./s],[`pyproject.toml`,/^\[tool\.pytest/m],[`setup.cfg`,/^\[tool:pytest\]/m]])if(n.test(await e.read(t)??``))return{command:`python3 -m pytest`,tool:`pytest`,because:t};let t=e.paths.find(e=>/^(tests?\/(.*\/)?)?(test_[^/]*|[^/]*_test)\.py$/.test(e));return t===void 0?null:{command:`python3 -m pytest`,tool:`pytest`,because:t}}async function f(e){return e.has(`go.mod`)?{command:`go test ./...`,tool:`go`,because:`go.mod`}:null}async function p(e){return e.has(`Cargo.toml`)?{command:`cargo test`,tool:`cargo`,because:`Cargo.toml`}:null}async function m(e){return e.has(`pom.xml`)?{command:`${e.has(`mvnw`)?`./mvnw`:`mvn`} -B -q test`,tool:`maven`,because:`pom.xml`}:null}async function h(e){let t=[`build.gradle`,`build.gradle.kts`,`settings.gradle`,`settings.gradle.kts`].find(e.has);return t===void 0?null:{command:`${e.has(`gradlew`)?`./gradlew`:`gradle`} test`,tool:`gradle`,because:t}}async function g(e){let t=e.paths.find(e=>/^[^/]+\.(sln|slnx)$/.test(e))??e.paths.find(e=>/\.(csproj|fsproj)$/.test(e));return t===void 0?null:{command:`dotnet test`,tool:`dotnet`,because:t}}async function _(e){let t=await e.read(`Rakefile`)??``,n=/\btask\s*\(?\s*:?["']?(test|spec)\b/.exec(t)?.[1]??(/TestTask/.test(t)?`test`:/RSpec::Core::RakeTask/.test(t)?`spec`:null);return n===null?null:{command:`${e.has(`Gemfile`)?`bundle exec `:``}rake ${n}`,tool:`rake`,because:`Rakefile`}}async function v(e){let t=[`GNUmakefile`,`makefile`,`Makefile`].find(e.has);if(t===void 0)return null;let n=await e.read(t)??``,r=[`test`,`check`].find(e=>RegExp(`^${e}\\s*:(?!=)`,`m`).test(n));return r===void 0?null:{command:`make ${r}`,tool:`make`,because:t}}})};
