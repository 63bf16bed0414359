/** Records what operators do with certificates. Certificates that policy signs are only in the log. */

import { authorOf, type Change } from '../../../platform/changes/index.ts';
import type { HttpRequest } from '../../../platform/http/index.ts';

export type CertificateAction = 'sign' | 'reject' | 'revoke' | 'delete' | 'clean';

/** Never rejects: what was signed or revoked stays so when it cannot be recorded. */
export type RecordChange = (change: Change) => Promise<void>;

const messages: Readonly<Record<CertificateAction, (certname: string) => string>> = {
  sign: (certname) => `Signed the certificate of ${certname}`,
  reject: (certname) => `Deleted the certificate request of ${certname}`,
  revoke: (certname) => `Revoked the certificates of ${certname}`,
  delete: (certname) => `Deleted the certificate and the request of ${certname}`,
  clean: (certname) => `Revoked and deleted the certificates of ${certname}`,
};

/** Records the same action for each node. */
export async function recordCertificates(
  record: RecordChange | undefined,
  { identity }: Pick<HttpRequest, 'identity'>,
  action: CertificateAction,
  certnames: readonly string[],
): Promise<void> {
  if (record === undefined) return;
  const by = { author: authorOf(identity), time: new Date() };
  for (const certname of certnames)
    await record({
      ...by,
      object: { service: 'ca', type: 'certificates', id: certname, name: certname },
      events: [{ action, what: 'certificate', message: messages[action](certname) }],
    });
}
