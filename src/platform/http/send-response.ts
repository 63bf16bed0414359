/** Answers on the wire: status line, headers, compression, streams. */

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { acceptsGzip, compressionLevel, isCompressible, minCompressedBytes } from './content-coding.ts';
import { statusNames } from './error-response.ts';
import { giveBack } from './give-back.ts';
import type { HttpResponse } from './route.ts';
import type { Transfer } from './transfer-budget.ts';

const compress = promisify(gzip);

/**
 * Node copies each write on a TLS connection twice and keeps, until the connection ends, a buffer as large as the largest of
 * them was: catalogs of 4 MB written at once held 22 MiB for 41 agents that were idle.
 */
const pieceBytes = 64 * 1024;

export interface SendOptions {
  readonly method: string;
  readonly acceptEncoding: string | undefined;
  /** The version of Puppet that is announced; none outside Puppet's own APIs. */
  readonly puppetVersion: string | undefined;
  readonly closesConnection: boolean;
  /** Counts what is held of an answer until the client has taken it. @param drop - called when the memory is needed */
  readonly beginTransfer: (drop: () => void) => Transfer;
}

/** Resolves when the answer is handed over; rejects when a streamed body fails or the client goes away. */
export async function sendResponse(
  reply: ServerResponse,
  response: HttpResponse,
  options: SendOptions,
): Promise<void> {
  const { status, body } = response;
  const headers: OutgoingHttpHeaders = { ...response.headers };
  if (options.puppetVersion !== undefined) headers['X-Puppet-Version'] = options.puppetVersion;
  if (options.closesConnection) headers['Connection'] = 'close';
  if (status === 200 && body !== undefined && (options.method === 'GET' || options.method === 'POST')) {
    headers['Vary'] = 'Accept-Encoding, User-Agent';
  }
  if (body instanceof Readable) return sendStream(reply, { ...response, headers, body }, options);
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
  const isCoded = bytes.length >= minCompressedBytes && mayCompress(headers, options);
  const sent = isCoded ? await compress(bytes, { level: compressionLevel }) : bytes;
  if (isCoded) headers['Content-Encoding'] = 'gzip';
  if (isCoded && (response.isBodyDisposable === true || typeof body === 'string')) giveBack(bytes);
  // The handler may have set it in other letters: twice is an error to strict clients.
  removeContentLength(headers);
  if (status !== 204 && status !== 304) headers['Content-Length'] = sent.length;
  if (reply.destroyed) return;
  writeHead(reply, response, headers);
  if (options.method === 'HEAD' || status === 204 || status === 304) reply.end();
  else if (sent.length > pieceBytes) {
    await sendPieces(reply, sent, options);
    if (isCoded || response.isBodyDisposable === true) giveBack(sent);
  } else sendAtOnce(reply, sent, isCoded || response.isBodyDisposable === true);
}

async function sendPieces(
  reply: ServerResponse,
  bytes: Buffer,
  { beginTransfer }: SendOptions,
): Promise<void> {
  const transfer = beginTransfer(() => reply.destroy());
  transfer.grow(bytes.length);
  try {
    await pipeline(piecesOf(bytes), reply);
  } finally {
    transfer.end();
  }
}

function sendAtOnce(reply: ServerResponse, bytes: Buffer, isDisposable: boolean): void {
  // Called when the system has it all, and not when the client has left: then the bytes may be on their way still.
  reply.end(bytes, isDisposable ? () => giveBack(bytes) : undefined);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

interface StreamedResponse extends Pick<HttpResponse, 'status' | 'reason' | 'isBodyDisposable'> {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Readable;
}

async function sendStream(
  reply: ServerResponse,
  response: StreamedResponse,
  options: SendOptions,
): Promise<void> {
  const { headers, body } = response;
  if (options.method === 'HEAD' || reply.destroyed) {
    body.destroy();
    if (!reply.destroyed) writeHead(reply, response, headers);
    reply.end();
    return;
  }
  const isCoded = contentLength(headers) >= minCompressedBytes && mayCompress(headers, options);
  if (isCoded) {
    removeContentLength(headers);
    headers['Content-Encoding'] = 'gzip';
  }
  writeHead(reply, response, headers);
  const coders = isCoded ? [createGzip({ level: compressionLevel })] : [];
  if (response.isBodyDisposable !== true) return await pipeline([body, ...coders, reply]);
  const [coder] = coders;
  const sent = coder === undefined ? [] : [pipeline(coder, reply)];
  await Promise.all([pipeline(body, givingBack(coder ?? reply)), ...sent]);
}

/** Hands parts on, one at a time, and gives the memory of each back when it has been written. */
function givingBack(target: Writable): Writable {
  const writable = new Writable({
    write(part: Buffer, encoding, callback) {
      target.write(part, encoding, (error) => {
        giveBack(part);
        callback(error);
      });
    },
    final: (callback) => void target.end(callback),
    destroy(error, callback) {
      if (error !== null) target.destroy(error);
      callback(error);
    },
  });
  // A client that goes away in the middle may leave the last write without an outcome.
  target.once('close', () => {
    if (!writable.writableFinished) writable.destroy(new Error('The client went away'));
  });
  return writable;
}

function writeHead(
  reply: ServerResponse,
  { status, reason }: Pick<HttpResponse, 'status' | 'reason'>,
  headers: OutgoingHttpHeaders,
): void {
  const name = reason ?? statusNames[status];
  if (name === undefined) reply.writeHead(status, headers);
  else reply.writeHead(status, name, headers);
}

function mayCompress(headers: OutgoingHttpHeaders, options: SendOptions): boolean {
  return acceptsGzip(options.acceptEncoding) && isCompressible(headers);
}

/** A stream of unknown length counts as long. */
function contentLength(headers: OutgoingHttpHeaders): number {
  const length = headers['Content-Length'] ?? headers['content-length'];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

function removeContentLength(headers: OutgoingHttpHeaders): void {
  delete headers['Content-Length'];
  delete headers['content-length'];
}
