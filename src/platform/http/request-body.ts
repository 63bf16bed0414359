/** Request bodies: read whole, content coding removed, never larger than agreed. */

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { ServiceError } from '../../lib/service-error.ts';
import { giveBack } from './give-back.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyIdleTimeoutMs: number;
  /** Whether a compressed body is decompressed; otherwise it is refused before it is read. */
  readonly isCodingAllowed: boolean;
}

const decoders = {
  gunzip: promisify(gunzip),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
};

/** @throws ServiceError `too-large`, `timeout`, `bad-request`, `unsupported-media-type` */
export async function readBody(message: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0);
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && !limits.isCodingAllowed) throw unsupported(coding);
  if (declared > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  const bytes = await collect(message, declared, limits);
  return coding === 'identity' ? bytes : decode(bytes, coding, limits.maxBodyBytes);
}

/** @param declared - how long it is said to be; 0 when nothing is said */
function collect(message: IncomingMessage, declared: number, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(declared);
    const timer = setTimeout(() => fail(timedOut(limits.bodyIdleTimeoutMs)), limits.bodyIdleTimeoutMs);
    const stop = (): void => {
      clearTimeout(timer);
      message.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const fail = (error: ServiceError): void => {
      stop();
      // What still comes is read and dropped: a client that is not done sending would never see the answer.
      message.resume();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      timer.refresh();
      if (body.length + chunk.length > limits.maxBodyBytes) fail(tooLarge(limits.maxBodyBytes));
      else body.add(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(body.whole());
    };
    const onBroken = (): void =>
      fail(new ServiceError('bad-request', 'The request body ended before it was complete'));
    if (message.destroyed && !message.readableEnded) return onBroken();
    message.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Where the length is known, chunks are copied into their place and freed: a large body is in memory once. */
class ArrivingBody {
  readonly #declared: number;
  readonly #chunks: Buffer[] = [];
  #place: Buffer | undefined;
  length = 0;

  constructor(declared: number) {
    this.#declared = declared;
  }

  add(chunk: Buffer): void {
    const start = this.length;
    this.length += chunk.length;
    // The memory is not touched, so nothing is taken by who only says that much will come.
    if (start === 0 && chunk.length < this.#declared) this.#place = Buffer.allocUnsafeSlow(this.#declared);
    if (this.#place === undefined) {
      this.#chunks.push(chunk);
      return;
    }
    this.#place.set(chunk, start);
    giveBack(chunk);
  }

  whole(): Buffer {
    if (this.#place !== undefined) return this.#place.subarray(0, this.length);
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.length);
  }
}

async function decode(bytes: Buffer, coding: string, maxBodyBytes: number): Promise<Buffer> {
  const options = { maxOutputLength: maxBodyBytes };
  try {
    if (coding === 'gzip' || coding === 'x-gzip') return await decoders.gunzip(bytes, options);
    if (coding === 'deflate')
      return await (isZlib(bytes) ? decoders.inflate : decoders.inflateRaw)(bytes, options);
  } catch (cause) {
    if ((cause as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBodyBytes);
    throw new ServiceError('bad-request', `The request body is not valid ${coding} data`, { cause });
  }
  throw unsupported(coding);
}

function unsupported(coding: string): ServiceError {
  return new ServiceError('unsupported-media-type', `Unsupported content coding '${coding}'`);
}

/** Some clients send raw deflate data, others wrap it as the standard says. */
function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function tooLarge(maxBodyBytes: number): ServiceError {
  return new ServiceError('too-large', `The request body is larger than ${maxBodyBytes} bytes`);
}

function timedOut(timeoutMs: number): ServiceError {
  return new ServiceError(
    'timeout',
    `The request body did not arrive: nothing came for ${timeoutMs / 1000} seconds`,
  );
}
