/** Threads: for one piece of work, for requests, for large bodies; questions of threads that block; limits of their memory. */

export { answerBlocking, askBlocking, type BlockingLink } from './blocking-link.ts';
export { answerBodies, BodyThread } from './body-thread.ts';
export { HeapGuard } from './heap-guard.ts';
export { answerOnce, runOnce } from './one-shot.ts';
export { PartStream } from './part-stream.ts';
export { RequestThread, type Streamed } from './request-thread.ts';
export { type Incoming, notify, serveRequests } from './serve-requests.ts';
