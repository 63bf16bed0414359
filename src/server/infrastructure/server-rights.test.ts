import { X509Certificate } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { infrastructurePredicate } from './infrastructure-identity.ts';
import { serverRights } from './server-rights.ts';

const nothingSet = { compileServers: [], compileServerRoles: [] };

test('rights are those of the certificate that is signed, by its role or by groups', async () => {
  const authority = new OpensslAuthority('Test CA');
  onTestFinished(() => authority.remove());
  const role = '1.3.6.1.4.1.34380.1.3.13=ASN1:UTF8String:pe_compiler';
  const issued = new Map([
    ['role.test', authority.issue('role.test', [role]).certificate],
    ['node.test', authority.issue('node.test').certificate],
  ]);
  const findCertificate = async (certname: string) => {
    const content = issued.get(certname);
    return content === undefined ? undefined : { content, modifiedAt: new Date(0) };
  };
  const serialOf = (certname: string) =>
    new X509Certificate(issued.get(certname) ?? '').serialNumber.replace(/^0+/, '');
  let pinned = 'node.test';
  const groups = { entitles: ({ certname }: { readonly certname: string }) => certname === pinned };
  const rights = serverRights({ findCertificate }, infrastructurePredicate(nothingSet, groups), undefined);
  const seen = [await rights.has('node.test', serialOf('node.test'))];

  pinned = 'other.test';
  seen.push(await rights.has('node.test', serialOf('node.test')));

  expect(seen).toEqual([true, false]);
  expect(await rights.has('role.test', serialOf('role.test'))).toBe(true);
  // Others see to certificates that are not there or not the current ones.
  expect(await rights.has('gone.test', '05')).toBe(true);
  expect(await rights.has('node.test', 'FF')).toBe(true);
});
