/** Node's servers as ours begin: whose connection it is first, then TLS in turns, then requests. */

import type { Server, ServerOptions } from 'node:http';
import { createServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createPlainServer } from '../../lib/node-http.ts';
import { awaitClientHello } from './client-hello.ts';
import type { HttpLimits } from './limits.ts';
import { paceHandshakes } from './paced-accept.ts';
import { awaitProxyHeader, type ProxyHeaderOptions } from './proxy-protocol/await-header.ts';
import { minTlsVersion, secureContextOptions, type TlsMaterial } from './tls-material.ts';

/** A plain connection whose PROXY header, if there is one, has been read. */
export const admitted = 'admitted';

export interface NodeServerOptions {
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly proxyHeaders: ProxyHeaderOptions;
  readonly handshakesPerSecond: number;
  readonly asksForCertificates: boolean;
}

/** @param tls - plain HTTP when absent; `admitted` is emitted for each of its connections */
export function createNodeServer(
  tls: TlsMaterial | undefined,
  limits: HttpLimits,
  { requestTimeout, ...options }: NodeServerOptions,
): Server | HttpsServer {
  const common = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5000, limits.headersTimeoutMs),
    noDelay: true,
  };
  const server =
    tls === undefined
      ? createProxiedServer(common, options.proxyHeaders)
      : createTlsServer(tls, limits, common, options);
  // A client that neither reads nor writes while nothing is computed for it any more.
  server.setTimeout(limits.handlerTimeoutMs + requestTimeout);
  return server;
}

/** Emits `admitted` for each connection as soon as it is known whose it is. */
function createProxiedServer(common: ServerOptions, proxyHeaders: ProxyHeaderOptions): Server {
  const server = createPlainServer(common);
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    awaitProxyHeader(socket, proxyHeaders, () => {
      for (const listener of begin) listener.call(server, socket);
      server.emit(admitted, socket);
      socket.resume();
    });
  });
  return server;
}

function createTlsServer(
  tls: TlsMaterial,
  limits: HttpLimits,
  common: ServerOptions,
  { asksForCertificates, handshakesPerSecond, proxyHeaders }: Omit<NodeServerOptions, 'requestTimeout'>,
): HttpsServer {
  const server = createServer({
    ...common,
    ...secureContextOptions(tls),
    minVersion: minTlsVersion,
    handshakeTimeout: limits.handshakeTimeoutMs,
    requestCert: asksForCertificates,
    // Agents without a certificate must be able to ask for one; readPeer judges those that have one.
    rejectUnauthorized: false,
    pauseOnConnect: true,
  });
  paceHandshakes(server, handshakesPerSecond, (socket, begin) =>
    awaitProxyHeader(socket, proxyHeaders, () => awaitClientHello(socket, limits.handshakeTimeoutMs, begin)),
  );
  return server;
}
