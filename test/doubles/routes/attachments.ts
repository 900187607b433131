/** Attachments of the GitHub double: their addresses need a session, and signed ones are in rendered text alone. */
import type { State } from '../github-routes.ts';

const embedded = /!\[[^\]]*\]\(http[^)]*?([0-9a-f-]{36})\)/g;

/** The fields of a body: with `full`, GitHub renders it and signs the addresses of attachments. */
export function renderedBody({ url }: Pick<State, 'url'>, body: string, accept: string) {
  if (!/\.full(?:\+json)?\b/.test(accept)) return { body };
  const html = body.replace(
    embedded,
    (_all, id: string) => `<img src="${url}/storage/user/1/files/${id}?token=signed&amp;v=1">`,
  );
  return { body, body_html: `<p>${html}</p>`, body_text: body };
}

/** The reply to a request for an attachment; undefined for every other address. */
export function answerAttachment(
  { surface }: Pick<State, 'surface'>,
  { pathname, searchParams }: URL,
): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
} | null {
  const [, folder, id = ''] =
    /^\/(user-attachments\/assets|storage\/user\/1\/files)\/([0-9a-f-]{36})$/.exec(pathname) ?? [];
  if (folder === undefined) return null;
  const found = surface.attachments.get(id);
  const isSigned = searchParams.get('token') === 'signed' && searchParams.get('v') === '1';
  if (found === undefined || !isSigned)
    return { status: 404, headers: {}, bytes: Buffer.from('Not Found') };
  return found.location === undefined
    ? { status: 200, headers: { 'content-type': 'application/octet-stream' }, bytes: found.bytes }
    : { status: 302, headers: { location: found.location }, bytes: Buffer.alloc(0) };
}
