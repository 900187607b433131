/** Fetches the artifacts of a workflow run and signed bundles: the list over the API, each file from the host that the API names. */
import { lookup } from 'node:dns/promises';
import { readSnappy } from '../../../audit/snappy.ts';
import { PhotonError } from '../../../base/codes.ts';
import { sum } from '../../../base/plural.ts';
import { parseJson } from '../../../base/schema-issue.ts';
import { isPublic } from '../../../process/egress/rules.ts';
import { isPrivateAddress } from '../../../settings/vendors.ts';
import { invalid } from '../../../workspace/files/read-zip.ts';
import type { GitHub } from './github.ts';
import { getStatus } from './github-errors.ts';

/** Maximum bytes of an archive, packed, and of artifacts that are fetched. */
const artifactBounds = { bytes: 64 * 1024 * 1024, artifacts: 20 } as const;
const maxMs = 120_000;

/**
 * The archives of the run that have not expired: first those with Photon in their name, newest first.
 * @throws PhotonError `ARTIFACT_EXPIRED` if all have, `EVIDENCE_MISSING` without any, `ARTIFACT_INVALID`, `GITHUB_*`.
 */
export async function* fetchArtifacts(github: GitHub, run: number): AsyncGenerator<Buffer> {
  const { data } = await github.rest.actions.listWorkflowRunArtifacts({
    ...github.where,
    run_id: run,
    per_page: 100,
  });
  if (data.artifacts.length === 0)
    throw new PhotonError('EVIDENCE_MISSING', `Workflow run ${run} has no artifact.`);
  const kept = data.artifacts.filter(a => !a.expired);
  if (kept.length === 0) throw expiryError(run);
  const isOwn = (name: string) => (/photon/i.test(name) ? 1 : 0);
  const inOrder = kept
    .sort((a, b) => isOwn(b.name) - isOwn(a.name) || b.id - a.id)
    .slice(0, artifactBounds.artifacts);
  for (const { id } of inOrder) {
    const address = await findAddress(github, id);
    if (address === undefined) throw expiryError(run);
    yield await download(github, address);
  }
}

interface SignedFile {
  /** sha256 of the file. */
  readonly digest: string;
  readonly predicateType: string;
}

/** Maximum bytes of one signed bundle, unpacked, and of all; and how many count. A predicate has at most 16 MB. */
const bundleBounds = { each: 32 * 1024 * 1024, all: 64 * 1024 * 1024, count: 20 } as const;

/**
 * The signed bundles that GitHub keeps for a file, each as JSON in one line. A reply holds a bundle, or the address of
 * one, which storage packs.
 * @throws PhotonError `ARTIFACT_INVALID` for a bundle that cannot be fetched, and for more than the bounds allow; `GITHUB_*`.
 */
export async function fetchBundles(
  github: GitHub,
  { digest, predicateType }: SignedFile,
): Promise<readonly string[]> {
  const request = {
    ...github.where,
    subject_digest: `sha256:${digest}`,
    predicate_type: predicateType,
  };
  const found = await github.rest.repos.listAttestations(request).then(
    reply => reply.data.attestations ?? [],
    (error: unknown) => {
      // a server without attestations, or a token that may not read them: the files count as not signed
      if ([403, 404].includes(getStatus(error) ?? 0)) return [];
      throw error;
    },
  );
  if (found.length > bundleBounds.count) throw invalid(`it has ${found.length} signed bundles`);
  const bundles: string[] = [];
  for (const { bundle, bundle_url: address } of found) {
    if (bundle != null) bundles.push(JSON.stringify(bundle));
    else if (address) {
      const packed = await download(github, address);
      const json = parseJson(readSnappy(packed, bundleBounds.each)?.toString('utf8') ?? '');
      if (json === null) throw invalid('its signed bundle cannot be read');
      bundles.push(JSON.stringify(json));
    }
    if (sum(bundles.map(text => text.length)) > bundleBounds.all)
      throw invalid('its signed bundles are too large');
  }
  return bundles;
}

function expiryError(run: number): PhotonError {
  return new PhotonError('ARTIFACT_EXPIRED', `The artifacts of workflow run ${run} have expired.`);
}

/** The signed address of an archive, which holds for a minute; undefined if it expired since it was listed. */
async function findAddress(github: GitHub, id: number): Promise<string | undefined> {
  const request = { redirect: 'manual', signal: github.signal } as const;
  try {
    const { headers } = await github.rest.actions.downloadArtifact({
      ...github.where,
      artifact_id: id,
      archive_format: 'zip',
      request,
    });
    return headers.location ?? '';
  } catch (error) {
    if (getStatus(error) === 410) return undefined;
    throw error;
  }
}

/**
 * True for an address of the public internet over https, and for any that a server of one's own names. A name that is not found
 * leads nowhere, or a proxy finds it.
 */
async function mayFollow(address: string, apiUrl: string): Promise<boolean> {
  if (!URL.canParse(address)) return false;
  const [to, api] = [new URL(address), new URL(apiUrl)];
  if (to.protocol !== 'https:' && to.protocol !== api.protocol) return false;
  return (await isOutside(to)) || !(await isOutside(api));
}

async function isOutside({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  return !isPrivateAddress(`https://${hostname}`) && found.every(each => isPublic(each.address));
}

/** Fetches a file without any header of ours: storage refuses a token, and must not see it. */
async function download({ apiUrl, signal }: GitHub, address: string): Promise<Buffer> {
  if (!(await mayFollow(address, apiUrl))) throw invalid('GitHub names no address of it');
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  try {
    const response = await fetch(address, { redirect: 'error', signal: until });
    if (!response.ok) throw invalid(`its storage answers ${response.status}`);
    const file = await readBody(response.body, artifactBounds.bytes);
    if (file.length <= artifactBounds.bytes) return file;
    throw invalid(`it is larger than ${artifactBounds.bytes / 1024 / 1024} MB`);
  } catch (error) {
    if (error instanceof PhotonError || signal.aborted) throw error;
    // the address is signed, so no error may show it
    throw invalid('its storage cannot be reached');
  }
}

/** The bytes of a body, to the end of the chunk that goes beyond `max`. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > max) break;
  }
  return Buffer.concat(chunks);
}
