import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Fixture, type FixtureOptions, makeFixture, plant } from './fileserver-fixture.testing.ts';
import type { MetadataWire } from './wire.ts';

const open: Fixture[] = [];

afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.remove();
});

async function fixture(options: Partial<FixtureOptions> = {}): Promise<Fixture> {
  const made = await makeFixture({
    modules: ['m'],
    tree: { 'modules/m/files/a.txt': 'a', 'modules/m/lib/facter/f.rb': 'f' },
    logicalDirectory: '/logical',
    ...options,
  });
  open.push(made);
  return made;
}

test('paths that lead upwards are refused', async () => {
  const { get } = await fixture();

  for (const path of ['modules/m/../../../x', 'modules/m/%2e%2e/x', 'plugins/..', 'modules/./m/a.txt']) {
    const reply = await get(`/puppet/v3/file_content/${path}?environment=production`);
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.text).toContain('Invalid relative path (.. or .) in: /puppet/v3/file_content/');
  }
});

test('a NUL in a path names no file', async () => {
  const { get } = await fixture();

  expect(await get('/puppet/v3/file_content/modules/m/a%00.txt?environment=production')).toMatchObject({
    status: 404,
    text: '{"message":"Not Found: Could not find file_content modules/m/a\\u0000.txt","issue_kind":"RESOURCE_NOT_FOUND"}',
  });
});

test('links that lead out of the code are as if they were not there', async () => {
  const made = await fixture();
  await plant(made.directory, { 'outside/secret': 'secret' });
  const files = join(made.version.directory, 'modules/m/files');
  await symlink('../../../../outside', join(files, 'out'));
  await symlink('../../../../outside/secret', join(files, 'secret'));
  await symlink('/etc/passwd', join(files, 'passwd'));

  for (const path of ['out/secret', 'secret', 'passwd', 'out']) {
    const content = await made.get(`/puppet/v3/file_content/modules/m/${path}?environment=production`);
    const metadata = await made.get(
      `/puppet/v3/file_metadata/modules/m/${path}?links=follow&environment=production`,
    );
    expect([path, content.status, metadata.status]).toEqual([path, 404, 404]);
  }
  const listing = await made.get(
    '/puppet/v3/file_metadatas/modules/m?recurse=true&links=follow&environment=production',
  );
  const entries: readonly MetadataWire[] = JSON.parse(listing.text);
  expect(entries.map((entry) => entry.relative_path)).toEqual(['.', 'a.txt']);
});

test('a link that leads out shows the path of its target, but not the content', async () => {
  const made = await fixture({ tree: { 'modules/m/files/passwd': { link: '/etc/passwd' } } });

  const listing = await made.get('/puppet/v3/file_metadatas/modules/m?recurse=true&environment=production');

  expect(JSON.parse(listing.text)).toMatchObject([
    {},
    { type: 'link', destination: '/etc/passwd', checksum: { type: 'sha256', value: null } },
  ]);
});

test('a module that is itself a link is served', async () => {
  const made = await fixture({ modules: ['m', 'linked'] });
  await plant(made.directory, { 'elsewhere/files/x.txt': 'x' });
  await symlink(join(made.directory, 'elsewhere'), join(made.version.directory, 'modules/linked'));

  const reply = await made.get('/puppet/v3/file_content/modules/linked/x.txt?environment=production');

  expect(reply).toMatchObject({ status: 200, text: 'x' });
});

test('links that go round in a circle end', async () => {
  const made = await fixture({
    tree: {
      'modules/m/lib/a/b/c.rb': 'c',
      'modules/m/lib/a/b/back': { link: '..' },
      'modules/m/lib/self': { link: 'self' },
    },
  });

  const listing = await made.get(
    '/puppet/v3/file_metadatas/plugins?recurse=true&links=follow&environment=production',
  );

  const entries: readonly MetadataWire[] = JSON.parse(listing.text);
  expect(entries.map((entry) => entry.relative_path)).toEqual(['.', 'a', 'a/b', 'a/b/back', 'a/b/c.rb']);
});

