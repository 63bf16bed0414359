/** The thread of the health port: answers from what the main thread said last, however much that has to do. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { createServer } from '../../lib/node-http.ts';
import type {
  FromHealthThread,
  HealthThreadOptions,
  PlainAnswer,
  ToHealthThread,
} from './health-protocol.ts';
import type { ServiceState } from './service-status.ts';
import { simpleAnswer, simpleServiceAnswer } from './simple-answer.ts';

/** For what the main thread has to say itself. */
const questionTimeoutMs = 65_000;
const tellingIntervalMs = 1000;
const simplePath = '/status/v1/simple';

function serve(
  main: NonNullable<typeof parentPort>,
  { host, port, staleAfterMs }: HealthThreadOptions,
): void {
  const send = (message: FromHealthThread): void => main.postMessage(message);
  let states: Readonly<Record<string, ServiceState>> = {};
  let apart: readonly string[] = [];
  let heardAtMs = performance.now();
  const questions = new Questions(send);
  const current = (): Readonly<Record<string, ServiceState>> => {
    const isStale = performance.now() - heardAtMs > staleAfterMs;
    return isStale ? Object.fromEntries(Object.keys(states).map((name) => [name, 'unknown'])) : states;
  };
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tellThatItWasAsked = (): void => {
    if (performance.now() - toldAtMs < tellingIntervalMs) return;
    toldAtMs = performance.now();
    send({ kind: 'asked' });
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, reply) => {
    tellThatItWasAsked();
    const known = request.method === 'GET' ? answerFrom(current(), apart, request.url ?? '/') : undefined;
    if (known !== undefined) answer(reply, known);
    else questions.ask(request, reply);
  });
  main.on('message', (message: ToHealthThread) => {
    if (message.kind === 'states') {
      ({ apart, states } = message);
      heardAtMs = performance.now();
    } else if (message.kind === 'answer') questions.answer(message.id, message);
    else {
      server.close(() => main.close());
      server.closeAllConnections();
    }
  });
  server.once('error', (error: NodeJS.ErrnoException) => {
    send({ kind: 'failed', code: error.code, message: error.message });
    main.close();
  });
  server.listen({ port, ...(host === undefined ? {} : { host }) }, () =>
    send({ kind: 'listening', port: (server.address() as AddressInfo).port }),
  );
}

/** @returns `undefined` for what only the main thread knows */
function answerFrom(
  states: Readonly<Record<string, ServiceState>>,
  apart: readonly string[],
  url: string,
): PlainAnswer | undefined {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  // Whether the limit that it sets makes sense is for the main thread to say.
  if (query.has('timeout')) return undefined;
  if (path === simplePath) {
    const ofServer = Object.entries(states).flatMap(([name, state]) => (apart.includes(name) ? [] : [state]));
    return simpleAnswer(ofServer, query.get('while_stopping'));
  }
  const name = path.startsWith(`${simplePath}/`) ? path.slice(simplePath.length + 1) : undefined;
  if (name === undefined || !/^[\w.-]+$/.test(name)) return undefined;
  return simpleServiceAnswer(name, Object.hasOwn(states, name) ? states[name] : undefined);
}

/** Requests that wait for the main thread. */
class Questions {
  private readonly send: (message: FromHealthThread) => void;
  private readonly waiting = new Map<number, (answer: PlainAnswer) => void>();
  private nextId = 1;

  constructor(send: (message: FromHealthThread) => void) {
    this.send = send;
  }

  ask(request: IncomingMessage, reply: ServerResponse): void {
    const id = this.nextId;
    this.nextId += 1;
    const timer = setTimeout(() => {
      this.answer(id, { status: 503, contentType: 'text/plain;charset=utf-8', body: 'unknown' });
    }, questionTimeoutMs);
    this.waiting.set(id, (found) => answer(reply, found));
    reply.once('close', () => {
      clearTimeout(timer);
      this.waiting.delete(id);
    });
    this.send({ kind: 'question', id, url: request.method === 'GET' ? (request.url ?? '/') : '' });
  }

  answer(id: number, found: PlainAnswer): void {
    this.waiting.get(id)?.(found);
  }
}

function answer(reply: ServerResponse, { body, contentType, status }: PlainAnswer): void {
  reply.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  reply.end(body);
}

if (parentPort !== null) serve(parentPort, workerData as HealthThreadOptions);
