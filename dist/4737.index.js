export const id=4737;export const ids=[4737];export const modules={4737:((e,t,n)=>{let r=n(6782);e.exports=(e,t)=>{try{return new r(e,t).range||`*`}catch{return null}}})};
