/**
 * A small process that starts programs for a server: Linux copies the page tables of the process that starts a program,
 * and those of a server are large. A program's input and output are connections to the server itself: nothing passes
 * through here. Ends with the server, and ends what it has started.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  connectionHead,
  type LauncherAnswer,
  type LauncherRequest,
  type SystemError,
  streamCount,
} from './launcher-messages.ts';
import { killProcess } from './start-process.ts';

type StartRequest = Extract<LauncherRequest, { kind: 'start' }>;

/** The directory in which the server listens. */
const [, , directory = ''] = process.argv;
const running = new Map<number, { readonly child: ChildProcess; readonly isOwnGroup: boolean }>();
/** Programs that have not begun yet, and whether they are to be ended as soon as they have. */
const beginning = new Map<number, { isUnwanted: boolean }>();

process.on('message', (request: LauncherRequest) => {
  if (request.kind === 'start') void start(request);
  else kill(request.id);
});
process.on('disconnect', () => {
  for (const id of running.keys()) kill(id);
  rmSync(directory, { recursive: true, force: true });
  process.exit();
});
// What the group of a terminal or of a service is told is for the server, which says so by leaving.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
answer({ kind: 'ready' });

async function start(request: StartRequest): Promise<void> {
  const { id } = request;
  beginning.set(id, { isUnwanted: false });
  const connecting = Array.from({ length: streamCount }, (_, stream) => connectionFor(id, stream));
  const connections = await Promise.allSettled(connecting);
  const sockets = connections.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = connections.find((result) => result.status === 'rejected');
  try {
    if (failure !== undefined) throw failure.reason;
    startWith(request, sockets);
  } catch (error) {
    answer({ kind: 'failed', id, error: systemError(error) });
  } finally {
    beginning.delete(id);
    // The program has its own.
    for (const socket of sockets) socket.destroy();
  }
}

function startWith({ args, command, id, options }: StartRequest, sockets: readonly Socket[]): void {
  const { directory: cwd, environment, isOwnGroup = false } = options;
  const child = spawn(command, args, {
    env: environment,
    stdio: [...sockets],
    detached: isOwnGroup,
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.on('error', (error) => answer({ kind: 'failed', id, error: systemError(error) }));
  if (child.pid === undefined) return;
  running.set(id, { child, isOwnGroup });
  child.on('exit', (code, signal) => {
    running.delete(id);
    answer({ kind: 'exited', id, code, signal });
  });
  answer({ kind: 'started', id, pid: child.pid });
  if (beginning.get(id)?.isUnwanted === true) kill(id);
}

function kill(id: number): void {
  const found = running.get(id);
  if (found !== undefined) return killProcess(found.child, found.isOwnGroup);
  const awaited = beginning.get(id);
  if (awaited !== undefined) awaited.isUnwanted = true;
}

/** @returns a connection whose head has been sent, of which nothing has been read */
function connectionFor(id: number, stream: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: join(directory, 'streams') });
    socket.pause();
    socket.on('error', reject);
    socket.write(connectionHead(id, stream), () => resolve(socket));
  });
}

function answer(message: LauncherAnswer): void {
  // Without the server there is no process to tell.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function systemError(error: unknown): SystemError {
  const { code, message, path, syscall } = error as NodeJS.ErrnoException;
  return { message, code, path, syscall };
}
