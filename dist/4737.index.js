export const id=4737;export const ids=[4737];export const modules={4737:(t,n,o)=>{const r=o(6782);const e=(t,n)=>{try{return new r(t,n).range||"*"}catch(t){return null}};t.exports=e}};
