/** What is read of a request before its body is parsed. */

import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { multipartBoundary, multipartPart } from '../../src/lib/multipart-part.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { Authorizer } from '../../src/platform/http/authorization/authorize.ts';
import { defaultRules, readRules } from '../../src/platform/http/authorization/index.ts';
import { acceptsGzip } from '../../src/platform/http/content-coding.ts';
import { headerIdentity } from '../../src/platform/http/identity/header-identity.ts';
import { route, TransferBudget } from '../../src/platform/http/index.ts';
import { ProxyHeaderError, readProxyHeader } from '../../src/platform/http/proxy-protocol/read-header.ts';
import { readBody } from '../../src/platform/http/request-body.ts';
import { decodedPath, pathProblem } from '../../src/platform/http/request-path.ts';
import { RouteTable } from '../../src/platform/http/route-table.ts';
import { acceptedFormat, bodyFormat, RequestFailed } from '../../src/platform/indirection/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { OidNames } from '../../src/platform/x509/index.ts';
import { isModifiedSince } from '../../src/services/ca/http/http-date.ts';
import { FileBucket } from '../../src/services/filebucket/index.ts';
import { filesetOptions, metadataOptions } from '../../src/services/fileserver/request-options.ts';
import { readJolokiaPath } from '../../src/services/puppetdb/http/jolokia.ts';
import type { Parser } from './fuzz.ts';
import { headerWords, jsonWords, pathWords, pemWords } from './words.ts';

const table = new RouteTable(
  [
    '/puppet/v3/catalog/:certname',
    '/puppet/v3/file_metadata/*',
    '/puppet/v3/file_content/*',
    '/puppet-ca/v1/certificate_request/:certname',
    '/pdb/query/v4/*',
    '/classifier-api/v1/groups/:id/rules',
  ].map((path) => route({ method: 'GET', path, allow: { kind: 'rules' }, handle: () => ({ status: 200 }) })),
);

const siteRules = readRules(
  `authorization: { version: 1, rules: [
    { match-request: { path: "^/puppet/v3/(catalog|node)/([^/]+)$", type: regex, method: [get, post] },
      allow: ["$2", { extensions: { pp_cli_auth: "true" } }], sort-order: 200, name: own },
    { match-request: { path: "/puppet/v3/file_", type: path, query-params: { environment: [production] } },
      allow: "*.example.net", deny: "/^bad/", sort-order: 300, name: files } ] }`,
  'auth.conf',
).rules;
const authorizers = [new Authorizer(defaultRules), new Authorizer(siteRules)];

const bucket = new FileBucket({ directory: '/nonexistent', algorithm: 'sha256', log: silentLogger } as never);

const limits = {
  maxBodyBytes: 256 * 1024,
  bodyIdleTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  isCodingAllowed: true,
  memory: { hold: () => Promise.resolve() },
  beginTransfer: (drop: () => void) => new TransferBudget().begin('client', drop),
};

function text(input: Buffer): string {
  // Node's parser hands bytes of headers and request lines over as Latin-1.
  return input.toString('latin1');
}

function codedBody(coding: string, input: Buffer): Promise<Buffer> {
  const headers = { 'content-encoding': coding, 'content-length': `${input.length}` };
  return readBody(
    Object.assign(Readable.from([Buffer.from(input)]), { headers }) as unknown as IncomingMessage,
    limits,
  );
}

function query(input: Buffer): URLSearchParams {
  return new URLSearchParams(text(input));
}

