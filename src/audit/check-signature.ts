/** Checks who signed a bundle, offline: by the roots of Sigstore, and by the repository in the certificate. */
import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { PhotonError } from '../base/codes.ts';
import { parseJson } from '../base/schema-issue.ts';
import type { Check } from './verify-run.ts';

interface SignatureOptions {
  /** One trusted root, or several, one a line, as `gh attestation trusted-root` prints them. */
  readonly root: string;
  /** `owner/name`; a run of this repository must have signed, by a workflow of its own or of Photon. */
  readonly repository: string;
  /** Address of GitHub, such as `https://github.com`. */
  readonly server: string;
}

/**
 * Checks each bundle of a file. Returns the check, and those whose signature holds: only they say something.
 * @throws PhotonError `EVIDENCE_INVALID` for an invalid root.
 */
export function checkSignature(
  text: string,
  options: SignatureOptions,
): { readonly check: Check; readonly signed: string | undefined } {
  const name = 'signature';
  const roots = readRoots(options.root);
  const judged = listBundles(text).map(bundle => judgeBundle(bundle, roots, options));
  const good = judged.filter(each => 'signer' in each);
  const [first] = good;
  if (first === undefined) {
    const found = judged.map(each => ('problem' in each ? each.problem : '')).join('; ');
    return {
      check: { name, holds: false, found: found || 'it holds no bundle' },
      signed: undefined,
    };
  }
  return {
    check: { name, holds: true, found: `signed by ${first.signer}` },
    signed: good.map(each => JSON.stringify(each.bundle)).join('\n'),
  };
}

/** The bundles of a text: a single one over several lines, or one a line. */
function listBundles(text: string): readonly unknown[] {
  const whole = parseJson(text);
  return whole === null
    ? text
        .split('\n')
        .map(parseJson)
        .filter(each => each !== null)
    : [whole];
}

function readRoots(text: string): readonly TrustedRoot[] {
  try {
    const roots = listBundles(text).map(root => TrustedRoot.fromJSON(root));
    if (roots.some(root => root.certificateAuthorities.length > 0)) return roots;
  } catch {
    // told below
  }
  throw new PhotonError('EVIDENCE_INVALID', 'The trusted root names no certificate authority.');
}

/** The repository whose run got the certificate, which for a reusable workflow is not where the workflow is. */
const sourceRepository = '1.3.6.1.4.1.57264.1.12';

/** Where the reusable workflows of Photon are. */
const photonWorkflows = 'photon/agent-action/.github/workflows/';

function judgeBundle(
  bundle: unknown,
  roots: readonly TrustedRoot[],
  { repository, server }: SignatureOptions,
): { readonly bundle: unknown; readonly signer: string } | { readonly problem: string } {
  const problems = new Set<string>();
  for (const root of roots) {
    try {
      const entity = toSignedEntity(bundleFromJSON(bundle));
      // GitHub's own authority for private repositories keeps no public log, and has timestamps alone
      const verifier = new Verifier(toTrustMaterial(root), {
        tlogThreshold: Math.min(1, root.tlogs.length),
        ctlogThreshold: Math.min(1, root.ctlogs.length),
        timestampThreshold: 1,
      });
      const { identity } = verifier.verify(entity);
      const signer = identity?.subjectAlternativeName ?? 'nobody';
      const source = findSource(entity);
      const own = `${server}/${repository}`.toLowerCase();
      const isOwn = [`${own}/`, `${server}/${photonWorkflows}`.toLowerCase()].some(start =>
        signer.toLowerCase().startsWith(start),
      );
      if (repository !== '' && isOwn && source.toLowerCase() === own) return { bundle, signer };
      problems.add(
        isOwn && repository !== ''
          ? `signed by ${signer} in a run of ${source || 'an unknown repository'}`
          : `signed by ${signer}, which is no workflow of ${repository || 'the repository'}`,
      );
    } catch (error) {
      problems.add(error instanceof Error ? error.message : String(error));
    }
  }
  return { problem: [...problems].join('; ') };
}

/** The address of the repository whose run signed; empty if the certificate names none. */
function findSource({ key }: ReturnType<typeof toSignedEntity>): string {
  const found = key.$case === 'certificate' && key.certificate.extension(sourceRepository);
  return found ? (found.valueObj.subs[0]?.value.toString('utf8') ?? '') : '';
}
