/**
 * The requests of a client of Puppet Enterprise's APIs, as it sent them to a server. IDs and tokens are placeholders (`{user}`):
 * their values come from the answers of the server under test.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Requests = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    body: z.json().optional(),
    /** Placeholder -> member of the answer (`users.0.id`), `location` for the end of that header, '' for the whole body. */
    learns: z.record(z.string(), z.string()).optional(),
    /** The status of the refusal that the client was shown, where it asked for something that it may not have. */
    refused: z.int().optional(),
  }),
);

export type RecordedRequest = z.infer<typeof Requests>[number];

export interface Answer {
  readonly location: string | undefined;
  /** Decoded JSON, or text. */
  readonly body: unknown;
}

/** @param name - of a file in test/recorded/clients, without its extension */
export function readRequests(name: string): readonly RecordedRequest[] {
  const file = join(import.meta.dirname, '..', 'recorded', 'clients', `${name}.json`);
  return Requests.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export class RecordedSession {
  private readonly values = new Map<string, string>();

  /** @returns the request with the values that were learned so far */
  fill(request: RecordedRequest): RecordedRequest {
    let text = JSON.stringify(request);
    for (const [name, value] of this.values) text = text.replaceAll(`{${name}}`, value);
    return JSON.parse(text) as RecordedRequest;
  }

  /** @throws Error when the answer lacks what the client reads from it */
  learn({ learns = {}, path }: RecordedRequest, answer: Answer): void {
    for (const [name, place] of Object.entries(learns)) {
      const value = place === 'location' ? answer.location?.split('/').at(-1) : memberAt(answer.body, place);
      if (typeof value !== 'string') throw new Error(`the answer of ${path} has no ${place || 'text'}`);
      this.values.set(name, value);
    }
  }
}

function memberAt(body: unknown, place: string): unknown {
  const names = place === '' ? [] : place.split('.');
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    body,
  );
}
