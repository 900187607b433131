export const id=8011;export const ids=[8011];export const modules={8011:(t,e,o)=>{const r=o(6782);t.exports=(t,e,o)=>{try{e=new r(e,o)}catch(t){return!1}return e.test(t)}}};
