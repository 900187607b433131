export const id=5354;export const ids=[5354];export const modules={5354:((e,t,n)=>{n.r(t),n.d(t,{openSandbox:()=>H});var r=n(3024),i=n(8161),a=n(6760),o=n(7702),s=n(4512),c=n(5726);let l=(e,t)=>(0,c.R)({argv:[`sudo`,`-n`,...e],cwd:`/`,env:{PATH:`/usr/sbin:/usr/bin:/sbin:/bin`,DEBIAN_FRONTEND:`noninteractive`},timeoutMs:t,maxOutputBytes:4e3,signal:new AbortController().signal});async function u(e){let t=await l([`sysctl`,`-n`,s.z8],1e4);return t.exitCode!==0||t.output.trim()!==`1`?null:(e(`Sandbox: ${s.z8} is set to 0 for this run and restored after it.`),await l([`sysctl`,`-w`,`${s.z8}=0`],1e4),async()=>{await l([`sysctl`,`-w`,`${s.z8}=1`],1e4)})}async function d(e){if((0,s.Kp)(`bwrap`,e)!==null||(await l([`true`],1e4)).exitCode!==0)return!1;e.log(`Sandbox: installing bubblewrap.`);let t=()=>l([`apt-get`,`install`,`-y`,`-qq`,`--no-install-recommends`,`bubblewrap`],18e4);return(await t()).exitCode!==0&&(await l([`apt-get`,`update`,`-qq`],18e4),await t()),(0,s.Kp)(`bwrap`,e)!==null}let f=[`prlimit`,`--nproc=8192`,`--fsize=8589934592`,`--core=0`,`--`],p=[...f,`sh`,`-c`,`echo >&3 || exit 125
(read -r _ <&3; kill -9 -1) >/dev/null 2>&1 & tether=$!
"$@" 3>&-; code=$?
cat /proc/net/snmp /proc/net/snmp6 >&3 2>/dev/null; kill -9 $tether
exit $code`,`sh`];function m(e){return{cwd:`/`,env:{...e.env,HOME:e.home},accounts:!0}}let h=[`/proc/sys`,`/proc/sysrq-trigger`,`/proc/irq`,`/proc/bus`];function g(e,t){let n=t=>t===e.workspacePath||t.startsWith(`${e.workspacePath}/`),r=[...[`/tmp`,`/run`,`/var/tmp`,e.home,...e.hidePaths].filter(e=>e!==`/`&&!n(e)).map(e=>({kind:`empty`,at:e})),...e.readOnlyPaths.map(e=>({kind:`read-only`,at:e,from:e})),...t.folders.map(e=>({kind:`writable`,...e})),{kind:`writable`,at:e.workspacePath,from:t.path}];return[...new Map(r.map(e=>[e.at,e])).values()].sort((e,t)=>e.at.length-t.at.length)}function _(e){return{name:`bubblewrap`,launch:(t,n)=>({...m(t),argv:[...n.view.enter,e,`--unshare-all`,...t.user===null?[]:[`--uid`,t.user.uid,`--gid`,t.user.gid],...n.network?[`--share-net`]:[],`--die-with-parent`,`--new-session`,`--cap-drop`,`ALL`,`--ro-bind`,`/`,`/`,`--dev`,`/dev`,`--perms`,`1777`,`--size`,`1073741824`,`--tmpfs`,`/dev/shm`,`--remount-ro`,`/dev`,`--proc`,`/proc`,...h.flatMap(e=>[`--ro-bind-try`,e,e]),...g(t,n.view).flatMap(v),`--chdir`,(0,a.join)(t.workspacePath,n.cwd),`--`,...p,...n.argv]})}}function v(e){return e.kind===`empty`?[`--size`,`268435456`,`--tmpfs`,e.at]:[e.kind===`writable`?`--bind`:`--ro-bind-try`,e.from,e.at]}let y=[`--user`,`--map-root-user`,`--mount`,`--pid`,`--ipc`,`--uts`,`--cgroup`];function b(e,t){return{name:`namespaces`,launch:(n,r)=>({...m(n),argv:[...r.view.enter,`setpriv`,`--pdeathsig`,`KILL`,e,...y,...r.network?[]:[`--net`],`--fork`,`--kill-child`,`sh`,`-c`,S(n,{...r,rootFolder:t}),`sh`,...p,...r.argv]})}}let x=e=>`'${e.replaceAll(`'`,`'\\''`)}'`;function S(e,{rootFolder:t,view:n,cwd:r,network:i}){let{workspacePath:o,user:s}=e;return[`set -e; umask 022; PATH="$PATH:/usr/sbin:/sbin"`,`r=${x(t)}`,w,`mount --rbind / "$r"`,`seal_all`,T,`mount -t proc proc "$r/proc"`,...h.map(e=>`seal ${x(e)}`),...g(e,n).map(C),...i?[]:[E],`mkdir "$r/run/old"; cd "$r"; pivot_root . run/old; umount -l /run/old; rmdir /run/old`,`cd ${x((0,a.join)(o,r))}`,s===null?`exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- "$@"`:`exec unshare --user --map-user=${s.uid} --map-group=${s.gid} setpriv --no-new-privs -- "$@"`].join(`
`)}function C(e){return e.kind===`empty`?`empty ${x(e.at)}`:`${e.kind===`writable`?`writable`:`show`} ${x(e.from)} ${x(e.at)}`}let w=`
read_only() { mount -o "remount,bind,ro,$2" "$1" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$1"; }
kept() {
  k=; IFS=,
  for o in $1; do
    case "$o" in nosuid|nodev|noexec|noatime|nodiratime|relatime) k="$k$o," ;; esac
  done
  unset IFS
}
flags_at() { # of the last mount on the way to a path
  f=; n=0
  while read -r _ _ _ _ at flags _; do
    case "$1/" in "\${at%/}"/*) [ "\${#at}" -lt "$n" ] || { f=$flags; n=\${#at}; } ;; esac
  done < /proc/self/mountinfo
  kept "$f"
}
seal_all() {
  while read -r _ _ _ _ at flags _; do
    case "$at" in *'\\'*) at=$(printf '%b' "$(printf '%s' "$at" | sed 's/\\\\/\\\\0/g')") ;; esac
    case "$at" in "$r"|"$r"/*) kept "$flags"; read_only "$at" "$k" ;; esac
  done < /proc/self/mountinfo
}
seal() { [ ! -e "$r$1" ] || { mount --bind "$r$1" "$r$1"; read_only "$r$1" nosuid,nodev,noexec,relatime; }; }
empty() { [ ! -d "$r$1" ] || mount -t tmpfs -o mode=0755,nosuid,nodev,size=268435456 tmpfs "$r$1"; }
writable() {
  if [ -d "$1" ]; then mkdir -p "$r$2"; else mkdir -p "$r\${2%/*}"; : > "$r$2"; fi
  mount --bind "$1" "$r$2"
}
show() { [ ! -e "$1" ] || { writable "$1" "$2"; flags_at "$1"; read_only "$r$2" "$k"; }; }`,T=`
mount -t tmpfs -o mode=0755,nosuid tmpfs "$r/dev"
for d in null zero full random urandom tty; do : > "$r/dev/$d"; mount --bind "/dev/$d" "$r/dev/$d"; done
mkdir -m 1777 "$r/dev/shm"; mkdir "$r/dev/pts"
ln -s pts/ptmx "$r/dev/ptmx"; ln -s /proc/self/fd "$r/dev/fd"
for n in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${n%%:*}" "$r/dev/\${n#*:}"; done
read_only "$r/dev" nosuid,relatime
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$r/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev,size=1073741824 tmpfs "$r/dev/shm"`,E=`
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null ||
  perl -MSocket -e 'socket(S,AF_INET,SOCK_DGRAM,0);$r=pack("a16sx22","lo",65);exit !ioctl(S,0x8914,$r)'`;function D(e){return{name:`plain`,launch:(t,n)=>({cwd:(0,a.join)(n.view.path,n.cwd),env:t.env,accounts:!1,argv:[...n.view.enter,...e?f:[],...n.argv]})}}function O(e){let[t=[],n=[]]=e.split(`
`).filter(e=>e.startsWith(`Ip: `)).map(e=>e.split(` `)),r=n[t.indexOf(`OutNoRoutes`)],i=/^Ip6OutNoRoutes\s+(\d+)/m.exec(e)?.[1];return r===void 0&&i===void 0?null:Number(r??0)+Number(i??0)}var k=n(7327),A=n(1314),j=n(7030);async function M(e){let t=(0,a.join)(e.scratch,`probe.sock`),n={udp:0},i=(0,A.createSocket)(`udp4`);i.on(`message`,()=>{n.udp+=1}),await new Promise(e=>i.bind(0,`127.0.0.1`,()=>e()));let o=await Promise.all([L({host:`127.0.0.1`,port:0}),L({path:t}),L({path:`\0${e.token}`})]),s=e.writeTargets.map(t=>(0,a.join)(t,`photon-${e.token}`));try{let r=o[0]?.address(),a=typeof r==`object`&&r?r.port:0,c=await F(e,JSON.stringify({tcp:a,udp:i.address().port,path:t,token:e.token,targets:s,...I()})),l=await R(e.token),u=c!==null&&!N(s)&&!await P(e);return[{name:`network`,holds:c?.tcp===!1&&n.udp===0},{name:`writes`,holds:u},{name:`peek`,holds:c?.peek===!1},{name:`sockets`,holds:c?.path===!1&&c.abstract===!1},{name:`survivors`,holds:c!==null&&l===0},{name:`privilege`,holds:c?.newPrivileges===!1},{name:`resources`,holds:c?.limits===!0}]}finally{i.close();for(let e of o)e?.close();(0,r.rmSync)(t,{force:!0})}}function N(e){let t=e.filter(e=>(0,r.existsSync)(e));for(let e of t)(0,r.rmSync)(e,{force:!0});return t.length>0}async function P(e){let t=e.guardedTargets.map(t=>(0,a.join)(t,`photon-${e.token}`)),n=[`sh`,`-c`,`for t in "$@"; do : > "$t"; done`,`sh`,...t];return await(0,c.R)({...e.launch(n),timeoutMs:1e4,maxOutputBytes:4e3,signal:new AbortController().signal}),N(t)}async function F(e,t){let n=e.launch([e.node,`-e`,`
const net=require('net'),fs=require('fs'),dgram=require('dgram'),cp=require('child_process');
const c=JSON.parse(process.argv[1]),r={};
const connect=o=>new Promise(d=>{const s=net.connect(o);const e=v=>{s.destroy();d(v)};s.on('connect',()=>e(true));s.on('error',()=>e(false));s.setTimeout(1000,()=>e(false))});
const read=p=>{try{return fs.readFileSync(p,'latin1')}catch{return ''}};
(async()=>{
r.tcp=await connect({host:'127.0.0.1',port:c.tcp});
r.path=await connect({path:c.path});
r.abstract=await connect({path:'\\0'+c.token});
await new Promise(d=>{try{const u=dgram.createSocket('udp4');u.on('error',d);u.send('x',c.udp,'127.0.0.1',()=>{u.close();d()})}catch{d()}});
r.peek=read('/proc/'+c.pid+'/stat').split(' ')[21]===c.started;
for(const t of c.targets){try{fs.writeFileSync(t,'x')}catch{}}
const status=read('/proc/self/status');
r.newPrivileges=!/NoNewPrivs:\\s*1/.test(status)||!/CapEff:\\s*0+\\n/.test(status);
r.limits=/Max core file size\\s+0\\s/.test(read('/proc/self/limits'))&&/Max processes\\s+\\d+/.test(read('/proc/self/limits'));
cp.spawn('sh',['-c','trap "" TERM HUP INT; while :; do sleep 1; done',c.token],{detached:true,stdio:'ignore'}).unref();
console.log('PHOTON'+JSON.stringify(r));
process.exit(0);
})();`,t]),r=await(0,c.R)({...n,timeoutMs:2e4,maxOutputBytes:64e3,signal:new AbortController().signal}),i=/^PHOTON(\{.*\})$/m.exec(r.output)?.[1];return i===void 0?null:JSON.parse(i)}function I(){let e=(0,r.existsSync)(`/proc/self/stat`)?(0,r.readFileSync)(`/proc/self/stat`,`latin1`).split(` `)[21]??``:``;return{pid:process.pid,started:e}}function L(e){return new Promise(t=>{let n=(0,j.createServer)(e=>e.destroy());n.on(`error`,()=>t(null)),n.listen(e,()=>t(n))})}async function R(e){if(!(0,r.existsSync)(`/proc`))return 1;let t=z(e);for(let n=0;n<10&&t.length>0;n++)await new Promise(e=>setTimeout(e,50)),t=z(e);for(let e of t)try{process.kill(Number(e),`SIGKILL`)}catch{}return t.length}function z(e){return(0,r.readdirSync)(`/proc`).filter(e=>/^\d+$/.test(e)&&Number(e)!==process.pid).filter(t=>{try{return(0,r.readFileSync)(`/proc/${t}/cmdline`,`latin1`).includes(e)}catch{return!1}})}var B=n(1400),V=n(5252);async function H(e){let t=(0,s.Fe)(e),{chosen:n,close:r}=await G(e,t),{launcher:i,guarantees:a}=n,l=a.filter(e=>!e.holds).map(e=>e.name);if((0,V.r)(e.mode,e.hosted)&&l.length>0){await r();let t=`The sandbox lacks: ${l.join(`, `)}.`;throw new o.l(`SANDBOX_UNAVAILABLE`,[t,...(0,s.UR)(e)].join(` `))}let u={checkout:e.workspacePath,scratch:e.scratch},d=t=>(0,s.Kp)(t,e),f=i.name===`plain`?null:await(0,k.qL)({...u,find:d}),p=f===null?[]:await(0,k.p3)(f,e.scratch,t.caches);return{launcher:i.name,guarantees:a,support:{overlay:f,home:t.home,caches:p},close:r,start:n=>(0,c.k)({...i.launch(t,n),watch:(t,n)=>(0,B.O)(t,W(e),n)}),run:n=>U({launcher:i,machine:t,limits:W(e)},n)}}async function U(e,t){let{launcher:n,machine:r,limits:i}=e,a=n.launch(r,t),{account:o,...s}=await(0,c.R)({...a,timeoutMs:t.timeoutMs,maxOutputBytes:t.maxOutputBytes,signal:t.signal,watch:(e,t)=>(0,B.O)(e,i,t)});return{...s,began:!a.accounts||o!==``,refusedConnections:t.network?null:O(o)}}function W({memoryBytes:e,processes:t,scratch:n}){let{bavail:a,bsize:o}=(0,r.statfsSync)(n);return{memoryBytes:e??Math.floor((process.constrainedMemory()||(0,i.totalmem)())*.8),processes:t??4096,folder:n,reserveBytes:Math.min(134217728,Math.floor(a*o/2))}}async function G(e,t){let n=[],r=async()=>{for(let e of n.splice(0))await e()},i=null;if(e.mode!==`none`&&process.platform===`linux`&&(i=await q(e,t),!K(i)&&e.hosted)){let r=await u(e.log);r!==null&&(n.push(r),i=await q(e,t)),!K(i)&&await d(e)&&(i=await q(e,t))}if(i===null){let n=D((0,s.Kp)(`prlimit`,e)!==null);i={launcher:n,guarantees:await J(n,e,t)}}return{chosen:i,close:r}}let K=e=>e?.guarantees.every(e=>e.holds)===!0;async function q(e,t){let[n,i]=[`bwrap`,`unshare`].map(t=>(0,s.Kp)(t,e)),o=(0,a.join)(e.scratch,`root`);(0,r.mkdirSync)(o,{recursive:!0});let c=[...n?[_(n)]:[],...i?[b(i,o)]:[]],l=null,u=e=>e?.guarantees.filter(e=>e.holds).length??0;for(let n of c){let r={launcher:n,guarantees:await J(n,e,t)};if(K(r))return r;u(r)>u(l)&&(l=r)}return l}function J(e,t,n){let i=(0,r.realpathSync)(process.execPath),o={...n,readOnlyPaths:[...n.readOnlyPaths,(0,a.dirname)(i)]},s={path:t.scratch,enter:[],folders:[]};return M({launch:t=>e.launch(o,{argv:t,view:s,cwd:`.`,network:!1}),scratch:t.scratch,node:i,token:t.token,writeTargets:[(0,a.dirname)(t.scratch),`/var/tmp`],guardedTargets:[t.workspacePath,n.home].filter(e=>e!==``)})}})};
