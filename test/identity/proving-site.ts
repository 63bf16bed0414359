/** An authority with a policy for identities, and the platforms that vouch for them: everything but HTTP. */

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../src/lib/service-error.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../src/platform/storage/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeCertificate,
  decodeContentSigners,
  encodeCertificateRequest,
  encodePublicKeyInfo,
  fingerprint,
  type KeyPair,
  oids,
  type RequestContent,
} from '../../src/platform/x509/index.ts';
import { identitiesWith } from '../../src/server/infrastructure/identities.ts';
import { CertificateAuthority } from '../../src/services/ca/authority.ts';
import { defaultCaSettings } from '../../src/services/ca/ca-settings.ts';
import type { Refusal } from '../../src/services/identity/identity-register.ts';
import {
  DocumentProvider,
  IdentityStore,
  identityMigrations,
  StsProvider,
  TokenProvider,
} from '../../src/services/identity/index.ts';
import { FakeDocuments } from '../support/aws/fake-documents.ts';
import { FakeSts } from '../support/aws/fake-sts.ts';
import { FakeTokens } from '../support/kubernetes/fake-tokens.ts';

export const account = '123456789012';
export const group = 'puppet-compile';

const policy = `
rules:
  - name: group on AWS
    action: sign
    identity: { provider: aws, account: '${account}', group: ${group}, role: puppet-* }
    extensions: { pp_auth_role: pe_compiler }
    alt_names: ['DNS:puppet', 'DNS:*.elb.amazonaws.com']
  - name: group on AWS without a way to STS
    action: sign
    identity: { provider: aws-document, account: '${account}', group: ${group}, region: eu-west-1 }
    extensions: { pp_auth_role: pe_compiler }
    alt_names: ['DNS:puppet']
  - name: pods
    action: sign
    identity: { provider: kubernetes, namespace: puppet, service_account: compile }
    certname: compile-*
    extensions: { pp_auth_role: pe_compiler }
    alt_names: ['DNS:puppet']
default: hold
`;

const key = { kind: 'ec', curve: 'P-256' } as const;

export interface Pod {
  readonly uid: string;
  readonly isBeingDeleted: boolean;
  readonly phase: string;
}

export class ProvingSite {
  readonly sts = new FakeSts();
  readonly documents = new FakeDocuments();
  readonly tokens = new FakeTokens();
  /** By instance. */
  readonly groups = new Map<string, string>();
  /** By `NAMESPACE/NAME`. */
  readonly pods = new Map<string, Pod>();
  readonly refusals: Refusal[] = [];
  /** What the primary sends to AWS. */
  readonly sent: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  readonly joined: string[] = [];
  now = new Date();
  private readonly base: string;
  private readonly database: Database;
  readonly ca: CertificateAuthority;
  private readonly identities: ReturnType<typeof identitiesWith>;

  private constructor(base: string, database: Database, ca: CertificateAuthority) {
    this.base = base;
    this.database = database;
    this.ca = ca;
    const groups = { groupOf: async (instanceId: string) => this.groups.get(instanceId) };
    this.identities = identitiesWith({
      store: new IdentityStore(database),
      ca,
      now: () => this.now,
      log: silentLogger,
      onRefused: (refusal) => void this.refusals.push(refusal),
      providers: {
        aws: new StsProvider({ post: (url, headers, body) => this.toAws(url, headers, body) }, groups),
        'aws-document': new DocumentProvider(decodeContentSigners(this.documents.certificate), groups),
        kubernetes: new TokenProvider({
          review: async (token, audience) => this.review(token, audience),
          findPod: async (namespace, name) => this.pods.get(`${namespace}/${name}`),
        }),
      },
    });
  }

  static async open(): Promise<ProvingSite> {
    const base = await mkdtemp(join(tmpdir(), 'bunraku-identity-'));
    const database = await openSqliteDatabase({ path: join(base, 'database.sqlite') });
    await migrate(database, identityMigrations);
    const policyFile = join(base, 'policy.yaml');
    await writeFile(policyFile, policy);
    const opened: { site?: ProvingSite } = {};
    const ca = await CertificateAuthority.open(
      { ...defaultCaSettings, key, caDir: join(base, 'ca'), caName: 'Puppet CA: identity', policyFile },
      { log: silentLogger, now: () => opened.site?.now ?? new Date() },
    );
    opened.site = new ProvingSite(base, database, ca);
    return opened.site;
  }

  async close(): Promise<void> {
    await this.ca.close();
    await this.database.close();
    this.documents.close();
    await rm(this.base, { recursive: true });
  }

  /** As servers know it. */
  get caFingerprint(): string {
    return this.identities.fingerprint();
  }

  /** Sends a proof. @returns the grant, or why it was refused */
  async prove(claim: object): Promise<{ readonly token: string } | { readonly refused: string }> {
    try {
      const { token } = await this.identities.register.prove(
        claim as Parameters<typeof this.identities.register.prove>[0],
        '192.0.2.1',
        AbortSignal.timeout(10_000),
      );
      return { token };
    } catch (error) {
      if (error instanceof ServiceError) return { refused: error.message };
      throw error;
    }
  }

  /** Sends a certificate request with a grant. @returns `signed`, or why it was refused */
  async request(keys: KeyPair, token: string, content: RequestContent): Promise<string> {
    const request = await createCertificateRequest(
      { ...content, attributes: { [oids.challengePassword]: token } },
      keys,
    );
    const noTokens = {
      isToken: () => false,
      grant: () => Promise.reject(new Error('unreachable: no join tokens here')),
      use: () => Promise.reject(new Error('unreachable: no join tokens here')),
    };
    const joins = this.identities.joinsWith(noTokens, async (certname) => void this.joined.push(certname));
    try {
      return await this.ca.submitRequest(content.certname, encodeCertificateRequest(request), { joins });
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  /** Serial and fingerprint of the certificate that there is. */
  async certificate(certname: string) {
    const stored = await this.ca.findCertificate(certname);
    if (stored === undefined) return undefined;
    const der = Buffer.from(stored.content.replace(/-----[^-]+-----/g, ''), 'base64');
    const certificate = decodeCertificate(der);
    return { ...certificate, fingerprint: fingerprint(der), days: daysOf(certificate) };
  }

  private async toAws(url: string, headers: Readonly<Record<string, string>>, body: string) {
    this.sent.push({ url, headers });
    return this.sts.answer(
      { method: 'POST', url: new URL(url).pathname, headers, body: Buffer.from(body) },
      this.now,
    );
  }

  private review(token: string, audience: string) {
    const status = this.tokens.review(token, [audience], this.now) as {
      readonly authenticated: boolean;
      readonly audiences?: readonly string[];
      readonly user?: {
        readonly username: string;
        readonly extra: Readonly<Record<string, readonly string[]>>;
      };
    };
    return {
      isAuthenticated: status.authenticated,
      audiences: status.audiences ?? [],
      username: status.user?.username ?? '',
      extra: status.user?.extra ?? {},
    };
  }
}

function daysOf({ notAfter, notBefore }: { readonly notAfter: Date; readonly notBefore: Date }): number {
  return (notAfter.getTime() - notBefore.getTime()) / (24 * 60 * 60 * 1000) - 1;
}

export function newKeys(): Promise<KeyPair> {
  return createKeyPair(key);
}

export function digestOf({ publicKey }: KeyPair): string {
  return createHash('sha256').update(encodePublicKeyInfo(publicKey)).digest('hex');
}
