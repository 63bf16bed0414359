/** Request bodies: read whole, content coding removed, never larger than agreed. */

import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ServiceError } from '../../lib/service-error.ts';
import { giveBack } from './give-back.ts';
import { overloaded, type Transfer } from './transfer-budget.ts';
import { minBytesPerPeriod } from './unread-answers.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyIdleTimeoutMs: number;
  /** Until the whole body has arrived. */
  readonly requestTimeoutMs: number;
  /** Whether a compressed body is decompressed; otherwise it is refused before it is read. */
  readonly isCodingAllowed: boolean;
  /** Asked before a body is decompressed. */
  readonly memory: BodyMemory;
  /** Counts what has arrived of a body. @param drop - called when its memory is needed for others */
  readonly beginTransfer: (drop: () => void) => Transfer;
}

/** Memory for what a body becomes. */
export interface BodyMemory {
  /** Gives back what was held before. @throws ServiceError `unavailable` when there is no room for too long */
  hold(bytes: number): Promise<void>;
}

/** @throws ServiceError `too-large`, `timeout`, `bad-request`, `unsupported-media-type` */
export async function readBody(message: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0);
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && !limits.isCodingAllowed) throw unsupported(coding);
  if (declared > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  const bytes = await collect(message, declared, limits);
  return coding === 'identity' ? bytes : decode(bytes, coding, limits);
}

/** @param declared - how long it is said to be; 0 when nothing is said */
function collect(message: IncomingMessage, declared: number, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(declared);
    let inPeriod = 0;
    const timer = setTimeout(
      () => fail(timedOut(inPeriod, limits.bodyIdleTimeoutMs)),
      limits.bodyIdleTimeoutMs,
    );
    const deadline = setTimeout(
      () => fail(timedOut(body.length, limits.requestTimeoutMs)),
      limits.requestTimeoutMs,
    );
    const transfer = limits.beginTransfer(() => fail(overloaded()));
    const stop = (): void => {
      clearTimeout(timer);
      clearTimeout(deadline);
      transfer.end();
      message.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const fail = (error: ServiceError): void => {
      stop();
      // What still comes is read and dropped: a client that is not done sending would never see the answer.
      message.resume();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      inPeriod += chunk.length;
      if (inPeriod >= minBytesPerPeriod) {
        inPeriod = 0;
        timer.refresh();
      }
      if (body.length + chunk.length > limits.maxBodyBytes) return fail(tooLarge(limits.maxBodyBytes));
      transfer.grow(chunk.length);
      body.add(chunk);
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
  private readonly declared: number;
  private readonly chunks: Buffer[] = [];
  private place: Buffer | undefined;
  length = 0;

  constructor(declared: number) {
    this.declared = declared;
  }

  add(chunk: Buffer): void {
    const start = this.length;
    this.length += chunk.length;
    // The memory is not touched, so nothing is taken by who only says that much will come.
    if (start === 0 && chunk.length < this.declared) this.place = Buffer.allocUnsafeSlow(this.declared);
    if (this.place === undefined) {
      this.chunks.push(chunk);
      return;
    }
    this.place.set(chunk, start);
    giveBack(chunk);
  }

  whole(): Buffer {
    if (this.place !== undefined) return this.place.subarray(0, this.length);
    const [only] = this.chunks;
    return this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks, this.length);
  }
}

/** Memory is held for what the body says that it will become; for the largest only when that is not enough. */
async function decode(bytes: Buffer, coding: string, { maxBodyBytes, memory }: BodyLimits): Promise<Buffer> {
  const createDecoder = decoderOf(bytes, coding);
  const expected = Math.min(maxBodyBytes, expectedBytes(bytes, coding));
  await memory.hold(expected);
  const decoded = await decodeInto(createDecoder(), bytes, coding, expected);
  if (decoded !== undefined) return decoded;
  if (expected === maxBodyBytes) throw tooLarge(maxBodyBytes);
  await memory.hold(maxBodyBytes);
  return (await decodeInto(createDecoder(), bytes, coding, maxBodyBytes)) ?? fail(tooLarge(maxBodyBytes));
}

function decoderOf(bytes: Buffer, coding: string): () => Transform {
  const options = { chunkSize: 64 * 1024 };
  if (coding === 'gzip' || coding === 'x-gzip') return () => createGunzip(options);
  if (coding !== 'deflate') throw unsupported(coding);
  return () => (isZlib(bytes) ? createInflate(options) : createInflateRaw(options));
}

/** gzip says at its end how long the data was. */
function expectedBytes(bytes: Buffer, coding: string): number {
  const isGzip = coding !== 'deflate' && bytes.length >= 18;
  return isGzip ? bytes.readUInt32LE(bytes.length - 4) : bytes.length * 8;
}

/** @returns undefined when it becomes longer than `capacity` */
function decodeInto(
  decoder: Transform,
  bytes: Buffer,
  coding: string,
  capacity: number,
): Promise<Buffer | undefined> {
  const place = Buffer.allocUnsafeSlow(capacity);
  let length = 0;
  return new Promise((resolve, reject) => {
    decoder.on('data', (chunk: Buffer) => {
      if (length + chunk.length > capacity) {
        decoder.destroy();
        resolve(undefined);
        return;
      }
      place.set(chunk, length);
      length += chunk.length;
    });
    decoder.on('end', () => resolve(length === capacity ? place : place.subarray(0, length)));
    decoder.on('error', (cause) =>
      reject(new ServiceError('bad-request', `The request body is not valid ${coding} data`, { cause })),
    );
    decoder.end(bytes);
  });
}

function fail(error: ServiceError): never {
  throw error;
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

function timedOut(bytes: number, timeoutMs: number): ServiceError {
  const came =
    bytes === 0
      ? `nothing came for ${timeoutMs / 1000} seconds`
      : `only ${bytes} bytes came in ${timeoutMs / 1000} seconds`;
  return new ServiceError('timeout', `The request body did not arrive: ${came}`);
}
