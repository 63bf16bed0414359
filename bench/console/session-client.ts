/** Requests as the console's pages send them, with the cookie of a session and without a browser. */

import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { password } from './console-primary.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly cookie?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly form?: string;
  readonly signal?: AbortSignal;
}

/** Connections that a browser opens to one host. */
const connections = new Agent({ keepAlive: true, maxSockets: 6, rejectUnauthorized: false });
/** A stream keeps its connection to itself. */
const alone = new Agent({ rejectUnauthorized: false });

/** @param isStream - whether the answer does not end */
export async function send(
  origin: string,
  { body, cookie, form, method, path, signal }: Asked,
  isStream = false,
): Promise<IncomingMessage> {
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const headers = {
    'content-type': form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    'x-bunraku-console': '1',
    ...(cookie === undefined ? {} : { cookie }),
  };
  return await new Promise((resolve, reject) => {
    const agent = isStream ? alone : connections;
    const options = { method, headers, agent, ...(signal === undefined ? {} : { signal }) };
    const sent = request(origin + path, options, resolve);
    sent.on('error', reject);
    sent.end(content);
  });
}

/** @returns the parsed JSON body and its size in bytes @throws Error when the body is not JSON */
export async function ask(
  origin: string,
  asked: Asked,
): Promise<{ readonly json: unknown; readonly bytes: number }> {
  const answer = await send(origin, asked);
  const content = await text(answer);
  if (answer.statusCode !== 200)
    throw new Error(`${asked.method} ${asked.path} was answered with ${answer.statusCode}: ${content}`);
  return { json: JSON.parse(content), bytes: Buffer.byteLength(content) };
}

/** @returns the cookie of the session */
export async function logInByForm(origin: string, login: string): Promise<string> {
  const form = new URLSearchParams({ login, password, next: '/' }).toString();
  const answer = await send(origin, { method: 'POST', path: '/auth/login', form });
  answer.resume();
  const [cookie] =
    answer.headers['set-cookie']?.find((each) => each.startsWith('__Host-bunraku='))?.split(';') ?? [];
  if (cookie === undefined) throw new Error(`${login} could not log in: ${answer.statusCode}`);
  return cookie;
}
