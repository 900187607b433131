function e(e){return!e.subarray(0,8e3).includes(0)}function t(e){return Buffer.from(e.toString(`latin1`).replaceAll(`\r
`,`
`),`latin1`)}function n(t,n){let[r,i]=[Buffer.from(t),Buffer.from(n)];return r.equals(i)?!0:!r.includes(`\r`)&&e(i)&&a(r).equals(i)}function r(e,{committed:t,inWorkTree:n}){return Buffer.from(t).equals(Buffer.from(n))?e:i(e)}function i(t){let n=Buffer.from(t);return e(n)?a(n):t}function a(e){return Buffer.from(t(e).toString(`latin1`).replaceAll(`
`,`\r
`),`latin1`)}export{r as asCheckedOut,n as isCheckedOut,i as textWithCrlf};