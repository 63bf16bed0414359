/** Each valid form of a proof gets a certificate; everything forged, changed, replayed or of others gets none. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeBody, IdentityWire } from '../../src/services/identity/wire.ts';
import { FakeDocuments, identityDocument } from '../support/aws/fake-documents.ts';
import { instanceCaller } from '../support/aws/fake-sts.ts';
import { FakeTokens } from '../support/kubernetes/fake-tokens.ts';
import { type Applicant, newInstanceId, ofDocument, ofInstance, ofPod, stsProofOf } from './claims.ts';
import { account, digestOf, newKeys, ProvingSite } from './proving-site.ts';

const role = { pp_auth_role: 'pe_compiler' };
const minuteMs = 60_000;
let site: ProvingSite;

beforeAll(async () => {
  site = await ProvingSite.open();
});

afterAll(() => site.close());

beforeEach(() => {
  site.now = new Date();
  site.refusals.length = 0;
  site.sent.length = 0;
});

/** The whole way: proof, grant, request. @returns `signed`, or why it was refused */
async function join({ certname, claim, keys }: Applicant, content: object = {}): Promise<string> {
  const answer = await site.prove(claim);
  if ('refused' in answer) return answer.refused;
  return site.request(keys, answer.token, { certname, altNames: 'puppet', extensions: role, ...content });
}

describe('a valid proof', () => {
  test.each([
    ['by the Security Token Service', () => ofInstance(site)],
    ['by its global host', () => ofInstance(site, { host: 'sts.amazonaws.com', region: 'us-east-1' })],
    ['with an old form of instance ID', () => ofInstance(site, { instanceId: 'i-0a1b2c3d' })],
    [
      'with the bare instance ID as name',
      () => ofInstance(site, { instanceId: 'i-0a1b2c3e', certname: 'i-0a1b2c3e' }),
    ],
    ['made 14 minutes ago', () => ofInstance(site, { date: new Date(site.now.getTime() - 14 * minuteMs) })],
    ['by a signed document', () => ofDocument(site)],
    ['by a signed document without attributes', () => ofDocument(site, {}, '-noattr')],
    ['by the token of a pod', () => ofPod(site)],
  ])('%s gets a certificate for 30 days with the role', async (_form, make) => {
    const applicant = await make();

    expect(await join(applicant)).toBe('signed');

    const status = await site.ca.findStatus(applicant.certname);
    expect(status).toMatchObject({ state: 'signed', authorizationExtensions: role });
    expect((await site.certificate(applicant.certname))?.days).toBe(30);
    expect(site.joined).toContain(applicant.certname);
    expect(site.refusals).toEqual([]);
  });

  test('may be repeated with the same key, before and after the certificate', async () => {
    for (const make of [ofInstance, ofDocument, ofPod]) {
      const applicant = await make(site);

      expect(await site.prove(applicant.claim)).toHaveProperty('token');
      expect(await join(applicant)).toBe('signed');
      const first = await site.certificate(applicant.certname);
      expect(await join(applicant)).toBe('signed');
      expect(await site.certificate(applicant.certname)).toEqual(first);
    }
  });

  test('that names the key replaces the certificate of the key before, which is revoked first', async () => {
    const instanceId = newInstanceId();
    const before = await ofInstance(site, { instanceId });
    expect(await join(before)).toBe('signed');
    const old = await site.certificate(before.certname);
    const after = await ofInstance(site, { instanceId });

    expect(await join(after)).toBe('signed');

    const current = await site.certificate(after.certname);
    expect(current?.serial).not.toBe(old?.serial);
    expect(site.ca.isRevoked(old?.serial ?? '')).toBe(true);
    expect(site.ca.isRevoked(current?.serial ?? '')).toBe(false);
  });

  test('of an instance that has left gets another certificate with another key', async () => {
    const instanceId = newInstanceId();
    const before = await ofDocument(site, { instanceId });
    expect(await join(before)).toBe('signed');
    await site.ca.clean([before.certname]);

    expect(await join(await ofDocument(site, { instanceId }))).toBe('signed');
  });
});

