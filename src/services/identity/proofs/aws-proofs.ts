/** Proofs of instances on AWS. */

import { amzDate, authorizationOf, type InstanceMetadata } from '../../../platform/aws/index.ts';
import { stsBody, stsHeaders } from '../aws/sts-request.ts';
import type { ProofMaker } from './proof-maker.ts';

/** By the role of the instance. */
export function stsProof(metadata: InstanceMetadata, now: () => Date): ProofMaker {
  return {
    provider: 'aws',
    name: (signal) => metadata.get('meta-data/instance-id', signal),
    async make({ caFingerprint, keyDigest }, signal) {
      const region = await metadata.get('meta-data/placement/region', signal);
      const credentials = await metadata.credentials(signal);
      const { sessionToken: securityToken } = credentials;
      const host = `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
      const date = amzDate(now());
      const headers = stsHeaders({ host, date, securityToken, caFingerprint, keyDigest });
      const request = { method: 'POST', path: '/', headers, body: stsBody };
      const authorization = authorizationOf(request, { region, service: 'sts' }, credentials);
      return {
        host,
        authorization,
        date,
        ...(securityToken === undefined ? {} : { security_token: securityToken }),
      };
    },
  };
}

/** By the document that AWS has signed for the instance. */
export function documentProof(metadata: InstanceMetadata): ProofMaker {
  return {
    provider: 'aws-document',
    name: (signal) => metadata.get('meta-data/instance-id', signal),
    make: async (_bonds, signal) => ({
      pkcs7: await metadata.get('dynamic/instance-identity/rsa2048', signal),
    }),
  };
}
