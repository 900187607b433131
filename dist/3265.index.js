export const id=3265;export const ids=[3265];export const modules={8213:((e,t,n)=>{n.d(t,{W:()=>a});var r=n(7975),i=n(7702);function a(e,t,n=[]){let a=Object.fromEntries([...t.map(e=>[e,{type:`string`}]),...n.map(e=>[e,{type:`boolean`}])]);try{return(0,r.parseArgs)({args:[...e],options:a,allowPositionals:!0})}catch(e){throw new i.l(`USAGE`,e.message)}}}),3265:((e,t,n)=>{n.r(t),n.d(t,{init:()=>h});var r=n(6760),i=n(7702);let a={checkout:`actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0`,upload:`actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2`,download:`actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0`},o=e=>`\${{ ${e} }}`;function s(e){return[{path:`.github/workflows/photon.yml`,text:c(e),about:`starts Photon on commands, labels and by hand`},{path:`.photon/config.json`,text:l(e),about:`how the tests run, what is delivered`},{path:`constitution.md`,text:u,about:`rules of this repository`}]}function c({ref:e,model:t,schedule:n,setup:r}){let i=n?`  schedule:
    - cron: '17 4 * * 1' # Mondays; the tasks are in .photon/config.json
`:``,s=t===``?``:`          model: ${t}\n          api-key: ${o(`secrets.PHOTON_API_KEY`)}\n`,c=r===``?``:`          network: setup # for the set-up command alone, never for the tests
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
    types: [closed]
  workflow_dispatch:
    inputs:
      task:
        description: What to do
        required: true
        type: string
${i}permissions: {}
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
${s}${c}      - uses: ${a.upload}
        if: always()
        with:
          name: photon-${o(`github.run_id`)}-${o(`github.run_attempt`)}
          path: ${o(`runner.temp`)}/photon-*
          include-hidden-files: false
          if-no-files-found: ignore
          retention-days: 14
`}function l({setup:e,test:t,schedule:n}){let r={...t===``?{}:{command:t},...e===``?{}:{setup:e}},i={$schema:`https://raw.githubusercontent.com/photon/agent-action/v2/schema/config.schema.json`,agent:{skillRoots:[`photon:*`]},...Object.keys(r).length===0?{}:{verify:r},delivery:{labels:[`photon`]},...n?{maintenance:[{name:`failing-tests`,prompt:`Run the tests. When one fails, find the cause and repair it.`}]}:{}};return`${JSON.stringify(i,null,2)}\n`}let u=`---
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
`;var d=n(720),f=n(769),p=n(1995),m=n(8213);let h=async(e,t)=>{let{values:n,positionals:a}=(0,m.W)(e,[`repo`,`model`,`ref`],[`schedule`,`dry-run`]);if(a.length>0)throw new i.l(`USAGE`,`What is ${JSON.stringify(a[0])}? photon init --repo DIR.`);let o=(0,r.resolve)(String(n.repo??`.`)),c=await _(o,{ref:g(`ref`,String(n.ref??`v2`)),model:g(`model`,String(n.model??``)),schedule:n.schedule===!0}),l=s(c);if(n[`dry-run`]===!0)for(let{path:e,text:n}of l)t.print(`# ${e}\n${n}\n`);else t.print(v(o,l));return t.tell(y(c)),0};function g(e,t){if(!/^[A-Za-z0-9._:/-]{0,100}$/.test(t))throw new i.l(`USAGE`,`--${e}: use letters, digits and . _ : / - only.`);return t}async function _(e,t){let n=(0,p.M5)(e);if(await n.read(`.git/HEAD`)===null&&await n.read(`.git`)===null)throw new i.l(`USAGE`,`${e} is no git repository; give its folder with --repo.`);let r=await(0,d.wb)(n),a=await(0,d.HK)(r);return{...t,test:a?.command??``,setup:(0,d.ct)(r)}}function v(e,t){return t.map(({path:t,text:n,about:r})=>{let i=(0,f.lJ)(e,t,n);return`${i?`wrote`:`kept `} ${t.padEnd(30)} ${i?r:`it is there already`}\n`}).join(``)}function y({model:e,test:t}){return`Next:\n${[...t===``?[`No test command was found: set verify.command in .photon/config.json.`]:[],...e===``?[]:[`Store the key of the model as the secret PHOTON_API_KEY of the repository.`],`Settings > Actions > General: allow GitHub Actions to create pull requests.`,`photon validate, then commit the three files to the default branch.`,`Write /photon fix with a few words on an issue.`].map((e,t)=>`  ${t+1}. ${e}\n`).join(``)}`}}),720:((e,t,n)=>{n.d(t,{HK:()=>a,ct:()=>s,wb:()=>i});let r=[c,d,f,p,m,h,g,_,v,y];async function i(e){let t=await e.list(``),n=new Set(t);return{paths:t,has:e=>n.has(e),read:async t=>{let n=await e.read(t);return n===null?null:new TextDecoder().decode(n)}}}async function a(e){for(let t of r){let n=await t(e);if(n!==null)return n}return null}let o=[[`pnpm-lock.yaml`,`corepack pnpm install --frozen-lockfile`],[`yarn.lock`,`corepack yarn install --immutable`],[`bun.lock`,`bun install --frozen-lockfile`],[`package-lock.json`,`npm ci`],[`uv.lock`,`uv sync --frozen`],[`poetry.lock`,`poetry install`],[`requirements.txt`,`python3 -m pip install -r requirements.txt`],[`Gemfile.lock`,`bundle install`],[`go.sum`,`go mod download`],[`Cargo.lock`,`cargo fetch --locked`]];function s(e){return o.find(([t])=>e.has(t))?.[1]??``}async function c(e){let t=u(await e.read(`package.json`)),n=t.scripts?.test;if(typeof n!=`string`||/no test specified/.test(n))return null;let r=l(e,t.packageManager);return{command:r===`bun`?`bun run test`:`${r} test`,tool:r,because:`package.json`}}function l(e,t){let n=typeof t==`string`?/^(npm|pnpm|yarn|bun)@/.exec(t)?.[1]:void 0;return n===void 0?e.has(`pnpm-lock.yaml`)?`pnpm`:e.has(`yarn.lock`)?`yarn`:e.has(`bun.lock`)||e.has(`bun.lockb`)?`bun`:`npm`:n}function u(e){try{let t=JSON.parse(e??``);return typeof t==`object`&&t?t:{}}catch{return{}}}async function d(e){return e.has(`tox.ini`)?{command:`tox`,tool:`tox`,because:`tox.ini`}:null}async function f(e){for(let[t,n]of[[`pytest.ini`,/./s],[`pyproject.toml`,/^\[tool\.pytest/m],[`setup.cfg`,/^\[tool:pytest\]/m]])if(n.test(await e.read(t)??``))return{command:`python3 -m pytest`,tool:`pytest`,because:t};let t=e.paths.find(e=>/^(tests?\/(.*\/)?)?(test_[^/]*|[^/]*_test)\.py$/.test(e));return t===void 0?null:{command:`python3 -m pytest`,tool:`pytest`,because:t}}async function p(e){return e.has(`go.mod`)?{command:`go test ./...`,tool:`go`,because:`go.mod`}:null}async function m(e){return e.has(`Cargo.toml`)?{command:`cargo test`,tool:`cargo`,because:`Cargo.toml`}:null}async function h(e){return e.has(`pom.xml`)?{command:`${e.has(`mvnw`)?`./mvnw`:`mvn`} -B -q test`,tool:`maven`,because:`pom.xml`}:null}async function g(e){let t=[`build.gradle`,`build.gradle.kts`,`settings.gradle`,`settings.gradle.kts`].find(e.has);return t===void 0?null:{command:`${e.has(`gradlew`)?`./gradlew`:`gradle`} test`,tool:`gradle`,because:t}}async function _(e){let t=e.paths.find(e=>/^[^/]+\.(sln|slnx)$/.test(e))??e.paths.find(e=>/\.(csproj|fsproj)$/.test(e));return t===void 0?null:{command:`dotnet test`,tool:`dotnet`,because:t}}async function v(e){let t=await e.read(`Rakefile`)??``,n=/\btask\s*\(?\s*:?["']?(test|spec)\b/.exec(t)?.[1]??(/TestTask/.test(t)?`test`:/RSpec::Core::RakeTask/.test(t)?`spec`:null);return n===null?null:{command:`${e.has(`Gemfile`)?`bundle exec `:``}rake ${n}`,tool:`rake`,because:`Rakefile`}}async function y(e){let t=[`GNUmakefile`,`makefile`,`Makefile`].find(e.has);if(t===void 0)return null;let n=await e.read(t)??``,r=[`test`,`check`].find(e=>RegExp(`^${e}\\s*:(?!=)`,`m`).test(n));return r===void 0?null:{command:`make ${r}`,tool:`make`,because:t}}}),769:((e,t,n)=>{n.d(t,{Lg:()=>c,N2:()=>f,Rd:()=>p,h1:()=>d,lJ:()=>u,xm:()=>l,zx:()=>s});var r=n(7598),i=n(3024),a=n(6760),o=n(7702);function s(e,t){let n=h(e,t);if(n===null)return null;if(n.size>5e6)throw new o.l(`DISK`,`${t} is larger than 5 MB.`);return g(t,()=>(0,i.readFileSync)((0,a.join)(e,t)))}function c(e,t,n){let s=h(e,t);if(s!==null&&!(s.mode&146))throw new o.l(`DISK`,`${t} is read-only.`);let c=(0,a.join)(e,t),l=`${c}.${(0,r.randomBytes)(4).toString(`hex`)}.photon-new`;g(t,()=>{(0,i.mkdirSync)((0,a.dirname)(c),{recursive:!0});try{(0,i.writeFileSync)(l,n,{flag:`wx`,flush:!0}),s!==null&&(0,i.chmodSync)(l,s.mode&511),(0,i.renameSync)(l,c)}catch(e){throw(0,i.rmSync)(l,{force:!0}),e}})}function l(e,t){let n=(0,a.join)(e,t),r=()=>{try{return(0,i.mkdirSync)((0,a.dirname)(n),{recursive:!0}),(0,i.writeFileSync)(n,`${process.pid}\n`,{flag:`wx`}),!0}catch(e){if(e.code===`EEXIST`)return!1;throw new o.l(`DISK`,`${t} cannot be made: ${e.message}`,{cause:e})}};if(!r()){let a=Number(s(e,t)?.toString(`utf8`)??``);if(m(a))throw new o.l(`WORKFLOW_BUSY`,`Process ${a} holds ${n}.`);if((0,i.rmSync)(n,{force:!0}),!r())throw new o.l(`WORKFLOW_BUSY`,`${n} was taken just now.`)}return()=>(0,i.rmSync)(n,{force:!0})}function u(e,t,n){return h(e,t)===null&&(g(t,()=>{(0,i.mkdirSync)((0,a.dirname)((0,a.join)(e,t)),{recursive:!0}),(0,i.writeFileSync)((0,a.join)(e,t),n,{flag:`wx`})}),!0)}function d(e,t){h(e,t)}function f(e,t){let n=h(e,t);return n!==null&&!(n.mode&146)}function p(e,t){try{return(0,i.readdirSync)((0,a.join)(e,t),{withFileTypes:!0}).filter(e=>e.isFile()).map(e=>e.name).sort()}catch{return[]}}function m(e){if(!Number.isSafeInteger(e)||e<1)return!1;try{return process.kill(e,0),!0}catch(e){return e.code===`EPERM`}}function h(e,t){let n=t.split(`/`);for(let[r]of n.entries()){let s=n.slice(0,r+1).join(`/`),c=g(t,()=>(0,i.lstatSync)((0,a.join)(e,s),{throwIfNoEntry:!1}));if(c===void 0)return null;let l=r===n.length-1;if(l?!c.isFile():!c.isDirectory())throw new o.l(`DISK`,`${s} is no ${l?`regular file`:`folder`}.`);if(l)return c}return null}function g(e,t){try{return t()}catch(t){throw new o.l(`DISK`,`${e}: ${t.message}`,{cause:t})}}})};
