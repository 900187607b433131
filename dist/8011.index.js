export const id=8011;export const ids=[8011];export const modules={8011:((e,t,n)=>{let r=n(6782);e.exports=(e,t,n)=>{try{t=new r(t,n)}catch{return!1}return t.test(e)}})};
