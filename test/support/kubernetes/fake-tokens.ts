/** Tokens of service accounts, as a cluster makes and reviews them. */

import { generateKeyPairSync, sign, verify } from 'node:crypto';

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Absent for a token that somebody asked for without a pod. */
  readonly pod?: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A cluster's issuer: another one has another key. */
export class FakeTokens {
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  issue(claims: TokenClaims): string {
    const { audiences, expiresAt, namespace, pod, serviceAccount } = claims;
    const content = {
      aud: audiences,
      exp: expiresAt,
      iss: 'https://kubernetes.default.svc.cluster.local',
      'kubernetes.io': {
        namespace,
        ...(pod === undefined ? {} : { pod }),
        serviceaccount: { name: serviceAccount, uid: '8b5b4a3e-0000-4000-8000-000000000001' },
      },
      sub: `system:serviceaccount:${namespace}:${serviceAccount}`,
    };
    const text = [{ alg: 'RS256' }, content]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(text), this.keys.privateKey);
    return `${text}.${signature.toString('base64url')}`;
  }

  /** The `status` of a `TokenReview`. */
  review(token: string, audiences: readonly string[], now: Date): Readonly<Record<string, unknown>> {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const isOurs = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      this.keys.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    if (!isOurs) return { authenticated: false, error: 'invalid bearer token' };
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
      readonly aud: readonly string[];
      readonly exp: number;
      readonly sub: string;
      readonly 'kubernetes.io': { readonly pod?: { readonly name: string; readonly uid: string } };
    };
    if (claims.exp * 1000 <= now.getTime()) return { authenticated: false, error: 'token has expired' };
    const common = claims.aud.filter((audience) => audiences.includes(audience));
    if (common.length === 0)
      return { authenticated: false, error: 'token audiences are not the wanted ones' };
    const { pod } = claims['kubernetes.io'];
    const extra =
      pod === undefined
        ? {}
        : {
            'authentication.kubernetes.io/pod-name': [pod.name],
            'authentication.kubernetes.io/pod-uid': [pod.uid],
          };
    return { authenticated: true, audiences: common, user: { username: claims.sub, groups: [], extra } };
  }
}
