/** Images that texts on GitHub embed: their addresses, and their bytes from GitHub's own hosts alone. */
import type { Conversation } from '../../../base/task.ts';
import { type CheckedImage, checkImage, imageBounds } from '../../../guard/content/image.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import { readBody } from '../api/run-artifacts.ts';

/** Maximum number of images of a task, and of redirects to one. */
export const maxImages = 4;
const maxHops = 3;

/** Hosts that hold nothing but attachments; the bucket is GitHub's own, other buckets may be anybody's. */
const attachmentHosts: ReadonlySet<string> = new Set([
  'user-images.githubusercontent.com',
  'private-user-images.githubusercontent.com',
  'github-production-user-asset-6210df.s3.amazonaws.com',
]);

/** Paths of attachments on GitHub's own host, and on a GitHub Enterprise Server. */
const attachmentPath =
  /^\/(?:user-attachments\/assets\/|storage\/user\/|[^/]+\/[^/]+\/assets\/\d+\/)[\w./-]+$/;

/** True for an address from which an image may be fetched. `server` is that of the run (`GITHUB_SERVER_URL`). */
export function isAttachment(address: string, server: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(server)) return false;
  const [url, own] = [new URL(address), new URL(server)];
  // dot segments, backslashes and the like: what is fetched must be what is written
  if (url.href !== address) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === own.origin) return attachmentPath.test(url.pathname);
  return url.protocol === 'https:' && url.port === '' && attachmentHosts.has(url.hostname);
}

const embedded =
  /!\[[^\]\n]{0,300}\]\(\s*<?(https?:\/\/[^\s)>]{1,2000})|<img\b[^>]{0,1000}?\ssrc\s*=\s*["'](https?:\/\/[^"'\s]{1,2000})["']/gi;

/** The attachments that texts embed as images, in order, without repetitions. */
export function findImages(texts: readonly string[], server: string): readonly string[] {
  const all = texts
    .flatMap(text => [...text.matchAll(embedded)])
    .map(m => m[1] ?? m[2] ?? '')
    .filter(address => isAttachment(address, server));
  return [...new Set(all)].slice(0, maxImages);
}

interface ImageRequest {
  readonly conversation: Conversation | undefined;
  readonly addresses: readonly string[];
  /** Address of the server; empty stands for github.com. */
  readonly server: string;
}

/**
 * Fetches images, without any token: the addresses in GitHub's own rendering of a text are signed. What cannot be
 * had is left out, and the log says so.
 */
export async function fetchImages(
  github: GitHub,
  request: ImageRequest,
): Promise<readonly CheckedImage[]> {
  const signed = await findSigned(github, request);
  const images: CheckedImage[] = [];
  for (const address of request.addresses.slice(0, maxImages)) {
    const from = signed.get(findId(address)) ?? address;
    const found = await fetchOne(from, { ...request, signal: github.signal }).catch(
      (error: unknown) => {
        if (github.signal.aborted) throw error;
        return { problem: formatMessage(error) };
      },
    );
    if ('problem' in found) github.log(`GitHub: an image is left out, because ${found.problem}.`);
    else images.push(found);
  }
  return images;
}

/** The one id in the path of an attachment, which its signed address has too; empty for other paths. */
function findId(address: string): string {
  const { pathname } = new URL(address);
  const ids = pathname.match(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi) ?? [];
  return ids.length === 1 ? (ids[0]?.toLowerCase() ?? '') : '';
}

/** Signed addresses by id, from the conversation as GitHub renders it. They hold for minutes. */
async function findSigned(
  github: GitHub,
  { conversation, addresses, server }: ImageRequest,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(addresses.map(findId).filter(id => id !== ''));
  if (conversation === undefined || wanted.size === 0) return new Map();
  const where = { ...github.where, mediaType: { format: 'full' } };
  const { number, kind } = conversation;
  const pages: (() => Promise<{ data: unknown }>)[] = [
    () => github.rest.issues.get({ ...where, issue_number: number }),
    () => github.rest.issues.listComments({ ...where, issue_number: number, per_page: 100 }),
  ];
  if (kind !== 'issue')
    pages.push(() =>
      github.rest.pulls.listReviewComments({ ...where, pull_number: number, per_page: 100 }),
    );
  const found = new Map<string, string>();
  for (const read of pages) {
    if (found.size === wanted.size) break;
    const { data } = await read().catch((error: unknown) => {
      if (github.signal.aborted) throw error;
      github.log(`GitHub: the signed addresses of images cannot be read: ${formatMessage(error)}`);
      return { data: [] };
    });
    for (const html of [data].flat().map(readHtml))
      for (const [, src = ''] of html.matchAll(
        /<img\b[^>]{0,1000}?\ssrc="(https?:\/\/[^"]{1,4000})"/gi,
      )) {
        const address = src.replaceAll('&amp;', '&');
        if (!isAttachment(address, server)) continue;
        const id = findId(address);
        if (wanted.has(id) && !found.has(id)) found.set(id, address);
      }
  }
  return found;
}

function readHtml(item: unknown): string {
  const html: unknown = Object(item).body_html;
  return typeof html === 'string' ? html.slice(0, 500_000) : '';
}

/** Longest time of one fetch with its redirects. */
const maxMs = 20_000;

async function fetchOne(
  address: string,
  { server, signal }: Pick<ImageRequest, 'server'> & { readonly signal: AbortSignal },
): Promise<CheckedImage | { readonly problem: string }> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  let url = address;
  for (let hops = 0; hops <= maxHops; hops++) {
    if (!isAttachment(url, server)) return { problem: 'it leads to another host' };
    // no header of ours: neither a token nor a cookie goes to these hosts
    const response = await fetch(url, { redirect: 'manual', signal: until });
    const next = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel();
      url = URL.canParse(next, url) ? new URL(next, url).href : '';
      continue;
    }
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      return { problem: `its host replies ${response.status}` };
    }
    return checkImage(await readBody(response.body, imageBounds.bytes));
  }
  return { problem: 'it is redirected too often' };
}
