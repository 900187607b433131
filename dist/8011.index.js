export const id=8011;export const ids=[8011];export const modules={8011:(t,e,o)=>{const s=o(6782);const r=(t,e,o)=>{try{e=new s(e,o)}catch(t){return false}return e.test(t)};t.exports=r}};