interface Variant {
  readonly make: () => Promise<Applicant> | Applicant;
  readonly content?: object;
  /** What the refusal says. */
  readonly says: RegExp;
  /** Refused without a question to AWS. */
  readonly isAsked?: boolean;
}

/** One with another proof in its place. */
async function withProof(
  applicant: Promise<Applicant>,
  change: (proof: Record<string, unknown>) => Record<string, unknown>,
) {
  const { claim, ...rest } = await applicant;
  return { ...rest, claim: { ...claim, proof: change(claim.proof) } };
}

async function withClaim(applicant: Promise<Applicant>, changes: object): Promise<Applicant> {
  const { claim, ...rest } = await applicant;
  return { ...rest, claim: { ...claim, ...changes } };
}

/** Somebody who has seen a proof, and has a key of his own. */
async function thief(applicant: Promise<Applicant>): Promise<Applicant> {
  const keys = await newKeys();
  const { certname, claim } = await applicant;
  return { keys, certname, claim: { ...claim, key_digest: digestOf(keys) } };
}

async function joined(applicant: Promise<Applicant>): Promise<Applicant> {
  const found = await applicant;
  expect(await join(found)).toBe('signed');
  return found;
}

const ofOthers = '999999999999';

const byStsVariants: Readonly<Record<string, Variant>> = {
  'made for another key': {
    make: () => thief(ofInstance(site)),
    says: /SignatureDoesNotMatch/,
    isAsked: true,
  },
  'made for another CA': {
    make: () => ofInstance(site, { caFingerprint: 'ab'.repeat(32) }),
    says: /SignatureDoesNotMatch/,
    isAsked: true,
  },
  'that says it is for another CA': {
    make: () => withClaim(ofInstance(site), { ca_fingerprint: 'ab'.repeat(32) }),
    says: /it is for the CA with the fingerprint abab.*, and this one has [0-9a-f]{64}/,
  },
  'of an instance in another account': {
    make: () => {
      const instanceId = newInstanceId();
      return ofInstance(site, {
        instanceId,
        caller: instanceCaller(ofOthers, 'puppet-compile-server', instanceId),
      });
    },
    says: /no rule of signing_policy takes it \(account is '999999999999'/,
    isAsked: true,
  },
  'of another role': {
    make: () => {
      const instanceId = newInstanceId();
      return ofInstance(site, { instanceId, caller: instanceCaller(account, 'web', instanceId) });
    },
    says: /role is 'web'/,
    isAsked: true,
  },
  'of another group': {
    make: () => {
      const instanceId = newInstanceId();
      site.groups.set(instanceId, 'web');
      return ofInstance(site, { instanceId });
    },
    says: /group is 'web'/,
    isAsked: true,
  },
  'of an instance in no group': {
    make: async () => {
      const applicant = await ofInstance(site);
      site.groups.delete(applicant.certname.split('.')[0] ?? '');
      return applicant;
    },
    says: /the group of the identity is not known/,
    isAsked: true,
  },
  'of a person who took the role': {
    make: () => ofInstance(site, { caller: instanceCaller(account, 'puppet-compile-server', 'mallory') }),
    says: /assumed-role\/puppet-compile-server\/mallory is not the role of an instance/,
    isAsked: true,
  },
  'of a user': {
    make: () => {
      const instanceId = newInstanceId();
      const user = instanceCaller(account, 'any', instanceId);
      return ofInstance(site, {
        instanceId,
        caller: { ...user, arn: `arn:aws:iam::${account}:user/${instanceId}` },
      });
    },
    says: /user\/i-0[0-9a-f]+ is not the role of an instance/,
    isAsked: true,
  },
  'for the name of another instance': {
    make: () => ofInstance(site, { certname: `${newInstanceId()}.compute.test` }),
    says: /does not begin with the name that was proved: i-0/,
    isAsked: true,
  },
  'for a name that only begins alike': {
    make: () => {
      const instanceId = newInstanceId();
      return ofInstance(site, { instanceId, certname: `${instanceId}0.compute.test` });
    },
    says: /does not begin with the name that was proved: i-0/,
    isAsked: true,
  },
  'for the name of the primary': {
    make: () => ofInstance(site, { certname: 'primary.test' }),
    says: /primary\.test does not begin with the name that was proved/,
    isAsked: true,
  },
  '16 minutes old': {
    make: () => ofInstance(site, { date: new Date(site.now.getTime() - 16 * minuteMs) }),
    says: /16 min behind the clock of the primary, which allows 15 min/,
  },
  '16 minutes ahead': {
    make: () => ofInstance(site, { date: new Date(site.now.getTime() + 16 * minuteMs) }),
    says: /16 min ahead of the clock of the primary/,
  },
  'with a newer date than was signed': {
    make: () =>
      withProof(ofInstance(site, { date: new Date(site.now.getTime() - 3 * minuteMs) }), (proof) => ({
        ...proof,
        date: String(proof['date'])
          .replace(/\d\dZ$/, '59Z')
          .replace(/\d(\d\dZ)$/, '9$1'),
      })),
    says: /SignatureDoesNotMatch/,
    isAsked: true,
  },
  'with no date': {
    make: () => withProof(ofInstance(site), (proof) => ({ ...proof, date: '20269999T999999Z' })),
    says: /the signature is for the day \d{8}, and the date says 20269999T999999Z/,
  },
  'sent to a host of somebody else': {
    make: () => ofInstance(site, { host: 'sts.eu-west-1.amazonaws.com.evil.test' }),
    says: /'sts\.eu-west-1\.amazonaws\.com\.evil\.test' is no host of the Security Token Service/,
  },
  'sent to a bucket at AWS': {
    make: () => ofInstance(site, { host: 'mallory.s3.eu-west-1.amazonaws.com' }),
    says: /is no host of the Security Token Service/,
  },
  'with a port, a path or a user in the host': {
    make: () => ofInstance(site, { host: 'sts.eu-west-1.amazonaws.com:8443' }),
    says: /is no host of the Security Token Service/,
  },
  'for a Chinese host elsewhere': {
    make: () => ofInstance(site, { host: 'sts.eu-west-1.amazonaws.com.cn' }),
    says: /is no host of the Security Token Service/,
  },
  'for a host of another region': {
    make: () => ofInstance(site, { host: 'sts.us-east-2.amazonaws.com' }),
    says: /the signature is for the region eu-west-1, and sts\.us-east-2\.amazonaws\.com is in us-east-2/,
  },
  'that is a question to another service': {
    make: () => ofInstance(site, { service: 'iam' }),
    says: /authorization is no signature of version 4 for sts/,
  },
  'that asks for something else': {
    make: () => ofInstance(site, { body: 'Action=AssumeRole&Version=2011-06-15' }),
    says: /SignatureDoesNotMatch/,
    isAsked: true,
  },
  'that does not sign the key': {
    make: () =>
      withProof(ofInstance(site), (proof) => ({
        ...proof,
        authorization: String(proof['authorization']).replace(';x-bunraku-key', ''),
      })),
    says: /the signature covers .*x-bunraku-ca, not .*x-bunraku-ca;x-bunraku-key/,
  },
  'that signs a header more': {
    make: () => ofInstance(site, { headers: { 'x-amz-target': 'other' } }),
    says: /the signature covers content-type;host;x-amz-date;x-amz-security-token;x-amz-target;/,
  },
  'with a session token of another session': {
    make: () => withProof(ofInstance(site), (proof) => ({ ...proof, security_token: 'AAAA' })),
    says: /InvalidClientTokenId/,
    isAsked: true,
  },
  'without its session token': {
    make: () => withProof(ofInstance(site), ({ security_token: _token, ...proof }) => proof),
    says: /the signature covers .*x-amz-security-token/,
  },
  'by keys that AWS does not know': {
    make: async () => {
      const { parts, ...applicant } = await ofInstance(site);
      const caller = { ...parts.caller, accessKeyId: 'ASIAUNKNOWNUNKNOWN00' };
      return { ...applicant, claim: { ...applicant.claim, proof: stsProofOf({ ...parts, caller }) } };
    },
    says: /InvalidClientTokenId/,
    isAsked: true,
  },
  'with line breaks in its header': {
    make: () =>
      withProof(ofInstance(site), (proof) => ({
        ...proof,
        authorization: `${proof['authorization']}\r\nx-evil: 1`,
      })),
    says: /authorization is no signature of version 4 for sts/,
  },
  'with fields of its own': {
    make: () => withProof(ofInstance(site), (proof) => ({ ...proof, url: 'https://evil.test/' })),
    says: /Invalid body: : Unrecognized key: "url"/,
  },
};

const documentVariants: Readonly<Record<string, Variant>> = {
  'signed by somebody else': {
    make: async () => {
      const others = new FakeDocuments();
      try {
        return await withProof(ofDocument(site), () => ({
          pkcs7: others.sign(identityDocument(account, newInstanceId(), site.now)),
        }));
      } finally {
        others.close();
      }
    },
    says: /the signature is of none of the known certificates/,
  },
  'changed after it was signed': {
    make: () =>
      withProof(ofDocument(site), ({ pkcs7 }) => {
        const message = Buffer.from(String(pkcs7), 'base64');
        message.write('9', message.indexOf('"accountId": "') + 14);
        return { pkcs7: message.toString('base64') };
      }),
    says: /the content is not the one that was signed/,
  },
  'of an instance that was started long ago': {
    make: () => ofDocument(site, { pendingTime: new Date(site.now.getTime() - 20 * minuteMs).toISOString() }),
    says: /the instance was started at .*, 20 min behind the clock of the primary, which allows 15 min/,
  },
  'of the future': {
    make: () => ofDocument(site, { pendingTime: new Date(site.now.getTime() + 10 * minuteMs).toISOString() }),
    says: /10 min ahead of the clock of the primary/,
  },
  'of another account': {
    make: () => ofDocument(site, { accountId: ofOthers }),
    says: /account is '999999999999'/,
  },
  'of another region': {
    make: () => ofDocument(site, { region: 'us-east-1' }),
    says: /region is 'us-east-1'/,
  },
  'shown again by somebody with another key': {
    make: () => thief(joined(ofDocument(site))),
    says: /The claim is held: aws\/123456789012\/i-0[0-9a-f]+ has a certificate as .* already, and asks with another key/,
  },
  'shown again before the first has its certificate': {
    make: async () => {
      const first = await ofDocument(site);
      expect(await site.prove(first.claim)).toHaveProperty('token');
      return thief(Promise.resolve(first));
    },
    says: /The claim is held: .* and asks with another key/,
  },
  'of an instance that has proved itself by its role': {
    make: async () => {
      const instanceId = newInstanceId();
      await joined(ofInstance(site, { instanceId }));
      return ofDocument(site, { instanceId });
    },
    says: /The claim is held: .* and asks with another key/,
  },
  'of an instance that has a certificate under another name': {
    make: async () => {
      const first = await joined(ofDocument(site));
      const [instanceId = ''] = first.certname.split('.');
      return withClaim(Promise.resolve({ ...first, certname: instanceId }), { certname: instanceId });
    },
    says: /has a certificate as i-0[0-9a-f]+\.compute\.test already, and asks for another as i-0/,
  },
  'that is no document': {
    make: () => withProof(ofDocument(site), () => ({ pkcs7: 'AAAA' })),
    says: /DER|BER/,
  },
  'that is no base64': {
    make: () => withProof(ofDocument(site), () => ({ pkcs7: '-----' })),
    says: /pkcs7 is not base64/,
  },
  'with a weak digest': {
    make: () => ofDocument(site, {}, '-md', 'sha1'),
    says: /the digest 1\.3\.14\.3\.2\.26 is not accepted/,
  },
};

const podVariants: Readonly<Record<string, Variant>> = {
  'of another cluster': {
    make: () =>
      withProof(ofPod(site), () => ({
        token: new FakeTokens().issue({
          namespace: 'puppet',
          serviceAccount: 'compile',
          pod: { name: 'compile-1', uid: '1' },
          audiences: ['bunraku'],
          expiresAt: Date.now() / 1000 + 600,
        }),
      })),
    says: /the cluster does not accept the token/,
  },
  'for the API of the cluster': {
    make: () => ofPod(site, { audiences: ['https://kubernetes.default.svc'] }),
    says: /the cluster does not accept the token for the audience bunraku/,
  },
  'that has expired': {
    make: () => ofPod(site, { lifeSeconds: -1 }),
    says: /the cluster does not accept the token/,
  },
  'of another namespace': {
    make: () => ofPod(site, { namespace: 'web' }),
    says: /namespace is 'web'/,
  },
  'of another service account': {
    make: () => ofPod(site, { serviceAccount: 'default' }),
    says: /service_account is 'default'/,
  },
  'of a pod that has gone': {
    make: async () => {
      const applicant = await ofPod(site);
      site.pods.delete(`puppet/${applicant.parts.name}`);
      return applicant;
    },
    says: /there is no pod puppet\/compile-/,
  },
  'of a pod whose name another has now': {
    make: async () => {
      const applicant = await ofPod(site);
      site.pods.set(`puppet/${applicant.parts.name}`, {
        uid: 'new',
        isBeingDeleted: false,
        phase: 'Running',
      });
      return applicant;
    },
    says: /is another one now: its uid is new/,
  },
  'of a pod that is being deleted': {
    make: async () => {
      const { parts, ...applicant } = await ofPod(site);
      site.pods.set(`puppet/${parts.name}`, { uid: parts.uid, isBeingDeleted: true, phase: 'Running' });
      return applicant;
    },
    says: /is being deleted/,
  },
  'of a pod that has ended': {
    make: async () => {
      const { parts, ...applicant } = await ofPod(site);
      site.pods.set(`puppet/${parts.name}`, { uid: parts.uid, isBeingDeleted: false, phase: 'Failed' });
      return applicant;
    },
    says: /has ended: Failed/,
  },
  'that is not of a pod': {
    make: () =>
      withProof(ofPod(site), () => ({
        token: site.tokens.issue({
          namespace: 'puppet',
          serviceAccount: 'compile',
          audiences: ['bunraku'],
          expiresAt: Date.now() / 1000 + 600,
        }),
      })),
    says: /the token is not of a pod/,
  },
  'of a pod that is named as somebody else': {
    make: () => ofPod(site, { name: 'primary' }),
    says: /other certname/,
  },
  'shown again by somebody with another key': {
    make: () => thief(joined(ofPod(site))),
    says: /The claim is held: kubernetes\/.* already, and asks with another key/,
  },
  'for a name that has a certificate': {
    make: async () => {
      const first = await joined(ofPod(site));
      site.pods.delete(`puppet/${first.certname}`);
      return ofPod(site, { name: first.certname });
    },
    says: /The claim is held: compile-.* has a certificate for another key already, and this proof names no key/,
  },
  'without a signature': {
    make: () =>
      withProof(ofPod(site), ({ token }) => ({
        token: `${String(token).split('.').slice(0, 2).join('.')}.`,
      })),
    says: /the token is no JSON Web Token/,
  },
  'sent as a proof of AWS': {
    make: () => withClaim(ofPod(site), { provider: 'aws' }),
    says: /Invalid body: /,
  },
  'of a platform that is not known': {
    make: () => withClaim(ofPod(site), { provider: '__proto__' }),
    says: /takes no proofs of '__proto__', but of aws, aws-document, kubernetes/,
  },
};

const requestVariants: Readonly<Record<string, Variant>> = {
  'with another right': {
    make: () => ofInstance(site),
    content: { extensions: { ...role, pp_authorization: 'admin' } },
    says: /asks for pp_authorization, which the rule does not name/,
  },
  'with another role': {
    make: () => ofInstance(site),
    content: { extensions: { pp_auth_role: 'admin' } },
    says: /other pp_auth_role/,
  },
  'with the name of the primary': {
    make: () => ofInstance(site),
    content: { altNames: 'primary.test' },
    says: /alternative name DNS:primary\.test is not in the list/,
  },
  'with the right to administer certificates': {
    make: () => ofInstance(site),
    content: { extensions: { ...role, pp_cli_auth: 'true' } },
    says: /which the rule does not name|not permitted/,
  },
};

const isWithoutAsking = ({ isAsked }: Variant) => isAsked !== true;

describe('refused: ', () => {
  const tables = {
    'a question to AWS': byStsVariants,
    'a document': documentVariants,
    'a token': podVariants,
    'a request': requestVariants,
  };
  const all = Object.entries(tables).flatMap(([what, variants]) =>
    Object.entries(variants).map(([how, variant]) => [what, how, variant] as const),
  );

  test('there are more than forty', () => expect(all.length).toBeGreaterThan(40));

  test.each(all)('%s %s', async (what, _how, variant) => {
    const applicant = await variant.make();
    const before = await site.certificate(applicant.certname);
    site.refusals.length = 0;
    site.sent.length = 0;

    const answer = await join(applicant, variant.content);

    expect(answer).toMatch(variant.says);
    expect(await site.certificate(applicant.certname)).toEqual(before);
    expect(JSON.stringify(site.refusals) + answer).not.toMatch(/Signature=[0-9a-f]|eyJ/);
    // Nor what rules want instead.
    if (what !== 'a request') expect(answer).not.toMatch(/group on AWS|puppet-compile(?!-server)|puppet-\*/);
    if (what === 'a question to AWS') expect(site.sent).toHaveLength(isWithoutAsking(variant) ? 0 : 1);
  });

  test('every question goes to a host of AWS over TLS, and has no header of the stranger beside the three', async () => {
    await join(await ofInstance(site));
    const [sent] = site.sent;

    expect(sent?.url).toBe('https://sts.eu-west-1.amazonaws.com/');
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual([
      'authorization',
      'content-type',
      'host',
      'x-amz-date',
      'x-amz-security-token',
      'x-bunraku-ca',
      'x-bunraku-key',
    ]);
  });
});

describe('a grant', () => {
  async function granted() {
    const applicant = await ofInstance(site);
    const answer = await site.prove(applicant.claim);
    if ('refused' in answer) throw new Error(answer.refused);
    return { ...applicant, token: answer.token };
  }
  const content = { altNames: 'puppet', extensions: role };

  test('is for one key', async () => {
    const { certname, token } = await granted();

    expect(await site.request(await newKeys(), token, { certname, ...content })).toMatch(
      'is for another key',
    );
  });

  test('is for one name', async () => {
    const { keys, token } = await granted();

    expect(await site.request(keys, token, { certname: 'i-0a.compute.test', ...content })).toMatch(
      /is for i-0.*, not for i-0a/,
    );
  });

  test('is for one use: it does not bring back what was revoked', async () => {
    const { certname, keys, token } = await granted();
    expect(await site.request(keys, token, { certname, ...content })).toBe('signed');
    await site.ca.clean([certname]);

    expect(await site.request(keys, token, { certname, ...content })).toMatch('has been used');
  });

  test('ends after five minutes', async () => {
    const { certname, keys, token } = await granted();
    site.now = new Date(site.now.getTime() + 5 * minuteMs);

    expect(await site.request(keys, token, { certname, ...content })).toMatch(/ended at/);
  });

  test('cannot be guessed or shortened', async () => {
    const { certname, keys, token } = await granted();
    const other = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');

    expect(await site.request(keys, other, { certname, ...content })).toMatch('is not known');
    expect(await site.request(keys, token.slice(0, -1), { certname, ...content })).toBe('pending');
  });
});

test.each([
  ['a digest of another form', { key_digest: 'AB' }, 'key_digest: is no SHA-256'],
  ['a proof that is none', { proof: 'text' }, 'proof: Invalid input'],
  ['a field more', { admin: true }, 'Unrecognized key'],
])('%s is refused as a body', async (_what, changes, message) => {
  const { claim } = await ofInstance(site);

  expect(() => decodeBody(IdentityWire, Buffer.from(JSON.stringify({ ...claim, ...changes })))).toThrow(
    message,
  );
});

test('refusals are told with their address, and held claims as such', async () => {
  const stolen = await thief(joined(ofPod(site)));
  site.refusals.length = 0;

  await site.prove(stolen.claim);
  await site.prove({ ...stolen.claim, provider: 'gcp' });

  expect(site.refusals).toMatchObject([
    { certname: stolen.certname, address: '192.0.2.1', isHeld: true },
    { provider: 'gcp', isHeld: false },
  ]);
});
