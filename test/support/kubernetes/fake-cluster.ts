/** The API of a cluster, for what the program and `kubectl` ask about pods and tokens. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { OpensslAuthority } from '../openssl-authority.ts';
import { type Answer, failure } from './failure.ts';
import { FakePods, podObject } from './fake-pods.ts';
import { FakeTokens } from './fake-tokens.ts';

export class FakeCluster {
  readonly tokens = new FakeTokens();
  readonly pods = new FakePods();
  /** Method and path of each request; a watch is `WATCH`. */
  readonly requests: string[] = [];
  /** What a request gets instead of its answer: a status. */
  faultOf: (request: string) => number | undefined = () => undefined;
  /** Of the primary's service account. */
  readonly bearer = 'bearer-of-the-primary';
  private readonly authority = new OpensslAuthority('kubernetes');
  private readonly server: Server;

  private constructor() {
    const { certificate, privateKey } = this.authority.issue('kubernetes', [
      'subjectAltName=IP:127.0.0.1,DNS:localhost',
    ]);
    this.server = createServer(
      { cert: certificate, key: privateKey },
      (request, response) => void this.answer(request, response),
    );
  }

  static async start(): Promise<FakeCluster> {
    const cluster = new FakeCluster();
    await new Promise<void>((resolve) => cluster.server.listen(0, '127.0.0.1', resolve));
    return cluster;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** For `kubectl`, and for the setting `kubeconfig`. */
  kubeconfig(namespace = 'puppet'): string {
    const ca = Buffer.from(this.authority.certificate).toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'fake',
      clusters: [{ name: 'fake', cluster: { server: this.url, 'certificate-authority-data': ca } }],
      users: [{ name: 'primary', user: { token: this.bearer } }],
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'primary', namespace } }],
    });
  }

  /** How often pods were listed. */
  get lists(): number {
    return this.requests.filter((request) => request.startsWith('GET') && request.endsWith('/pods')).length;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.authority.remove();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', this.url);
    const name = `${isWatch(url) ? 'WATCH' : request.method} ${url.pathname}`;
    this.requests.push(name);
    const fault = this.faultOf(name);
    const text = Buffer.concat(chunks).toString('utf8');
    if (fault === undefined && isWatch(url)) {
      this.pods.watch(namespaceIn(url), url.searchParams, response);
      return;
    }
    const { body, status } =
      fault !== undefined
        ? failure(fault, 'an injected fault')
        : request.headers.authorization === `Bearer ${this.bearer}`
          ? this.served(request.method ?? '', url, text === '' ? undefined : (JSON.parse(text) as unknown))
          : failure(401, 'Unauthorized');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private served(method: string, url: URL, body: unknown): Answer {
    const { pathname, searchParams } = url;
    const fixed = discovery[pathname];
    if (method === 'GET' && fixed !== undefined) return { status: 200, body: fixed };
    if (method === 'POST' && pathname === '/apis/authentication.k8s.io/v1/tokenreviews')
      return this.review(body);
    const [, namespace = '', podName] =
      /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (namespace === '') return failure(404, 'the server could not find the requested resource');
    if (podName === undefined) return { status: 200, body: this.pods.list(namespace, searchParams) };
    const pod = this.pods.find(namespace, podName);
    if (pod === undefined) return failure(404, `pods "${podName}" not found`);
    return method === 'DELETE' ? this.pods.delete(pod, body) : { status: 200, body: podObject(pod) };
  }

  private review(body: unknown): Answer {
    const { spec } = body as {
      readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
    };
    const status = this.tokens.review(
      spec.token,
      spec.audiences ?? ['https://kubernetes.default.svc'],
      new Date(),
    );
    return {
      status: 201,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec, status },
    };
  }
}

function namespaceIn({ pathname }: URL): string {
  return /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(pathname)?.[1] ?? '';
}

function isWatch(url: URL): boolean {
  return namespaceIn(url) !== '' && ['1', 'true'].includes(url.searchParams.get('watch') ?? '');
}

const verbs = ['create', 'delete', 'get', 'list', 'watch'];

/** What `kubectl` asks before anything else. */
const discovery: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '31', gitVersion: 'v1.31.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'authentication.k8s.io',
        versions: [{ groupVersion: 'authentication.k8s.io/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'authentication.k8s.io/v1', version: 'v1' },
      },
    ],
  },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs }],
  },
  '/apis/authentication.k8s.io/v1': {
    kind: 'APIResourceList',
    groupVersion: 'authentication.k8s.io/v1',
    resources: [
      { name: 'tokenreviews', singularName: '', namespaced: false, kind: 'TokenReview', verbs: ['create'] },
    ],
  },
};
