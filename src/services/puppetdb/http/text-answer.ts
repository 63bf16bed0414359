/** Answers of the API: JSON, or plain text that says what is wrong. */

import type { HttpResponse } from '../../../platform/http/index.ts';
import { QueryError } from '../query/query-error.ts';

const jsonType = { 'content-type': 'application/json;charset=utf-8' };

export function jsonAnswer(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): HttpResponse {
  return { status, headers: { ...jsonType, ...headers }, body };
}

export function errorJson(message: string, status: number): HttpResponse {
  return { status, headers: jsonType, body: JSON.stringify({ error: message }) };
}

export function textAnswer(body: string, status: number): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8' }, body };
}

/** Runs a handler; mistakes of the client become plain text. */
export async function answeringMistakes(handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof QueryError) return textAnswer(error.message, error.status);
    throw error;
  }
}
