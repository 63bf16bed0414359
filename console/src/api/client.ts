/** The only place that calls `fetch`: every answer is JSON, every refusal an `ApiError`. */

/** What a service has refused, in its words. */
export class ApiError extends Error {
  readonly status: number;
  readonly kind: string;
  readonly details: unknown;
  /** What was asked: `GET /pdb/query/v4`. */
  readonly request: string;

  constructor(request: string, status: number, body: ErrorBody) {
    const text = body.msg ?? body.message ?? (typeof body.error === 'string' ? body.error : undefined);
    super(text ?? `The server answered ${status}`);
    this.name = 'ApiError';
    this.request = request;
    this.status = status;
    this.kind = body.kind ?? 'unknown';
    this.details = body.details;
  }
}

interface ErrorBody {
  readonly kind?: string;
  readonly msg?: string;
  /** Of services that have no `msg`. */
  readonly message?: string;
  /** The answer of a directory in a test. */
  readonly error?: unknown;
  readonly details?: unknown;
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** @throws ApiError for each status but 2xx, and with status 0 where no server was reached */
export async function get<T>(path: string, parameters: Parameters, signal: AbortSignal): Promise<T> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) search.set(name, String(value));
  const query = search.size === 0 ? '' : `?${search}`;
  const response = await send(`GET ${path}`, path + query, { signal });
  return (await response.json()) as T;
}

/** @throws ApiError as `get` does */
export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T | undefined> {
  return await change('POST', path, body, { signal });
}

/**
 * Begins something that must begin once: a second request with the same key is answered as the first was.
 *
 * @throws ApiError as `get` does
 */
export async function postOnce<T>(path: string, body: unknown, key: string): Promise<T | undefined> {
  return await change('POST', path, body, { key });
}

/** @throws ApiError as `get` does */
export async function put<T>(path: string, body: unknown): Promise<T | undefined> {
  return await change('PUT', path, body);
}

/** @throws ApiError as `get` does */
export async function remove(path: string, body?: unknown): Promise<void> {
  await change('DELETE', path, body);
}

/** The header shows that the request comes from here: other sites can't set it. */
function jsonOf(body: unknown, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'Content-Type': 'application/json', 'X-Bunraku-Console': '1', ...more };
  return { headers, body: JSON.stringify(body) };
}

async function change<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: unknown,
  { key, signal }: { readonly key?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<T | undefined> {
  const response = await send(`${method} ${path}`, path, {
    method,
    ...jsonOf(body, key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  if (text === '') return undefined;
  const isText = response.headers.get('content-type')?.startsWith('text/') === true;
  return (isText ? text : JSON.parse(text)) as T;
}

/** Sends a form as the log-in page does. What it answers is a page, so only a session tells whether it worked. */
export async function submitForm(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

async function send(
  request: string,
  url: string,
  {
    headers,
    ...options
  }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const response = await fetch(url, {
    ...options,
    headers: { Accept: 'application/json', ...headers },
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(request, 0, { kind: 'unreachable', msg: 'The server can’t be reached' });
  });
  if (response.ok) return response;
  throw new ApiError(request, response.status, readError(await response.text()));
}

/** PuppetDB says what it refuses as plain text. */
function readError(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // not JSON: the text is the message
  }
  return text === '' ? {} : { msg: text.slice(0, 500) };
}
