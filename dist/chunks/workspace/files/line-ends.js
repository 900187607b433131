const e=8e3;function t(t){return!t.subarray(0,e).includes(0)}function n(e){return Buffer.from(e.toString(`latin1`).replaceAll(`\r
`,`
`),`latin1`)}function r(e,n){let[r,i]=[Buffer.from(e),Buffer.from(n)];return r.equals(i)?!0:!r.includes(`\r`)&&t(i)&&o(r).equals(i)}function i(e,{committed:t,inWorkTree:n}){return Buffer.from(t).equals(Buffer.from(n))?e:a(e)}function a(e){let n=Buffer.from(e);return t(n)?o(n):e}function o(e){return Buffer.from(n(e).toString(`latin1`).replaceAll(`
`,`\r
`),`latin1`)}export{i as asCheckedOut,e as binaryBytes,r as isCheckedOut,a as textWithCrlf};