import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse, Route } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { FileBucket, filebucketRoutes } from './index.ts';

const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const abcd = '88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589';

let directory: string;
let routes: readonly Route[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-bucket-'));
  const bucket = new FileBucket({
    directory: join(directory, 'bucket'),
    algorithm: 'sha256',
    log: silentLogger,
    now: () => new Date(),
  });
  routes = filebucketRoutes(bucket, { hasEnvironment: (name) => name === 'trace' }, silentLogger);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function ask(method: string, key: string, body = '', query = ''): Promise<HttpResponse> {
  const request: HttpRequest = {
    method,
    path: `/puppet/v3/file_bucket_file/${key}`,
    params: { '*': key },
    query: new URLSearchParams(`environment=trace${query}`),
    headers: { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' },
    identity: { kind: 'anonymous', address: '127.0.0.1' },
    signal: new AbortController().signal,
    body: async () => Buffer.from(body),
    stream: () => {
      throw new Error('no stream');
    },
  };
  const route = routes.find((candidate) => candidate.method === method);
  if (route === undefined) throw new Error(`no route for ${method}`);
  const response = await route.handle(request);
  return Buffer.isBuffer(response.body) ? { ...response, body: response.body.toString() } : response;
}

test('an agent asks, stores, and finds it again', async () => {
  const key = `sha256/${abc}//etc/motd`;

  expect(await ask('HEAD', key)).toMatchObject({ status: 404 });
  expect(await ask('PUT', key, 'abc')).toEqual({
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: '',
  });
  expect(await ask('HEAD', key)).toEqual({ status: 200 });
  expect(await ask('GET', `sha256/${abc}`)).toEqual({
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-length': 3 },
    body: 'abc',
  });
});

test('a backup is found by the paths that it was made of, each kept once', async () => {
  for (const path of ['/etc/motd', '/etc/motd', '/etc/issue'])
    await ask('PUT', `sha256/${abc}/${path}`, 'abc');

  expect(await ask('GET', `sha256/${abc}/etc/issue`)).toMatchObject({ status: 200 });
  expect(await ask('GET', `sha256/${abc}/etc/other`)).toMatchObject({
    status: 404,
    body: `{"message":"Not Found: Could not find file_bucket_file sha256/${abc}/etc/other","issue_kind":"RESOURCE_NOT_FOUND"}`,
  });
  const files = join(directory, 'bucket/b/a/7/8/1/6/b/f', abc);
  expect(await readFile(join(files, 'paths'), 'utf8')).toBe('etc/motd\netc/issue\n');
});

test('files and directories have the modes of the reference', async () => {
  await ask('PUT', `sha256/${abc}/x`, 'abc');

  const files = join(directory, 'bucket/b/a/7/8/1/6/b/f', abc);
  const modes = await Promise.all(
    ['contents', 'paths', '.'].map(async (name) => (await stat(join(files, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o440, 0o640, 0o770]);
});

test('content is stored under its own digest, whatever the request says', async () => {
  expect(await ask('PUT', `sha256/${abc}`, 'abcd')).toMatchObject({ status: 200 });

  expect(await ask('HEAD', `sha256/${abc}`)).toMatchObject({ status: 404 });
  expect(await ask('GET', `sha256/${abcd}`)).toMatchObject({ status: 200, body: 'abcd' });
});

test('two backups are compared', async () => {
  await ask('PUT', `sha256/${abc}`, 'abc');
  await ask('PUT', `sha256/${abcd}`, 'abcd');

  const { body } = await ask('GET', `sha256/${abc}`, '', `&diff_with=${abcd}`);
  expect(String(body).split('\n').slice(2)).toEqual([
    '@@ -1 +1 @@',
    '-abc',
    '\\ No newline at end of file',
    '+abcd',
    '\\ No newline at end of file',
    '',
  ]);
  expect(await ask('GET', `sha256/${abc}`, '', '&diff_with=../../x')).toMatchObject({
    status: 500,
    body: '{"message":"Server Error: could not find diff_with ../../x","issue_kind":"RUNTIME_ERROR"}',
  });
});

test.each([
  ['sha256/0000', 'Invalid checksum \\"0000\\"'],
  [`md5/${abc}`, 'Unsupported checksum type \\"md5\\"'],
  ['sha256', 'Invalid checksum nil'],
])('%s is refused', async (key, message) => {
  for (const method of ['GET', 'HEAD', 'PUT']) {
    expect(await ask(method, key)).toMatchObject({
      status: 500,
      body: `{"message":"Server Error: ${message}","issue_kind":"RUNTIME_ERROR"}`,
    });
  }
});

test('the bucket cannot be listed over HTTP', async () => {
  expect(await ask('GET', `sha256/${abc}`, '', '&list_all=true')).toMatchObject({ status: 500 });
});

test('a damaged backup is not given out, and mended by the next one', async () => {
  await ask('PUT', `sha256/${abc}`, 'abc');
  const contents = join(directory, 'bucket/b/a/7/8/1/6/b/f', abc, 'contents');
  await chmod(contents, 0o600);
  await writeFile(contents, 'xyz');

  expect(await ask('GET', `sha256/${abc}`)).toMatchObject({ status: 500 });
  await ask('PUT', `sha256/${abc}`, 'abc');
  expect(await ask('GET', `sha256/${abc}`)).toMatchObject({ status: 200, body: 'abc' });
});