test('requests without an environment, or with one that is not there, are refused as recorded', async () => {
  const { get } = await fixture();
  const path = '/puppet/v3/file_metadata/modules/m/a.txt';

  expect(await get(path)).toMatchObject({
    status: 400,
    text: '{"message":"Bad Request: An environment parameter must be specified","issue_kind":"RUNTIME_ERROR"}',
  });
  expect(await get(`${path}?environment=bad-name!`)).toMatchObject({
    status: 400,
    text: '{"message":"Bad Request: The environment must be purely alphanumeric, not \'bad-name!\'","issue_kind":"RUNTIME_ERROR"}',
  });
  expect(await get(`${path}?environment=nosuch`)).toMatchObject({
    status: 404,
    text: '{"message":"Not Found: Could not find environment \'nosuch\'","issue_kind":"RUNTIME_ERROR"}',
  });
});

test('an unknown mount is refused as recorded', async () => {
  const { get } = await fixture();

  expect(await get('/puppet/v3/file_metadata/nomount/x?environment=production')).toMatchObject({
    status: 500,
    text: '{"message":"Server Error: Not authorized to call find on /file_metadata/nomount/x with {:rest=>\\"nomount/x\\"}","issue_kind":"RUNTIME_ERROR"}',
  });
});

test('metadata is sent in the format that is asked for', async () => {
  const { get } = await fixture();
  const target = '/puppet/v3/file_metadata/modules/m/a.txt?environment=production';

  expect((await get(target, { accept: 'text/pson' })).headers).toEqual({ 'content-type': 'text/pson' });
  expect(await get(target, { accept: 'application/xml' })).toMatchObject({
    status: 406,
    text: '{"message":"Not Acceptable: No supported formats are acceptable (Accept: application/xml)","issue_kind":"UNSUPPORTED_FORMAT"}',
  });
});

test('large files are streamed, with their size', async () => {
  const content = 'x'.repeat(1_000_000);
  const { get } = await fixture({ tree: { 'modules/m/files/large': content } });

  const reply = await get('/puppet/v3/file_content/modules/m/large?environment=production');

  expect(reply.headers).toEqual({ 'content-type': 'application/octet-stream', 'content-length': 1_000_000 });
  expect(Buffer.isBuffer(reply.body)).toBe(false);
  expect(reply.text === content).toBe(true);
});

test('static content is refused as recorded', async () => {
  const { get } = await fixture({ codeId: 'v1' });
  const target = '/puppet/v3/static_file_content/modules/m/files/a.txt';

  expect(await get(`${target}?environment=production&code_id=v1`)).toMatchObject({ status: 200, text: 'a' });
  expect(await get(`${target}?environment=production`)).toMatchObject({
    status: 400,
    text: 'Error: A /static_file_content request requires an environment, a code-id, and a file-path',
  });
  expect(await get(`${target}?environment=production&code_id=v2`)).toMatchObject({ status: 404 });
  expect(await get(`${target}?environment=production&code_id=a%20b`)).toMatchObject({
    status: 400,
    text: "Invalid code-id 'a b'. Must contain only alpha-numerics and '-', '_', ';', or ':'",
  });
  expect(
    await get('/puppet/v3/static_file_content/modules/m/manifests/init.pp?environment=production&code_id=v1'),
  ).toMatchObject({ status: 403 });
});

test('an environment that is served in place shows changes at once', async () => {
  const made = await fixture({ isMutable: true });
  const target = '/puppet/v3/file_metadatas/modules/m?recurse=true&environment=production';
  const before = await made.get(target);

  await writeFile(join(made.version.directory, 'modules/m/files/a.txt'), 'b');
  await mkdir(join(made.version.directory, 'modules/m/files/new'));
  const after = await made.get(target);

  expect(JSON.parse(before.text)).toHaveLength(2);
  expect(JSON.parse(after.text)).toHaveLength(3);
  expect(after.text).toContain('3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d');
});
