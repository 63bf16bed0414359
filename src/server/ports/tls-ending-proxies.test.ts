/** Real proxies end TLS in front of the plain port. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { createHttpServer, type HttpServer, route, TrustedProxies } from '../../platform/http/index.ts';
import { type ClientCredentials, HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';

interface Place {
  readonly directory: string;
  /** Of the proxy. */
  readonly port: number;
  /** Of the server behind it. */
  readonly plain: number;
}

let authority: OpensslAuthority;
let plain: HttpServer;
let plainPort: number;
let directory: string;

beforeAll(async () => {
  authority = new OpensslAuthority('CA');
  directory = mkdtempSync(join(tmpdir(), 'bunraku-proxies-'));
  const { certificate, privateKey } = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  writeFileSync(join(directory, 'cert.pem'), certificate);
  writeFileSync(join(directory, 'key.pem'), privateKey);
  writeFileSync(join(directory, 'both.pem'), certificate + privateKey);
  writeFileSync(join(directory, 'ca.pem'), authority.certificate);
  plain = createHttpServer({
    routes: [
      route({
        method: 'GET',
        path: '/who',
        allow: { kind: 'anyone' },
        handle: ({ identity }) => ({
          status: 200,
          headers: {},
          body:
            identity.kind === 'certificate'
              ? `${identity.certname} ${identity.serial !== ''}`
              : identity.kind,
        }),
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: true },
    trustedProxies: new TrustedProxies(['127.0.0.1']),
    log: silentLogger,
  });
  plainPort = await plain.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await plain.drain(100);
  authority.remove();
  rmSync(directory, { recursive: true });
});

const nginx = ({ directory: at, plain: behind, port }: Place) => `daemon off;
master_process off;
pid ${at}/nginx.pid;
error_log ${at}/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path ${at}; proxy_temp_path ${at}; fastcgi_temp_path ${at}; uwsgi_temp_path ${at}; scgi_temp_path ${at};
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${at}/cert.pem;
    ssl_certificate_key ${at}/key.pem;
    ssl_client_certificate ${at}/ca.pem;
    ssl_verify_client optional;
    location / {
      proxy_set_header X-Client-Verify $ssl_client_verify;
      proxy_set_header X-Client-DN $ssl_client_s_dn;
      proxy_set_header X-Client-Cert $ssl_client_escaped_cert;
      proxy_pass http://127.0.0.1:${behind};
    }
  }
}
`;

const modules = '/usr/lib/apache2/modules';
const apache = ({ directory: at, plain: behind, port }: Place) => `ServerRoot ${at}
ServerName localhost
PidFile ${at}/apache.pid
ErrorLog ${at}/apache.log
Listen 127.0.0.1:${port}
${['mpm_event', 'authz_core', 'headers', 'ssl', 'proxy', 'proxy_http', 'socache_shmcb']
  .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`)
  .join('\n')}
SSLEngine on
SSLCertificateFile ${at}/cert.pem
SSLCertificateKeyFile ${at}/key.pem
SSLCACertificateFile ${at}/ca.pem
SSLVerifyClient optional
RequestHeader set X-Client-Verify %{SSL_CLIENT_VERIFY}s
RequestHeader set X-Client-DN %{SSL_CLIENT_S_DN}s
RequestHeader unset X-Client-Cert
ProxyPass / http://127.0.0.1:${behind}/
`;

const haproxy = ({ directory: at, plain: behind, port }: Place) => `global
  maxconn 100
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
listen puppet
  bind 127.0.0.1:${port} ssl crt ${at}/both.pem ca-file ${at}/ca.pem verify optional
  http-request set-header X-Client-Verify NONE
  http-request set-header X-Client-Verify SUCCESS if { ssl_c_used }
  http-request set-header X-Client-DN CN=%[ssl_c_s_dn(cn)]
  http-request del-header X-Client-Cert
  server bunraku 127.0.0.1:${behind}
`;

/** Whether the certificate itself is passed on, too. */
const proxies = [
  ['nginx', nginx, (file: string) => ['-c', file], true],
  ['apache2', apache, (file: string) => ['-X', '-f', file], false],
  ['haproxy', haproxy, (file: string) => ['-db', '-q', '-f', file], false],
] as const;

for (const [program, configuration, wordsFor, passesCertificate] of proxies) {
  const isThere = spawnSync(program, ['-v']).status === 0;
  test.skipIf(!isThere)(`${program} says who asks (skipped where it is missing)`, async () => {
    const port = await freePort();
    const file = join(directory, `${program}.conf`);
    writeFileSync(file, configuration({ directory, port, plain: plainPort }));
    const proxy = spawn(program, wordsFor(file), { stdio: 'ignore' });
    const agent = authority.issue('agent.example.net');
    const forged = { 'X-Client-Verify': 'SUCCESS', 'X-Client-DN': 'CN=victim.example.net' };
    const ask = async (credentials: ClientCredentials, headers = {}) => {
      const client = new HttpClient({ ca: authority.certificate, ...credentials });
      try {
        const url = `https://localhost:${port}/who`;
        return (await client.send({ method: 'GET', url, headers, timeoutMs: 5000 })).body.toString();
      } finally {
        client.close();
      }
    };

    try {
      await expect.poll(() => ask({}).catch(() => ''), { timeout: 10_000 }).toBe('anonymous');
      expect(await ask({}, forged)).toBe('anonymous');
      expect(await ask(agent)).toBe(`agent.example.net ${passesCertificate}`);
      expect(await ask(agent, forged)).toBe(`agent.example.net ${passesCertificate}`);
    } finally {
      await ended(proxy);
    }
  });
}

async function ended(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null || proxy.signalCode !== null) return;
  proxy.kill();
  await once(proxy, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
