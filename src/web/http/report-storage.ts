/**
 * A script in front of a report's own: a page without an origin has no storage, and a look at it throws. This one lasts as
 * long as the page. Playwright's report shows nothing at all without it.
 */
export const STORAGE_FOR_REPORTS = `{
const methods={getItem(k){return Object.hasOwn(this,k)?this[k]:null},setItem(k,v){this[k]=String(v)},removeItem(k){delete this[k]},clear(){for(const k of Object.keys(this))delete this[k]},key(i){return Object.keys(this)[i]??null},get length(){return Object.keys(this).length}};
for(const name of['localStorage','sessionStorage'])try{self[name]}catch{Object.defineProperty(self,name,{value:Object.create(methods)})}
document.currentScript.remove()}`;
