import{isUtf8 as e}from"node:buffer";const t=/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;function n(t){return!t.includes(0)&&e(t)}function r(e){let r=Buffer.from(e.buffer,e.byteOffset,e.byteLength);if(n(e))return{encoding:`utf8`,text:r.toString(`utf8`)};let i=r.toString(`latin1`);return t.test(i)?`binary`:{encoding:`latin1`,text:i}}function i(e){let t=r(e);if(t===`binary`)return t;let{text:n}=t;if(t.encoding===`latin1`)return{encoding:`latin1`,bom:!1,...s(n)};let i=n.startsWith(`﻿`);return{bom:i,...s(i?n.slice(1):n)}}function a({encoding:e,lines:t}){return e===void 0?null:/[^\0-\xff]/u.exec(t.join(``))?.[0]??null}function o(e){let t=e.lines.map((t,n)=>t+(e.terminators[n]??``)).join(``);return e.encoding===void 0?Buffer.from((e.bom?`﻿`:``)+t,`utf8`):Buffer.from(t,e.encoding)}function s(e){let t=[],n=[],r=0;for(;r<e.length;){let i=e.indexOf(`
`,r),a=i>r&&e[i-1]===`\r`;if(t.push(e.slice(r,i<0?e.length:a?i-1:i)),n.push(i<0?``:a?`\r
`:`
`),i<0)break;r=i+1}return{lines:t,terminators:n}}function c(e){return e.terminators.filter(e=>e===`\r
`).length>e.terminators.filter(e=>e===`
`).length?`\r
`:`
`}export{r as decodeText,c as dominantTerminator,a as findUnwritable,n as isUtf8Text,i as parseTextFile,o as renderTextFile,s as splitLines};