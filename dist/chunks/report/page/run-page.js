import{linesAddress as e,placePattern as t,renderMarkdown as n}from"../../base/findings.js";import{describeState as r,hasPatch as i,isSuccess as a,ranPlainly as o}from"../../base/outcome.js";import{plural as s}from"../../base/plural.js";import{readTimeline as c}from"../../ledger/timeline.js";import{cellText as l,fencedText as u,inertLine as d,inlineText as f,plainParagraph as ee}from"../escape.js";import{agentsWords as te,filesTable as ne,folded as re,footer as p,planSection as m,repairSection as ie,usageLine as ae,warnings as oe}from"../pull-request/sections.js";import{leftText as se}from"../left-text.js";import{guaranteed as ce}from"../terminal/machine-text.js";import{formatCodePoint as le}from"../../guard/content/hidden-characters.js";import{createHash as ue}from"node:crypto";const h=8e3,de={base:{commit:``}};function g(e,t=de){let n=e.slice(0,h).split(/\r\n?|\n/),r=[];for(let e=0;e<n.length;){let i=y(n,e),a=n.slice(e,i);r.push(i>e?b(a):fe(n[e]??``,t)),e=Math.max(i,e+1)}return r.join(`
`).replace(/\n{3,}/g,`

`).trim().replaceAll(`<!--`,`<! --`)}const _=/^\s*(`{3,}|~{3,})/,v=/^\s*\|/;function y(e,t){let n=e[t]??``,[,r]=_.exec(n)??[],i=e=>r===void 0?v.test(e):e.trim()!==r;if(r===void 0&&!v.test(n))return t;let a=e.findIndex((e,n)=>n>t&&!i(e));return a<0?e.length:r===void 0?a:a+1}function b(e){let t=_.test(e[0]??``),n=t&&e.length>1&&_.test(e.at(-1)??``),r=t?e.slice(1,n?-1:void 0):e;return`\n${u(r.join(`
`),{maxChars:h})}\n`}function fe(e,t){let[,n]=/^\s*#{1,6}\s+(.*?)[\s#]*$/.exec(e)??[];if(n)return`\n**${S(n.replaceAll(`*`,``))}**\n`;let[,r=``,i,a]=/^(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)$/.exec(e)??[];if(i===void 0||a===void 0)return pe(x(e,t));let o=Math.min(3,Math.floor(r.replaceAll(`	`,`  `).length/2)),s=Number.parseInt(i,10);return`${`   `.repeat(o)}${Number.isNaN(s)?`-`:`${s}.`} ${x(a,t)}`}function pe(e){return e.replace(/^[#+=-]/,`\\$&`).replace(/^(\d+)([.)])/,`$1\\$2`)}const me=new RegExp(String.raw`(?<!\x60)(\x60{1,3})(?!\x60)(.+?)(?<!\x60)\1(?!\x60)|\*\*([^*\x60]+)\*\*|(${t})`,`g`);function he(t,n){let r=f(t,1e3),i=n.places?.find(e=>e.text===t.trim());if(i===void 0)return r;if(!i.exists)return`${r} (not in this commit)`;let a=e(n,i);return a===``?r:`[${r}](${a})`}function x(e,t){let n=[],r=0;for(let i of e.matchAll(me)){let[a,,o,s=``,c]=i;n.push(S(e.slice(r,i.index))),o!==void 0||c!==void 0?n.push(he(o??c??``,t)):n.push(`**${S(s).trim()}**`),r=i.index+a.length}return[...n,S(e.slice(r))].map((e,t,n)=>e===``&&t>0&&t<n.length-1?` `:e).join(``).trim()}function S(e){let t=d(e.replace(/!?\[([^\]]{0,1000})\]\([^)]{0,2000}\)/g,`$1 (link removed)`),h);return t===``?e===``?``:` `:`${/^\s/.test(e)?` `:``}${t}${/\s$/.test(e)?` `:``}`}const ge={high:`High`,medium:`Medium`,low:`Low`},_e={body:C,finding:w};function C({head:e,findings:t,leftOut:n}){let r=[n.opinions>0?`${n.opinions} not proven`:``,n.offDiff>0?`${n.offDiff} not on lines of the diff`:``,n.beyondLimit>0?`${n.beyondLimit} beyond the limit`:``].filter(Boolean),i=t.length===1?`1 finding`:`${t.length} findings`,a=r.length===0?``:` Left out: ${r.join(`, `)}.`;return`Photon: ${i} at ${f(e.slice(0,12))}.${a}`}function w({severity:e,problem:t,proof:n}){return`**${ge[e]}:** ${ee(t,1e3)}\n\n${T(n??void 0)}`}function T(e){switch(e?.kind){case void 0:return`This is an opinion: nothing was run that shows it.`;case`test`:return`Proven: this test fails here, and ${e.base===`passes`?`it passes on the base`:`the base does not have this file`}.\n\n${re(`Test ${f(e.path,200)}`,u(e.text,{maxChars:6e3}))}`;case`check`:return`Proven: ${f(e.command)} reports this here, and not on the base.`;case`mutant`:{let{before:t,after:n}=e.mutant;return`Proven: with ${f(n,200)} instead of ${f(t,200)}, every test still passes.`}}}const E={decided:`a test fails if the line changes`,executed:`a test runs the line, and no change of it was noticed`,unexecuted:`no test runs the line`,unknown:`cannot be told`};function D({verification:e}){let t=e?.proof;if(t===void 0)return``;let n=[O(e?.leftOut),j(t)].filter(e=>e!==``).join(` `);return[A(t),n,M(t)].filter(e=>e!==``).join(`

`)}function O(e){if(e===void 0)return``;let{places:t}=e;return`**Photon left ${`${t.length} ${t.length===1?`hunk`:`hunks`}`} out of the patch**, which no test needs: ${t.slice(0,3).map(N).join(`, `)}${t.length>3?` and more`:``}, in lines of the patch as it was. The smaller patch was verified again.`}function k({verification:e}){let t=e?.leftOut?.diff??``;return t===``?``:u(t,{maxChars:6e3,info:`diff`})}function A({counts:e}){let{decided:t,executed:n,unexecuted:r,unknown:i}=e,a=t+n+r+i;if(a===0)return``;let o=[`${t} decided by the tests`,n>0?`${n} only run by them`:void 0,r>0?`**${r} run by no test**`:void 0,i>0?`${i} unknown`:void 0].filter(e=>e!==void 0);return`Of ${a} changed ${a===1?`line`:`lines`} of code: ${o.join(`, `)}.`}function j({mutants:e,hunks:t,newTests:n}){let[r]=e.survived,i=e.survived.length-1,a=n.filter(e=>!e.failsOnBase).length;return[r===void 0?void 0:`The tests would not notice if ${N({...r,start:r.line,end:r.line})} became ${f(r.after,120)}${i>0?`, nor ${i} other small ${i===1?`change`:`changes`}`:``}.`,t.notNeeded.length===0?void 0:`Every test passes without ${t.notNeeded.length} of ${t.total} ${t.total===1?`hunk`:`hunks`}: ${t.notNeeded.slice(0,3).map(N).join(`, `)}.`,a===0?void 0:`${a} of ${n.length} new ${n.length===1?`test passes`:`tests pass`} without the change, too.`].filter(e=>e!==void 0).join(` `)}function M({flaky:e,cut:t,earlierBase:n}){return[n===void 0?void 0:`This was measured on the earlier base ${f(n.slice(0,12),20)}, and lines are counted there. On the newer base, only the tests ran again.`,e.length===0?void 0:`Flaky, and so decides nothing: ${e.slice(0,3).map(e=>f(e,120)).join(`, `)}${e.length>3?` and ${e.length-3} more`:``}.`,t===``?void 0:`Not everything was looked at: ${t}.`].filter(e=>e!==void 0).join(` `)}function N({path:e,start:t,end:n}){let r=n<=t?`${t}`:`${t}–${n}`;return f(`${e}:${r}`,200)}function P({verification:e}){let t=e?.proof;if(t===void 0||t.lines.length===0)return``;let n=t.lines.slice(0,60).map(e=>`| ${l(e.path)} | ${e.start===e.end?e.start:`${e.start}–${e.end}`} | ${E[e.shows]} |`),r=t.mutants.survived.slice(0,20).map(e=>`| ${l(e.path)} | ${e.line} | ${l(e.before)} | ${l(e.after)} |`),{tried:i}=t.mutants;return[`| file | lines | what the tests show |`,`|---|---|---|`,...n,r.length===0?void 0:[``,`Of ${i} small changes, these pass every test:`,``,`| file | line | in the patch | would pass, too |`,`|---|---|---|---|`,...r]].flat().filter(e=>e!==void 0).join(`
`)}function F(e,...t){let n=e[0]??``;for(let[r,i]of t.entries())n+=L(i)+(e[r+1]??``);return{html:n}}function I(e){return{html:e}}function L(e){return e===void 0||e===!1?``:typeof e==`string`?be(e):typeof e==`number`?String(e):`html`in e?e.html:e.map(L).join(``)}const ve={"&":`&amp;`,"<":`&lt;`,">":`&gt;`,'"':`&quot;`,"'":`&#39;`},ye=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;function be(e){return e.toWellFormed().replace(/[&<>"']/g,e=>ve[e]??``).replace(ye,e=>`‹${le(e)}›`)}function xe(e,t){let n=Se(e),r=3e3,i=[];for(let e of n){let n=e.hunks.reduce((e,t)=>e+t.rows.length,0);r>0&&i.push(Ee(e,{proof:t,maxRows:r})),r-=Math.max(1,n)}return F`${i}${r<0?F`<p class="notice">The patch is too long to show as a whole. All of it is in <code>patch.diff</code>.</p>`:``}`}function Se(e){return e.split(/^(?=diff --git )/m).filter(e=>e.startsWith(`diff --git `)).map(Ce)}function Ce(e){let t=e.replace(/\n$/,``).split(`
`),n=t.findIndex(e=>e.startsWith(`@@ `)),r=n<0?t:t.slice(0,n),i=[];for(let e of n<0?[]:t.slice(n))e.startsWith(`@@ `)?i.push({head:e,lines:[]}):i.at(-1)?.lines.push(e);return{path:we(r),facts:r.filter(e=>/^(?:new|deleted|old) |^(?:GIT )?[Bb]inary/.test(e)),hunks:i.map(e=>({head:e.head,rows:Te(e.head,e.lines)}))}}function we(e){let t=t=>e.filter(e=>e.startsWith(`${t} `)).map(e=>R(e.slice(4))).find(e=>e!==`/dev/null`);return(t(`+++`)??t(`---`)??R((e[0]??``).split(` `).at(-1)??``)).replace(/^[ab]\//,``)}function R(e){if(!/^".*"$/.test(e))return e;let t=e.slice(1,-1).replace(/\\([0-7]{3})|\\(.)/g,(e,t,n=``)=>t===void 0?{n:`
`,t:`	`,r:`\r`}[n]??n:String.fromCharCode(Number.parseInt(t,8)));return/^[\0-\xff]*$/.test(t)?Buffer.from(t,`latin1`).toString(`utf8`):t}function Te(e,t){let[,n=`1`,r=`1`]=/^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(e)??[],[i,a]=[Number(n),Number(r)],o=[],[s,c]=[[],[]],l=()=>{for(let e=0;e<Math.max(s.length,c.length);e++)o.push({old:s[e],now:c[e]});[s,c]=[[],[]]};for(let e of t){let t=e.slice(1);e.startsWith(`-`)?s.push({number:i++,text:t}):e.startsWith(`+`)?c.push({number:a++,text:t}):e.startsWith(` `)&&(l(),o.push({old:{number:i++,text:t},now:{number:a++,text:t}}))}return l(),o}function Ee({path:e,facts:t,hunks:n},r){let i=r.maxRows,a=n.flatMap(e=>{let t=e.rows.slice(0,Math.max(0,i));return i-=e.rows.length,t.length===0?[]:[{head:e.head,rows:t}]}),o=De(e,r.proof),s=r.proof?.mutants.survived.filter(t=>t.path===e)??[],c=a.map(e=>F`<tr class="hunk"><td colspan="5">${e.head}</td></tr>
${e.rows.map(e=>F`${Oe(e,o)}${Ae(e,s)}`)}`),l=a.length===0?``:F`<table class="diff"><caption class="vh">${e}</caption>
<colgroup><col class="n"><col><col class="n"><col class="p"><col></colgroup>
<thead class="vh"><tr><th scope="col">line before</th><th scope="col">before</th><th scope="col">line after</th><th scope="col">tests</th><th scope="col">after</th></tr></thead>
<tbody>${c}</tbody></table>`;return F`<h3>${e}</h3>${t.map(e=>F`<p class="quiet">${e}</p>`)}${l}`}function De(e,t){let n=t?.lines.filter(t=>t.path===e)??[];return e=>n.find(t=>e>=t.start&&e<=t.end)?.shows}const z={decided:[`✓`,`a test fails if this line changes`],executed:[`~`,`a test runs this line, and no change of it was noticed`],unexecuted:[`✗`,`no test runs this line`],unknown:[`?`,`it cannot be told what the tests show of this line`]};function Oe({old:e,now:t},n){if(e!==void 0&&t!==void 0&&e.text===t.text)return F`<tr class="same"><td class="n">${e.number}</td><td class="old">${V(e.text)}</td><td class="n">${t.number}</td><td class="p"></td><td class="new">${V(t.text)}</td></tr>
`;let[r,i]=e&&t?je(V(e.text),V(t.text)):[null,null];return F`<tr>${e?F`<td class="n">${e.number}</td><td class="old changed">${r??V(e.text)}</td>`:F`<td class="n none"></td><td class="old none"></td>`}${t?F`<td class="n">${t.number}</td>${ke(n(t.number))}<td class="new changed">${i??V(t.text)}</td>`:F`<td class="n none"></td><td class="p none"></td><td class="new none"></td>`}</tr>
`}function ke(e){if(e===void 0)return F`<td class="p"></td>`;let[t,n]=z[e];return F`<td class="p ${e}" title="${n}"><span aria-hidden="true">${t}</span><span class="vh">${n}</span></td>`}function B({counts:e}){let t=Object.keys(z).filter(t=>e[t]>0);return t.length===0?F``:F`<p class="quiet">${t.map(t=>F`<span class="${t}">${z[t][0]}</span> ${z[t][1]} (${e[t]}) `)}</p>`}function Ae({now:e},t){return(e===void 0?[]:t.filter(t=>t.line===e.number)).slice(0,3).map(e=>F`<tr class="weak"><td colspan="5"><span class="warn">The tests would not notice</span> <code>${V(e.after.trim())}</code></td></tr>
`)}function je(e,t){let n=Math.min(e.length,t.length),r=0;for(;r<n&&e[r]===t[r];)r+=1;let i=0;for(;i<n-r&&e.at(-1-i)===t.at(-1-i);)i+=1;let a=e=>F`${e.slice(0,r)}<b>${e.slice(r,e.length-i)}</b>${e.slice(e.length-i)}`;return[a(e),a(t)]}function V(e){return e.length>600?`${e.slice(0,600)}…`:e}const H=`
:root {
  color-scheme: light dark;
  --text: light-dark(#1f2328, #e6edf3);
  --quiet: light-dark(#59636e, #9da7b1);
  --page: light-dark(#ffffff, #0d1117);
  --panel: light-dark(#f6f8fa, #161b22);
  --line: light-dark(#d1d9e0, #3d444d);
  --link: light-dark(#0550ae, #6cb6ff);
  --good: light-dark(#116329, #56d364);
  --bad: light-dark(#a40e26, #ff7b72);
  --warn: light-dark(#7d4e00, #e3b341);
  --added: light-dark(#dafbe1, #12341d);
  --removed: light-dark(#ffebe9, #4a1a1d);
  --added-word: light-dark(#aceebb, #1f6f36);
  --removed-word: light-dark(#ffcecb, #8e2f2f);
  --model: light-dark(#0969da, #4493f8);
  --tools: light-dark(#1a7f37, #3fb950);
  --tests: light-dark(#8250df, #ab7df8);
  --refused: light-dark(#cf222e, #f85149);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  color: var(--text); background: var(--page);
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre, .diff { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
p code, td code, li code { background: var(--panel); border-radius: 4px; padding: .1em .3em; }
pre { margin: .5rem 0; padding: .7rem .9rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; }
.status { font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.quiet { color: var(--quiet); }
.notice { margin: .8rem 0; padding: .5rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--warn); border-radius: 6px; }
.next { margin: .8rem 0; padding: .5rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: 6px; background: var(--panel); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; max-width: 100%; }
th, td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--panel); font-weight: 600; overflow-wrap: break-word; }
caption { text-align: left; padding: .2rem 0; color: var(--quiet); }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
details { margin: .6rem 0; }
summary { cursor: pointer; padding: .2rem 0; }
.diff { width: 100%; table-layout: fixed; border: 1px solid var(--line); }
.diff th, .diff td { border: 0; padding: 0 .5rem; white-space: pre-wrap; }
.diff thead th { font-family: inherit; padding: .25rem .5rem; }
.diff .n { width: 3.6rem; text-align: right; color: var(--quiet); user-select: none; white-space: nowrap; }
.diff .p { width: 2.2rem; text-align: center; user-select: none; padding: 0; }
.diff .hunk td { color: var(--quiet); background: var(--panel); padding: .15rem .5rem; }
.diff .weak td { background: var(--panel); padding: .2rem .6rem; font-family: system-ui, sans-serif; }
.diff .old.changed { background: var(--removed); } .diff .new.changed { background: var(--added); }
.diff .old b { background: var(--removed-word); font-weight: inherit; }
.diff .new b { background: var(--added-word); font-weight: inherit; }
.diff .none { background: var(--panel); }
.decided { color: var(--good); } .executed, .unknown { color: var(--warn); } .unexecuted { color: var(--bad); }
.lanes { display: grid; grid-template-columns: max-content 1fr; gap: .35rem .8rem; align-items: center; margin: .8rem 0; }
.lanes svg, .chart svg { display: block; width: 100%; background: var(--panel); border: 1px solid var(--line); }
.lanes svg { height: 1.25rem; } .chart svg { height: 6rem; }
.axis { grid-column: 2; display: flex; justify-content: space-between; color: var(--quiet); font-size: 12px; }
.model { fill: var(--model); } .tools { fill: var(--tools); } .tests { fill: var(--tests); } .refused { fill: var(--refused); }
.curve { fill: none; stroke: var(--model); stroke-width: 2; vector-effect: non-scaling-stroke; }
.passing { stroke: var(--good); }
.heat { list-style: none; margin: .5rem 0; padding: 0; }
.heat li { display: grid; grid-template-columns: minmax(9rem, max-content) 3rem 1fr; gap: .8rem; padding: .1rem .5rem; border-left: 10px solid var(--line); overflow-wrap: anywhere; }
.heat code { white-space: pre-wrap; }
.heat .h1 { border-color: light-dark(#fff3b0, #3a3313); } .heat .h2 { border-color: light-dark(#ffd76b, #7a5c12); }
.heat .h3 { border-color: light-dark(#ff9d4d, #b5651d); } .heat .h4 { border-color: light-dark(#e5534b, #e5534b); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer { margin-top: 3rem; color: var(--quiet); font-size: 13px; }
@media (max-width: 700px) {
  body { padding: 1rem .6rem 3rem; font-size: 14px; }
  .diff, .diff tbody { display: block; } .diff thead { display: none; } .diff colgroup { display: none; }
  .diff tr { display: grid; grid-template-columns: 2.8rem 1.6rem 1fr; }
  .diff td.n, .diff td.p { width: auto; }
  .diff td.old { grid-column: 2 / 4; } .diff td.new { grid-column: 3; }
  .diff .hunk td, .diff .weak td { grid-column: 1 / 4; }
  .diff .same .old, .diff .same .n:first-child, .diff .none { display: none; }
  .heat li { grid-template-columns: 1fr 3rem; } .heat code { grid-column: 1 / 3; }
  .lanes { grid-template-columns: 1fr; gap: .1rem; } .axis { grid-column: 1; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; }
  tr, .notice, .next { break-inside: avoid; }
  svg, .diff td, .heat li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`,U=1e3;function Me(e){let{rounds:t}=e;return t.length===0?F`<p>The run ended before its first round.</p>`:F`${Ne(e)}${Fe(t)}${Ie(t)}`}const W=new Set([`verify`,`run_command`,`syntax_check`]);function Ne({rounds:e,durationMs:t}){let n=e.flatMap(e=>e.calls),r=e=>e.decision!==`pass`,i=[...e,...n].filter(r),a=n.filter(e=>!r(e));return F`<div class="lanes">
${[[`model`,`model`,e],[`tools`,`tools`,a.filter(e=>!W.has(e.tool))],[`tests and commands`,`tests`,a.filter(e=>W.has(e.tool))],[`refused`,`refused`,i]].filter(([,,e])=>e.length>0).map(([e,n,r])=>{let i=`${e}: ${r.length} × , ${J(G(r))}`.replace(` × ,`,` times,`);return F`<span>${e} <span class="quiet">${r.length} × · ${J(G(r))}</span></span>
<svg viewBox="0 0 ${U} 10" preserveAspectRatio="none" role="img" aria-label="${i}">${Pe(r,t).map(([e,t])=>F`<rect class="${n}" x="${e}" y="1" width="${t}" height="8"/>`)}</svg>
`})}<div class="axis"><span>0 s</span><span>${J(t/2)}</span><span>${J(t)}</span></div>
</div>`}const G=e=>e.reduce((e,t)=>e+t.durationMs,0);function Pe(e,t){let n=U/Math.max(1,t),r=[];for(let{startMs:t,durationMs:i}of[...e].sort((e,t)=>e.startMs-t.startMs)){let e=Math.min(999,Math.floor(t*n)),a=Math.max(e+1,Math.min(U,Math.ceil((t+i)*n))),o=r.at(-1);o!==void 0&&e<=o[1]?o[1]=Math.max(o[1],a):r.push([e,a])}return r.map(([e,t])=>[e,t-e])}function Fe(e){let t=e.map(e=>e.inputTokens+e.outputTokens),n=e.map(e=>e.cost??0),r=t.reduce((e,t)=>e+t,0),i=n.reduce((e,t)=>e+t,0);if(r===0)return F``;let a=i>0?`, ${i.toFixed(4)} in the currency of the prices`:``;return F`<h3>Tokens by round</h3>
${K(t,`${r} tokens in ${e.length} rounds`,`model`)}
<p class="quiet">${r} tokens${a}.</p>
${i>0&&F`<h3>Cost by round</h3>${K(n,`Cost of ${e.length} rounds`,`tests`)}`}`}function K(e,t,n){let r=Math.ceil(e.length/250),i=Array.from({length:Math.ceil(e.length/r)},(t,n)=>e.slice(n*r,(n+1)*r).reduce((e,t)=>e+t,0)),a=Math.max(...i,Number.MIN_VALUE),o=U/i.length,s=i.map((e,t)=>{let r=96*e/a;return F`<rect class="${n}" x="${q(t*o)}" y="${q(100-r)}" width="${q(o*.9)}" height="${q(r)}"/>`});return F`<div class="chart"><svg viewBox="0 0 ${U} 100" preserveAspectRatio="none" role="img" aria-label="${t}">${s}</svg></div>`}const q=e=>Math.round(e*100)/100;function Ie(e){let t=e.length-200,n=t>0?[...e.slice(0,100),...e.slice(-100)]:e,r=e.some(e=>e.inputTokens>0),i=n.map((e,n)=>F`${t>0&&n===100&&F`<tr><td colspan="5">… ${t} rounds are left out here; the ledger has them …</td></tr>`}<tr><td class="number">${e.number}</td><td>${e.phase}</td><td class="number">${J(e.startMs)}</td><td class="number">${J(e.durationMs)}${r&&F` <span class="quiet">${e.inputTokens} + ${e.outputTokens}</span>`}</td><td>${Le(e)}</td></tr>
`);return F`<details><summary>${e.length===1?`1 round`:`All ${e.length} rounds`}</summary>
<div class="wide" tabindex="0" role="region" aria-label="Rounds"><table>
<thead><tr><th scope="col">round</th><th scope="col">phase</th><th scope="col">at</th><th scope="col">model${r&&`, tokens in + out`}</th><th scope="col">calls</th></tr></thead>
<tbody>${i}</tbody></table></div></details>`}function Le({calls:e,code:t}){return F`${t===null?``:F`<span class="bad">reply refused: ${t}</span>`}${e.slice(0,30).map((e,t)=>{let n=e.paths.length===0?``:` ${e.paths.slice(0,3).join(`, `)}`,r=e.decision===`pass`?``:F` <span class="bad">${e.code??e.decision}</span>`;return F`${t>0&&`; `}<code>${e.tool}</code>${n.slice(0,200)}${r} <span class="quiet">${J(e.durationMs)}</span>`})}${e.length>30?`; and ${e.length-30} more`:``}`}function J(e){let t=e/1e3;if(t<10)return`${t.toFixed(1)} s`;let n=Math.round(t);return n<120?`${n} s`:`${Math.floor(n/60)} min ${n%60} s`}async function Re({outcome:e,diff:t,ledger:n}){let r=c(n,Date.parse(e.startedAt)),{verification:i}=e,a=i?.proof,o=[await ze(e),t!==``&&F`<h2 id="patch">The patch</h2>
${e.patch.files.length>1&&await X(ne(e))}
${a&&B(a)}${await X(D(e))}
${xe(t,a)}`,e.answer!==void 0&&F`<h2>The answer</h2>${Z(e)}${await X(g(e.answer,e))}`,e.review!==void 0&&F`<h2>The review</h2>${await X(C(e.review))}`,await X(m(e),`The plan`),F`<h2 id="course">The course of the run</h2>${await X(ae(e))}${r.unreadable>0&&F`<p class="notice">${s(r.unreadable,`line`)} of the ledger cannot be read. <code>photon audit</code> says more.</p>`}${Me(r)}`,await He(e),Ue(r,e),We(e),Ge(e),F`<footer>${await X(p(e))}</footer>`];return Y(`${e.status.replaceAll(`_`,` `)}: ${e.task.id}`,F`${o}`)}function Y(e,t){let{html:n}=F`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${ue(`sha256`).update(H).digest(`base64`)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Photon: ${e}</title>
<style>${I(H)}</style>
</head>
<body>
<main>
${t}
</main>
</body>
</html>
`;return n}async function X(e,t=``){if(e===``)return F``;let r=I(await n(e.replaceAll(`<span>$</span>`,`$`)));return t===``?r:F`<h2>${t}</h2>${r}`}async function ze(e){let{status:t,code:n,message:r,statement:i,choices:o=[],summary:s,hint:c}=e,l=a(t)?`good`:t===`failed`||t===`rolled_back`?`bad`:`warn`,u=oe(e).filter(()=>e.patch.files.length>0),d=[...Be(e),a(t)||c===``?void 0:F`${c}`].filter(e=>e!==void 0),f=Z(e);return F`<p class="status ${l}">${t.replaceAll(`_`,` `)} <span class="quiet"><code>${n}</code></span></p>
<h1>${r}</h1>
${s!==void 0&&F`${f}<p>${s.slice(0,2e3)}</p>`}
${e.left!==void 0&&F`<p>${se(e.left)}</p>`}
${i!==void 0&&F`${f}<pre>${i.slice(0,4e3)}</pre>`}
${o.length>0&&F`<ul>${o.map(e=>F`<li>${e.slice(0,500)}</li>`)}</ul>`}
${await Promise.all(u.map(async e=>F`<div class="notice">${await X(e)}</div>`))}
${Ve(e)}
${d.length>0&&F`<div class="next"><strong>What to do next</strong>${d.map(e=>F`<p>${e}</p>`)}</div>`}
${e.notes.length>0&&F`<ul class="quiet">${e.notes.slice(0,30).map(e=>F`<li>${e.slice(0,600)}</li>`)}</ul>`}`}function Z(e){let t=te(e,` `).trim();return t===``?F``:F`<p class="quiet">${t}</p>`}const Q=/^https?:\/\/[\w.:-]+\/[\w./#?=&-]*$/;function Be({delivered:e,page:t,status:n,runId:r}){let a=(e,t)=>e!==void 0&&Q.test(e)?[F`<a href="${e}" rel="noreferrer">${t}</a>`]:[],o=i(n)&&t===void 0&&n!==`applied`;return[...a(e.pullRequestUrl,`Review pull request #${e.pullRequestNumber??``}`),...a(e.compareUrl,`Open a pull request for the branch`),o?F`Apply the patch: <code>photon apply ${r.split(`-`).at(-1)}</code>`:void 0,...a(t,`The workflow run, with all files of this run`)].filter(e=>e!==void 0)}function Ve({verification:e}){if(e===null)return!1;let{baseline:t,after:n,withBaseTests:r,proof:i}=e,a=[[n?.command??t?.command??`tests`,t,n]];r&&a.push([`with the tests of the base`,void 0,r]);let{decided:o=0,executed:s=0,unexecuted:c=0,unknown:l=0}=i?.counts??{},u=o+s+c+l;return F`<table>
<thead><tr><td></td><th scope="col">before</th><th scope="col">after</th></tr></thead>
<tbody>${a.map(([e,t,n])=>F`<tr><th scope="row"><code>${e.slice(0,200)}</code></th><td>${$(t)}</td><td>${$(n)}</td></tr>`)}
${u>0&&F`<tr><th scope="row">changed lines that a test decides</th><td></td><td>${o} of ${u}</td></tr>`}</tbody></table>
${e.reason!==void 0&&F`<p>${e.reason.slice(0,1e3)}</p>`}
${e.regressions.length>0&&F`<p class="bad">Passed before and fails now: ${e.regressions.slice(0,20).join(`, `)}</p>`}`}function $(e){if(e===void 0)return``;let t=` (${J(e.durationMs)})`;if(e.limit!==null)return`ended by its ${e.limit} limit${t}`;if(e.cases===void 0)return`${e.exitCode===0?`passes`:`fails`}${t}`;let{passed:n,failed:r}=e.cases;return`${r===0?`${n} pass`:`${r} of ${n+r} fail`}${e.exitCode!==0&&r===0?`, but the command fails`:``}${t}`}async function He(e){return e.repair!==void 0&&F`<h2>The embedded engine</h2>${await X(ie(e,!1))}${Ke(e.repair)}`}function Ue({rounds:e},{decisions:t}){let n=e.flatMap(e=>[e,...e.calls].map(t=>({round:e,call:t}))).filter(({call:e})=>e.decision!==`pass`);return n.length===0?F`<h2 id="refused">What was refused</h2><p>Nothing${t.length>0&&` that the ledger names`}: no rule refused a call, and no call failed.</p>`:F`<h2 id="refused">What was refused</h2>
<div class="wide" tabindex="0" role="region" aria-label="Refused calls"><table>
<caption>${s(n.length,`call`)}, by entry of the ledger</caption>
<thead><tr><th scope="col">entry</th><th scope="col">round</th><th scope="col">tool</th><th scope="col">decision</th><th scope="col">code</th><th scope="col">section</th><th scope="col">what the rule saw</th></tr></thead>
<tbody>${n.slice(0,200).map(({round:e,call:t})=>F`<tr><td class="number">${t.seq}</td><td class="number">${e.number}</td><td><code>${t.tool}</code></td><td>${r(t.decision,t.severity)}</td><td><code>${t.code??``}</code></td><td>${t.section}</td><td>${[t.paths.slice(0,3).join(`, `),t.evidence].filter(Boolean).join(`: `).slice(0,600)}</td></tr>
`)}</tbody></table></div>
${n.length>200&&F`<p class="quiet">${n.length-200} more are in the ledger.</p>`}`}function We({verification:e}){if(e===null)return!1;let{baseline:t,early:n,after:r,withBaseTests:i}=e,a=[[`before the patch`,t],[`tests that ran first`,n],[`with the patch`,r],[`with the tests of the base`,i]].flatMap(([e,t])=>t===void 0||t.outputTail.trim()===``?[]:[F`<details><summary>${e}: <code>${t.command.slice(0,200)}</code>, ${$(t)}</summary><pre tabindex="0">${t.outputTail}</pre></details>
`]);return a.length>0&&F`<h2 id="output">Output of the tests</h2>${a}`}function Ge({sandbox:e}){let{guarantees:t,launcher:n}=e;return t.length!==0&&F`<h2 id="sandbox">The sandbox</h2>
<p>${o({sandbox:e})?`Commands ran without a sandbox, because the settings say so. Nothing was kept from them.`:F`Commands ran under <code>${n}</code>. Before the first one, a probe tried to break each guarantee.`}</p>
<table><thead><tr><th scope="col">guarantee</th><th scope="col">the probe</th><th scope="col">meaning</th></tr></thead>
<tbody>${t.map(({name:e,holds:t})=>F`<tr><th scope="row">${e}</th><td class="${t?`good`:`bad`}">${t?`holds`:`missing`}</td><td>${ce[e]}</td></tr>`)}</tbody></table>`}function Ke({suspects:e,course:t=[],tried:n,candidates:r}){return F`${t.length>1&&Je(t,`${n} of ${r} candidates`)}${e.length>0&&qe(e)}`}function qe(e){let t=Math.max(...e.map(e=>e.score),Number.MIN_VALUE),n=Map.groupBy(e,e=>e.path),r=e=>F`<li class="h${Math.min(4,1+Math.floor(3.999*e.score/t))}"><span>${e.path}:${e.line}</span><span class="number">${e.score.toFixed(2)}</span><code>${e.text??``}</code></li>
`;return F`<h3>Suspicious lines</h3>
<p class="quiet">The score is Ochiai’s: 1 for a line that every failing test executes and no passing test does.</p>
${[...n.values()].map(e=>F`<ul class="heat">${e.toSorted((e,t)=>e.line-t.line).map(r)}</ul>`)}`}function Je(e,t){let[n,r]=[1e3,100],i=Math.max(1,e.at(-1)?.ms??1),a=Math.max(1,...e.map(e=>e.tried)),o=e.map(e=>`${(n*e.ms/i).toFixed(1)},${(r-96*e.tried/a).toFixed(1)}`),s=e.find(e=>e.passing>0),c=s===void 0?``:F`<line class="curve passing" x1="${n*s.ms/i}" x2="${n*s.ms/i}" y1="0" y2="${r}"/>`,l=s===void 0?`None passes all tests.`:`The first one that passes all tests was tried after ${J(s.ms)} (the vertical line).`;return F`<h3>Candidates over time</h3>
<div class="chart"><svg viewBox="0 0 ${n} ${r}" preserveAspectRatio="none" role="img" aria-label="${t} in ${J(i)}"><polyline class="curve" points="0,${r} ${o.join(` `)}"/>${c}</svg></div>
<p class="quiet">${t} in ${J(i)}. ${l}</p>`}export{F as html,k as leftOutDiff,D as proofLines,P as proofTable,g as renderAnswer,Y as renderPage,Re as renderRunPage,C as reviewBody,_e as reviewText,J as seconds,Q as webAddress};