/** An authority that signs statements as `actions/attest` has them signed in a private repository: certificate and timestamp. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { initializeCA, initializeTSA } from '@sigstore/mock';

const payloadType = 'application/vnd.in-toto+json';

export interface Authority {
  /** Its trusted root, as `gh attestation trusted-root` prints one. */
  readonly root: string;
  /** A bundle over a statement, signed by a workflow, in a run of `repository`: by default where the workflow is. */
  sign(statement: string, workflow: string, repository?: string): Promise<string>;
}

const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const base64 = (bytes: ArrayBufferView) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

export async function startAuthority(): Promise<Authority> {
  // a whole second, since the verifier reads no fraction that ends in a zero; and after the authorities' certificates
  const clock = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000);
  const [ca, tsa] = await Promise.all([
    initializeCA(makeKey(), undefined, clock),
    initializeTSA(makeKey(), clock),
  ]);
  const validFor = { start: '2000-01-01T00:00:00Z' };
  const subject = { commonName: 'double', organization: 'double' };
  const chain = (...certificates: ArrayBufferView[]) => ({
    certificates: certificates.map(c => ({ rawBytes: base64(c) })),
  });
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [],
    ctlogs: [],
    certificateAuthorities: [{ subject, uri: '', certChain: chain(ca.rootCertificate), validFor }],
    timestampAuthorities: [
      { subject, uri: '', certChain: chain(tsa.intCertificate, tsa.rootCertificate), validFor },
    ],
  };
  return {
    root: JSON.stringify(root),
    sign: async (statement, workflow, repository = workflow.replace(/\/\.github\/.*/, '')) => {
      const { publicKey, privateKey } = makeKey();
      const payload = Buffer.from(statement);
      // https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
      const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
      const signature = sign('sha256', Buffer.concat([Buffer.from(head), payload]), privateKey);
      const certificate = await ca.issueCertificate({
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        subjectAltName: workflow,
        extensions: [{ oid: '1.3.6.1.4.1.57264.1.12', value: repository }],
      });
      const timestamp = await tsa.timestamp({
        artifactHash: createHash('sha256').update(signature).digest(),
        hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
        nonce: 1,
        policyOID: '1.3.6.1.4.1.57264.2',
      });
      return JSON.stringify({
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: { rawBytes: base64(certificate) },
          tlogEntries: [],
          timestampVerificationData: {
            rfc3161Timestamps: [{ signedTimestamp: base64(timestamp) }],
          },
        },
        dsseEnvelope: {
          payload: payload.toString('base64'),
          payloadType,
          signatures: [{ sig: signature.toString('base64') }],
        },
      });
    },
  };
}