export const httpParsers: readonly Parser[] = [
  {
    name: 'PROXY header',
    seeds: [
      'PROXY TCP4 192.0.2.1 192.0.2.2 56324 8140\r\nGET / HTTP/1.1\r\n',
      'PROXY TCP6 2001:db8::1 2001:db8::2 56324 8140\r\n',
      'PROXY UNKNOWN\r\n',
      Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000207c0000202dc041fcc', 'hex'),
    ],
    words: ['PROXY ', 'TCP4', 'TCP6', 'UNKNOWN', ' ', '\r\n', '\r\n\r\n\0\r\nQUIT\n'],
    refusals: [ProxyHeaderError],
    parse: (input) => readProxyHeader(input),
  },
  {
    name: 'path of a request',
    seeds: [
      '/puppet/v3/catalog/agent1.example.net',
      '/puppet/v3/file_metadata/modules/m/%C3%A9',
      '/pdb/query/v4/facts/os',
    ],
    words: pathWords,
    refusals: [],
    parse(input) {
      const path = text(input);
      pathProblem(path);
      pathProblem(path, ['empty', 'slash', 'backslash']);
      // Only what can be decoded is looked for.
      if (decodedPath(path) !== undefined) table.find('GET', path);
    },
  },
  {
    name: 'rules of auth.conf',
    seeds: [
      '/puppet/v3/catalog/agent1.example.net?environment=production',
      '/puppet/v3/file_content/modules/x?environment=a',
    ],
    words: pathWords,
    refusals: [],
    parse(input) {
      const [path = '', search = ''] = text(input).split('?');
      const identity = {
        kind: 'certificate',
        certname: path.split('/').at(-1) ?? '',
        dnsAltNames: [search],
        extensions: { pp_role: search },
        serial: '1',
        raw: Buffer.alloc(0),
        address: '192.0.2.1',
      } as const;
      const request = { method: 'GET', path, query: new URLSearchParams(search) };
      return authorizers.map((authorizer) => authorizer.decide(request, identity, path));
    },
  },
  {
    name: 'query of file requests',
    seeds: [
      'environment=production&links=follow&recurse=true&recurselimit=3&ignore=.svn&ignore=*.o&checksum_type=md5&max_files=-1',
    ],
    words: [...pathWords, 'ignore=', '[a-z]', '{a,b}', '**', 'recurselimit=', 'links=manage'],
    refusals: [RequestFailed],
    parse(input) {
      const parameters = query(input);
      metadataOptions(parameters);
      filesetOptions(parameters).isIgnored(
        'modules/x/files/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.txt',
      );
    },
  },
  {
    name: 'key of the file bucket',
    seeds: [`sha256/${'a'.repeat(64)}/etc/motd`, `sha256/${'0'.repeat(64)}`],
    words: pathWords,
    refusals: [RequestFailed],
    parse: (input) => bucket.parseKey(text(input)),
  },
  {
    name: 'Accept',
    seeds: [
      'application/vnd.puppet.rich+json, application/json;q=0.9, text/pson',
      '*/*',
      'rich_data_json, json, s, binary',
    ],
    words: headerWords,
    refusals: [ServiceError, RequestFailed],
    parse: (input) => acceptedFormat(text(input), ['rich_data_json', 'json', 'pson']),
  },
  {
    name: 'Content-Type',
    seeds: ['application/json', 'text/pson; charset=utf-8'],
    words: headerWords,
    refusals: [ServiceError, RequestFailed],
    parse: (input) => bodyFormat(text(input), ['json', 'pson']),
  },
  {
    name: 'Accept-Encoding',
    seeds: ['gzip;q=1.0,deflate;q=0.6,identity;q=0.3', '*;q=0'],
    words: headerWords,
    refusals: [],
    parse: (input) => acceptsGzip(text(input)),
  },
  {
    name: 'If-Modified-Since',
    seeds: ['Mon, 24 Nov 2026 00:00:00 GMT'],
    words: headerWords,
    refusals: [],
    parse: (input) => isModifiedSince(new Date(0), text(input)),
  },
  {
    name: 'headers of a proxy',
    seeds: [
      '/O=x/CN=agent1.example.net',
      'CN=agent1.example.net,OU=b',
      '%2D%2D%2D%2D%2DBEGIN%20CERTIFICATE%2D%2D%2D%2D%2D',
    ],
    words: [...pathWords, 'CN=', '\\,', '"', ...pemWords],
    refusals: [ServiceError],
    parse(input) {
      const header = text(input);
      headerIdentity({ 'x-client-verify': 'SUCCESS', 'x-client-dn': header }, '192.0.2.1', new OidNames());
      const headers = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=a', 'x-client-cert': header };
      headerIdentity(header.includes('BEGIN') ? headers : {}, '192.0.2.1', new OidNames());
    },
  },
  {
    name: 'path of Jolokia',
    seeds: ['read/java.lang:type=Memory/HeapMemoryUsage/used', 'list', 'search/puppetlabs.puppetdb.mq:*'],
    words: [...pathWords, '!', '!/', 'read/', 'java.lang:type='],
    refusals: [],
    parse: (input) => readJolokiaPath(text(input)),
  },
  {
    name: 'gzip body',
    seeds: [gzipSync('{"a":1}'), gzipSync(Buffer.alloc(100_000)), gzipSync(Buffer.alloc(300_000))],
    words: ['\x1f\x8b\x08', '\0', '\xff'],
    refusals: [ServiceError],
    parse: (input) => codedBody('gzip', input),
  },
  {
    name: 'deflate body',
    seeds: [gzipSync('{"a":1}').subarray(10, -8), Buffer.from('789c4b04000062006200', 'hex')],
    words: ['\x78\x9c', '\0', '\xff'],
    refusals: [ServiceError],
    parse: (input) => codedBody('deflate', input),
  },
  {
    name: 'multipart form',
    seeds: [
      '--b\r\nContent-Disposition: form-data; name="archive"; filename="x"\r\n\r\ncontent\r\n--b--\r\n',
    ],
    words: ['--b', '--', '\r\n', '\n', 'name="archive"', ';', '"', ...jsonWords],
    refusals: [ServiceError, RangeError],
    async parse(input) {
      const boundary = multipartBoundary(`multipart/form-data; boundary=b`) ?? '';
      const parts: Buffer[] = [];
      for await (const part of multipartPart(Readable.from([Buffer.from(input)]), boundary, 'archive'))
        parts.push(part);
      return multipartBoundary(text(input));
    },
  },
];
