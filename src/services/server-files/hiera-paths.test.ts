import { expect, test } from 'vitest';
import { pathsIn } from './hiera-paths.ts';

function paths(text: string) {
  return pathsIn(Buffer.from(text)).map(({ option, path }) => `${option} ${path}`);
}

test('the paths among options of entries and of the defaults are found, and no others', () => {
  const text = `
version: 5
defaults:
  datadir: /var/lib/hiera
  options: {pkcs7_public_key: /etc/keys/public.pem}
hierarchy:
  - name: eyaml
    lookup_key: eyaml_lookup_key
    paths: ["/etc/data/%{fact}.eyaml", secret.eyaml]
    options:
      pkcs7_private_key: /etc/keys//private.pem
      pkcs7_public_key: /etc/keys/public.pem
  - name: vault
    lookup_key: hiera_vault
    uri: https://vault.test/v1
    options:
      address: https://vault.test:8200
      ssl: {ssl_ca_cert: /etc/vault/ca.pem, verify: true}
      per_node: "/etc/vault/%{trusted.certname}.token"
      mounts: [/etc/vault/one/, relative/two]
      root: /
`;

  expect(paths(text)).toEqual([
    'pkcs7_public_key /etc/keys/public.pem',
    'pkcs7_private_key /etc/keys/private.pem',
    'ssl_ca_cert /etc/vault/ca.pem',
    'mounts /etc/vault/one',
  ]);
});

test.each([
  '',
  'false',
  '- a',
  'hierarchy: 1',
  'defaults: [1]',
  'hierarchy: [1, {options: x}]',
  '"',
  'a: [',
  '\xff',
])('%j names none', (text) => {
  expect(pathsIn(Buffer.from(text, 'latin1'))).toEqual([]);
});

test('aliases that multiply cost no time', () => {
  const doubled = Array.from(
    { length: 40 },
    (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
  );
  const text = ['a0: &a0 [/etc/key]', ...doubled, 'defaults: {options: {x: *a40}}'].join('\n');

  expect(paths(text)).toEqual(['x /etc/key']);
});
