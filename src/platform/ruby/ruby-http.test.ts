import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shimDirectory } from './shim-directory.ts';

const run = promisify(execFile);
const servers: Server[] = [];
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bunraku-test-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The text that Ruby code gives, with a worker that knows the version and where this server's certificates lie. */
async function ruby(code: string): Promise<string> {
  const program = `
    require ${JSON.stringify(path.join(shimDirectory(), 'parts.rb'))}
    Bunraku::Host.define_singleton_method(:ask) do |question, *arguments|
      question == 'version' ? '8.28.1' : { 'localcacert' => ${JSON.stringify(path.join(directory, 'ca.pem'))} }[arguments.first]
    end
    client = Puppet.runtime[:http]
    print(begin
      ${code}
    rescue Puppet::Error => e
      "#{e.class}: #{e.message.sub(/after [\\d.]+ seconds/, 'after N seconds')}"
    end)`;
  const { stdout } = await run('ruby', ['-e', program], { env: { ...process.env, no_proxy: '*' } });
  return stdout;
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const serve = (answer: RequestListener): Promise<number> => listening(createServer(answer));

function hasRuby(): boolean {
  try {
    execFileSync('ruby', ['-e', '']);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasRuby())('the HTTP client of code in Ruby', () => {
  it('follows redirects with the same method and body, and keeps credentials from other hosts', async () => {
    const seen: (readonly [string | undefined, string, string | undefined])[] = [];
    const other = await serve((request, response) => {
      void bodyOf(request).then((body) => {
        seen.push([request.method, body, request.headers.authorization]);
        response.end('done');
      });
    });
    const first = await serve((request, response) => {
      const location = request.url === '/a' ? '/b' : `http://localhost:${other}/c`;
      seen.push([request.method, '', request.headers.authorization]);
      response.writeHead(307, { location }).end();
    });

    const text = await ruby(`
      headers = { 'Content-Type' => 'text/plain' }
      answer = client.post(URI('http://127.0.0.1:${first}/a'), 'text', headers: headers, options: { basic_auth: { user: 'u', password: 'p' } })
      [answer.code, answer.body, answer.success?, answer.url].inspect`);

    expect(text).toBe(`[200, "done", true, #<URI::HTTP http://localhost:${other}/c>]`);
    const credentials = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect(seen).toEqual([
      ['POST', '', credentials],
      ['POST', '', credentials],
      ['POST', 'text', undefined],
    ]);
  });

  it('ends after ten redirects, or as many as it is told', async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());

    const text = await ruby(
      `client.get(URI('http://127.0.0.1:${port}/'), options: { redirect_limit: 2 }).code`,
    );

    expect(text).toBe(
      `Puppet::HTTP::TooManyRedirects: Too many HTTP redirections for http://127.0.0.1:${port}/again`,
    );
  });

  it('gives answers that are errors, and query parameters as the reference writes them', async () => {
    const port = await serve((request, response) => response.writeHead(404, 'Not There').end(request.url));

    const text = await ruby(`
      answer = client.get(URI('http://127.0.0.1:${port}/x'), params: { a: [1, 'b c'], none: nil, t: true })
      [answer.code, answer.reason, answer.success?, answer.body].inspect`);

    expect(text).toBe('[404, "Not There", false, "/x?a=1&a=b%20c&t=true"]');
  });

  it('hands the body over piece by piece', async () => {
    const port = await serve((_, response) => response.end('piece'));

    const text = await ruby(`
      pieces = []
      client.get(URI('http://127.0.0.1:${port}/')) { |answer| answer.read_body { |piece| pieces << piece } }
      pieces.join`);

    expect(text).toBe('piece');
  });

  it('turns every failure into an error of Puppet', async () => {
    const port = await serve((request) => request.socket.destroy());

    const [refused, cut, unknown] = await Promise.all([
      ruby("client.get(URI('http://127.0.0.1:1/'))"),
      ruby(`client.put(URI('http://127.0.0.1:${port}/'), '', headers: { 'Content-Type' => 'text/plain' })`),
      ruby("client.get(URI('http://host.invalid/'))"),
    ]);

    expect(refused).toContain(
      'Puppet::HTTP::ConnectionError: Request to http://127.0.0.1:1/ failed after N seconds: ',
    );
    expect(cut).toMatch(/^Puppet::HTTP::HTTPError: Request to \S+ (interrupted|failed) after N seconds/);
    expect(unknown).toContain('Puppet::HTTP::ConnectionError: Request to http://host.invalid/ failed');
  });

  it('trusts its own authority, or what it is told to trust', async () => {
    const port = await tlsServer();
    const url = `URI('https://localhost:${port}/')`;

    const [own, given, none, both, insecure] = await Promise.all([
      ruby(`client.get(${url}).body`),
      ruby(`
        ca = OpenSSL::X509::Certificate.new(File.read(${JSON.stringify(path.join(directory, 'ca.pem'))}))
        context = Puppet::SSL::SSLProvider.new.create_root_context(cacerts: [ca])
        client.get(${url}, options: { ssl_context: context }).body`),
      ruby(
        `client.get(${url}, options: { ssl_context: Puppet::SSL::SSLProvider.new.create_root_context(cacerts: []) })`,
      ),
      ruby(
        `client.get(${url}, options: { ssl_context: Puppet.lookup(:ssl_context), include_system_store: true })`,
      ),
      ruby(
        `client.get(${url}, options: { ssl_context: Puppet::SSL::SSLProvider.new.create_insecure_context }).body`,
      ),
    ]);

    expect([own, given, insecure]).toEqual(['secret', 'secret', 'secret']);
    expect(none).toMatch(/^Puppet::SSL::CertVerifyError: .*certificate verify failed/);
    expect(both).toBe(
      'Puppet::HTTP::HTTPError: The ssl_context and include_system_store parameters are mutually exclusive',
    );
  });

  it('is behind connections of the older kind, whose answers are those of Net::HTTP', async () => {
    const port = await serve((request, response) => response.end(request.headers.accept));

    const text = await ruby(`
      connection = Puppet::Network::HttpPool.connection('127.0.0.1', ${port}, use_ssl: false)
      answer = connection.get('/x?y', { 'Accept' => 'application/yaml' })
      [answer.code, answer.body, connection.to_s].inspect`);

    expect(text).toBe(`["200", "application/yaml", "http://127.0.0.1:${port}"]`);
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** Its certificate is its own authority's. */
async function tlsServer(): Promise<number> {
  const [key, certificate] = [path.join(directory, 'key.pem'), path.join(directory, 'ca.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  return listening(createTlsServer(options, (_, response) => response.end('secret')));
}
