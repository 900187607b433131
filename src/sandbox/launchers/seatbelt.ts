/** The launcher of macOS: `sandbox-exec` with a closed profile. It was never run on macOS (docs/sandbox.md). */
import { join } from 'node:path';
import { splitWords } from '../../base/plural.ts';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { listAncestors, realPath } from '../../workspace/files/locate.ts';
import { type LaunchedCommand, type Launcher, limitLine, type Machine } from './launcher.ts';

/** Reports on descriptor 3 that the profile was accepted, and becomes the command. */
const startScript = `echo >&3 || exit 125; ${limitLine}; exec "$@" 3>&-`;

/**
 * Launches commands through `sandbox-exec`; undefined when it is missing. macOS cannot mount a view, so a command sees the
 * view where it lies, and its home folder and TMPDIR are empty folders of the view.
 */
export function seatbelt(programs: Programs): Launcher | undefined {
  const tools = pickPrograms(programs, ['sandbox-exec', 'sh']);
  if (tools === undefined) return undefined;
  return {
    name: 'seatbelt',
    mounts: false,
    launch: (machine, command) => {
      const { view, cwd, argv } = command;
      const from = (at: string) => view.folders.find(f => f.at === at)?.from;
      const home = from(machine.home) ?? view.path;
      return {
        cwd: join(view.path, cwd),
        env: { ...machine.env, HOME: home, TMPDIR: from('/tmp') ?? home },
        accounts: true,
        argv: [
          ...view.enter,
          tools['sandbox-exec'],
          '-p',
          seatbeltProfile(machine, command),
          tools.sh,
          '-c',
          startScript,
          'sh',
          ...argv,
        ],
      };
    },
  };
}

/** What a program reads of the kernel. `kern.procargs2` is missing: it shows the environment of other processes. */
const kernelNames = splitWords(`
  kern.argmax kern.bootargs kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc kern.ngroups
  kern.osproductversion kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel
  kern.usrstack64 kern.version kern.boottime kern.tcsm_available kern.tcsm_enable kern.willshutdown
  security.mac.lockdown_mode_state sysctl.proc_cputype`);
const kernelPrefixes = splitWords('hw. machdep. vm. net.routetable.');

/** Services for user names, folders of a user, notifications and logs; none that starts programs or holds keys. */
const services = splitWords(`
  com.apple.system.opendirectoryd.libinfo com.apple.system.opendirectoryd.membership com.apple.bsd.dirhelper
  com.apple.system.notification_center com.apple.logd com.apple.system.logger`);
/** Services that check certificates and find name servers. */
const networkServices = splitWords(`
  com.apple.trustd.agent com.apple.SystemConfiguration.configd com.apple.SystemConfiguration.DNSConfiguration`);

/** Links of macOS to `/private` and to `/dev/fd`. */
const systemLinks = splitWords('/etc /tmp /var /dev/stdin /dev/stdout /dev/stderr');
const readDevices = splitWords('/dev/random /dev/urandom /dev/zero /dev/null /dev/dtracehelper');
const writtenDevices = splitWords('/dev/null /dev/zero /dev/stdout /dev/stderr /dev/dtracehelper');

/**
 * The profile of a command. Of several rules that match, the last one counts.
 * @returns ASCII. `sandbox-exec` refuses a profile of more than 65,535 bytes, and the command does not start.
 */
export function seatbeltProfile(
  { parts, links, hidden }: Pick<Machine, 'parts' | 'links' | 'hidden'>,
  { view, network, readOnly = false }: Pick<LaunchedCommand, 'view' | 'network' | 'readOnly'>,
): string {
  const real = (path: string) => realPath(path) ?? path;
  // only ASCII can stand in a profile; a folder with another name stays closed
  const shown = [...new Set(parts.map(p => real(p.from)))].filter(isAscii);
  const followed = links.map(l => l.at).filter(isAscii);
  const folders = view.folders.map(f => real(f.from)).filter(isAscii);
  const own = [real(view.path), ...folders].filter(isAscii);
  const written = readOnly ? folders : own;
  const covered = [...new Set(hidden.map(h => asciiPart(real(h.at))))];
  const lines = [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow dynamic-code-generation)',
    rule('allow sysctl-read', [
      ...kernelNames.map(n => `(sysctl-name ${quote(n)})`),
      ...kernelPrefixes.map(n => `(sysctl-name-prefix ${quote(n)})`),
    ]),
    rule(
      'allow mach-lookup',
      globalNames(
        [...services, network ? networkServices : undefined]
          .flat()
          .filter(item => item !== undefined),
      ),
    ),
    '(allow ipc-posix-sem)',
    '(allow ipc-posix-shm)',
    rule('allow file-read*', ['/', ...readDevices].map(literal)),
    rule('allow file-write-data', writtenDevices.map(literal)),
    // `<(command)` of a shell
    rule('allow file-read* file-write-data', [subpath('/dev/fd')]),
    rule('allow file-ioctl', [literal('/dev/dtracehelper')]),
    rule('allow file-read* file-map-executable', shown.map(subpath)),
    // links are followed, and the folders above can be passed, but not listed
    rule(
      'allow file-read-metadata',
      [...systemLinks, ...followed, ...above([...shown, ...own, ...followed])].map(literal),
    ),
    rule('deny file-read* file-map-executable', covered.map(subpath)),
    rule('allow file-read* file-map-executable', own.map(subpath)),
    // no `file-link`: a hard link in the view could show a hidden file
    rule('allow file-write*', written.map(subpath)),
    '(allow system-socket (socket-domain AF_UNIX))',
    network ? networkRules : undefined,
    // a socket of the command itself; loopback cannot be told from the machine's own, so it stays closed
    rule('allow network-bind', written.map(localSocket)),
    rule('allow network-outbound', written.map(remoteSocket)),
  ]
    .flat()
    .filter(item => item !== undefined);
  return lines.filter(line => line !== '').join('\n');
}

/** Every address, but no socket file of the machine except that of the name service. */
const networkRules = [
  '(allow network-outbound (remote ip))',
  '(allow network-bind (local ip))',
  '(allow network-inbound (local ip))',
  '(allow network-outbound (remote unix-socket (literal "/private/var/run/mDNSResponder")))',
];

/** A rule; nothing without a filter, because a rule without one matches everything. */
function rule(head: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${head} ${filters.join(' ')})`;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, c => `\\${c}`)}"`;
const literal = (path: string) => `(literal ${quote(path)})`;
const subpath = (path: string) => `(subpath ${quote(path)})`;
const localSocket = (path: string) => `(local unix-socket ${subpath(path)})`;
const remoteSocket = (path: string) => `(remote unix-socket ${subpath(path)})`;
const globalNames = (all: readonly string[]) => all.map(n => `(global-name ${quote(n)})`);
const above = (paths: readonly string[]) =>
  [...new Set(paths.flatMap(listAncestors))].filter(isAscii);
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** The path, or the nearest folder above it that a profile can name: more is hidden then, never less. */
function asciiPart(path: string): string {
  return isAscii(path) ? path : (listAncestors(path).find(isAscii) ?? '/');
}
