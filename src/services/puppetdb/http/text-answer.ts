/** Answers of the API: JSON, or plain text that says what is wrong. */

import { exhaustionOf } from '../../../lib/exhaustion.ts';
import { NotKnown, QueryError, tooDeep } from '../query/query-error.ts';
import type { QueryReply } from './query-call.ts';

/** An answer that is small enough to be whole. */
export type WholeReply = QueryReply & { readonly body: string };

const jsonType = { 'content-type': 'application/json;charset=utf-8' };

export function jsonAnswer(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): WholeReply {
  return { status, headers: { ...jsonType, ...headers }, body };
}

export function errorJson(message: string, status: number): WholeReply {
  return { status, headers: jsonType, body: JSON.stringify({ error: message }) };
}

export function textAnswer(body: string, status: number): WholeReply {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8' }, body };
}

/** Runs a handler; mistakes of the client become plain text. */
export async function answeringMistakes(handle: () => Promise<QueryReply>): Promise<QueryReply> {
  try {
    return await handle();
  } catch (error) {
    const mistake = exhaustionOf(error) === 'stack' ? tooDeep() : error;
    if (mistake instanceof NotKnown) return errorJson(mistake.message, mistake.status);
    if (mistake instanceof QueryError) return textAnswer(mistake.message, mistake.status);
    throw mistake;
  }
}
