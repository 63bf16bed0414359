import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../../test/support/openssl-authority.ts';
import {
  decodeCertificates,
  decodeRevocationLists,
  decodeRevocationListsInSlices,
} from '../../x509/index.ts';
import { issuerKey, Revocations } from './revocations.ts';

let root: OpensslAuthority;
let middle: OpensslAuthority;
let leaf: { readonly issuer: string; readonly serial: string };

beforeAll(() => {
  root = new OpensslAuthority('root');
  middle = new OpensslAuthority('middle', root);
  const [certificate] = decodeCertificates(middle.issue('leaf.example.net').certificate);
  leaf = { issuer: issuerKey(certificate?.issuer.raw ?? Buffer.alloc(0)), serial: certificate?.serial ?? '' };
});

afterAll(() => {
  root.remove();
  middle.remove();
});

function problem(crl: string, nowMs = Date.now()): string | undefined {
  const revocations = Revocations.of(middle.certificate + root.certificate, decodeRevocationLists(crl));
  return revocations.problem(leaf.issuer, leaf.serial, nowMs);
}

test('a certificate counts while each authority above has a list that is in force and does not name it', () => {
  const both = middle.crl() + root.crl();
  const inTenYears = Date.now() + 10 * 365 * 86_400_000;

  expect(problem(both)).toBeUndefined();
  expect(problem(middle.crl())).toBe('unable to get certificate CRL');
  expect(problem(both, inTenYears)).toBe('CRL has expired');
});

test('a revoked authority takes all that it signed with it', () => {
  root.revoke('middle');

  expect(problem(middle.crl() + root.crl())).toBe('certificate revoked');
});

test('a revoked certificate is known from newer lists without a look at the authorities', async () => {
  const revocations = Revocations.of(middle.certificate, decodeRevocationLists(middle.crl()));
  middle.revoke('leaf.example.net');

  const newer = revocations.with(await decodeRevocationListsInSlices(middle.crl()));

  expect(newer.problem(leaf.issuer, leaf.serial, Date.now())).toBe('certificate revoked');
  expect(newer.knows(leaf.issuer)).toBe(true);
});
