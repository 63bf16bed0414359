import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ClientRequest, ClientResponse } from '../../platform/http-client/index.ts';
import { type LogFields, type Logger, silentLogger } from '../../platform/log/index.ts';
import { FilesFollower } from './files-follower.ts';
import { OfferedFiles } from './offered-files.ts';
import { ReceivedFiles } from './received-files.ts';
import { serverFilesRoute } from './routes.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-follower-'));
const authority = new OpensslAuthority('CA');
const certificate = authority.issue('c1.test');
const other = authority.issue('c2.test');
const privateKeyFile = join(base, 'c1.key');
writeFileSync(privateKeyFile, certificate.privateKey);
const opened: (() => Promise<void>)[] = [];
let states = 0;

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});
afterAll(() => rmSync(base, { recursive: true }));

/** The primary's route, called as the HTTP server calls it. */
class Primary {
  readonly files: OfferedFiles;
  readonly logged: LogFields[] = [];
  readonly bodies: Buffer[] = [];
  failure: number | undefined;
  text = 'no';
  isAway = false;
  shows = certificate;
  private readonly stopping = new AbortController();

  constructor(paths: readonly string[]) {
    const log: Logger = { ...silentLogger, warn: (fields) => void this.logged.push(fields) };
    const wanted = paths.map((path) => ({ path, source: 'compile_server_files', isRequired: true }));
    this.files = new OfferedFiles({ wanted: async () => ({ paths: wanted }), ownDirectories: [], log });
    opened.push(async () => this.stopping.abort());
  }

  async send({
    headers = {},
    signal = new AbortController().signal,
  }: ClientRequest): Promise<ClientResponse> {
    if (this.isAway) throw new ServiceError('unavailable', 'connection refused');
    if (this.failure !== undefined)
      return { status: this.failure, headers: {}, body: Buffer.from(this.text) };
    const route = serverFilesRoute({
      files: this.files,
      mayHaveFiles: (certname) => certname === 'c1.test',
      stopping: this.stopping.signal,
    });
    const { raw } = new X509Certificate(this.shows.certificate);
    const answer = await route.handle({
      identity: { kind: 'certificate', certname: 'c1.test', extensions: {}, serial: '1', raw, address: '' },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      signal,
      method: 'GET',
      path: '',
      params: {},
      query: new URLSearchParams(),
      body: async () => Buffer.alloc(0),
      stream: () => Readable.from([]),
    });
    const body = Buffer.from((answer.body as Buffer | undefined) ?? '');
    this.bodies.push(body);
    return { status: answer.status, headers: {}, body };
  }
}

async function following(primary: Primary) {
  const received = new ReceivedFiles(join(base, `state-${(states += 1)}`));
  const changes: string[] = [];
  const warnings: unknown[] = [];
  const log: Logger = { ...silentLogger, warn: (fields, message) => void warnings.push([fields, message]) };
  const follower = new FilesFollower({
    client: primary,
    primaryUrl: 'https://primary.test:8140',
    privateKeyFile,
    received,
    onChange: async () => void changes.push(received.current.generation),
    log,
  });
  follower.start();
  opened.push(() => follower.stop());
  return { received, follower, changes, warnings };
}

function newFile(content: string): string {
  const path = join(base, `wanted-${(states += 1)}`);
  writeFileSync(path, content);
  return path;
}

function contentOf({ received }: { readonly received: ReceivedFiles }, path: string): string | undefined {
  // On the machine of this test the primary's file is there as well, so that the server would use that.
  const { digest } = received.current;
  return digest === undefined ? undefined : readFileSync(received.locate(path), 'utf8');
}

test('a server has the files as soon as the primary has read them, and each change at once', async () => {
  const path = newFile('one');
  const primary = new Primary([path]);
  const server = await following(primary);
  expect(server.follower.isInformed).toBe(false);

  await primary.files.look();
  await server.follower.firstAnswer(5000);
  const first = server.received.current;
  writeFileSync(path, 'two');
  await primary.files.look();
  await expect.poll(() => server.received.current.digest).not.toBe(first.digest);

  expect(server.follower.isInformed).toBe(true);
  expect(first.count).toBe(1);
  expect(server.changes).toHaveLength(2);
  expect(contentOf(server, path)).toBe('two');
});

test('what travels shows nothing of the contents, and nothing of them is logged', async () => {
  const path = newFile('a secret that is not to be seen');
  const primary = new Primary([path, join(base, 'absent')]);
  await primary.files.look();
  const server = await following(primary);
  await server.follower.firstAnswer(5000);

  const seen = [
    ...primary.bodies.map((body) => body.toString('latin1')),
    JSON.stringify(primary.logged),
  ].join();
  expect(seen).not.toContain('secret');
  expect(seen).not.toContain(Buffer.from('secret').toString('base64').slice(0, 6));
  expect(primary.logged).toEqual([
    {
      path: join(base, 'absent'),
      source: 'compile_server_files',
      reason: expect.stringContaining('no such file'),
    },
  ]);
});

test('files that were sealed for another server are of no use', async () => {
  const primary = new Primary([newFile('secret')]);
  await primary.files.look();
  primary.shows = other;
  const server = await following(primary);

  await expect.poll(() => server.warnings.length).toBe(1);

  expect(server.received.current.count).toBe(0);
  expect(server.follower.isInformed).toBe(false);
});

test('a server that is none any more has no files', async () => {
  const primary = new Primary([newFile('secret')]);
  await primary.files.look();
  const server = await following(primary);
  await server.follower.firstAnswer(5000);
  expect(server.received.current.count).toBe(1);

  primary.failure = 403;
  await primary.files.look();
  writeFileSync(newFile('x'), 'x');
  await server.follower.stop();
  const next = new FilesFollower({
    client: primary,
    primaryUrl: 'https://primary.test:8140',
    privateKeyFile,
    received: server.received,
    onChange: async () => {},
    log: silentLogger,
  });
  next.start();
  await next.firstAnswer(5000);
  await next.stop();

  expect(server.received.current.digest).toBeUndefined();
  expect(next.isInformed).toBe(false);
});

test('a primary of an earlier version has none, and that is an answer', async () => {
  const primary = new Primary([]);
  primary.failure = 404;

  const server = await following(primary);
  await server.follower.firstAnswer(5000);

  expect(server.follower.isInformed).toBe(true);
  expect(server.received.current.count).toBe(0);
});

test('an answer that makes no sense changes nothing, and is not quoted', async () => {
  const primary = new Primary([]);
  primary.failure = 200;
  primary.text = '{"digest": "private text"}';
  const server = await following(primary);

  await expect.poll(() => server.warnings.length).toBe(1);

  expect(server.received.current.count).toBe(0);
  expect(JSON.stringify(server.warnings)).not.toContain('private text');
});

test('a primary that is away keeps the files that are here', async () => {
  const path = newFile('one');
  const primary = new Primary([path]);
  await primary.files.look();
  const server = await following(primary);
  await server.follower.firstAnswer(5000);

  primary.isAway = true;
  writeFileSync(path, 'two');
  await primary.files.look();
  await expect.poll(() => server.warnings.length, { timeout: 5000 }).toBe(1);

  expect(server.received.current.count).toBe(1);
  expect(server.follower.isInformed).toBe(true);
});
