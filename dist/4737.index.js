export const id=4737;export const ids=[4737];export const modules={4737:(t,r,e)=>{const n=e(6782);t.exports=(t,r)=>{try{return new n(t,r).range||"*"}catch(t){return null}}}};
