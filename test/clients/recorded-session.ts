/**
 * What a client of Puppet Enterprise's APIs sent to a server of ours, and what it was answered, replayed against another one.
 *
 * IDs and tokens are new each time: those of an answer take the place of the recorded ones in later requests.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Exchanges = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    body: z.json().optional(),
    status: z.int(),
    location: z.string().optional(),
    answer: z.json().optional(),
  }),
);

export type Exchange = z.infer<typeof Exchanges>[number];

/** Users and groups, and tokens. */
const idForm = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0[\w-]{43})$/;

/** @param name - of a file in test/recorded/clients, without its ending */
export function readExchanges(name: string): readonly Exchange[] {
  const file = join(import.meta.dirname, '..', 'recorded', 'clients', `${name}.json`);
  return Exchanges.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  /** Decoded JSON; text where it is none. */
  readonly body: unknown;
}

export class RecordedSession {
  private readonly ids = new Map<string, string>();

  /** @param value - recorded @returns the same with the IDs of this session */
  own<T>(value: T): T {
    let text = JSON.stringify(value);
    for (const [recorded, actual] of this.ids) text = text.replaceAll(recorded, actual);
    return JSON.parse(text) as T;
  }

  /** @returns what an answer lacks or has otherwise, by place; nothing when a client reads the same from it */
  compare({ answer, location, status }: Exchange, actual: Answer): readonly string[] {
    if (status !== actual.status)
      return [`status ${actual.status}, not ${status}: ${JSON.stringify(actual.body)}`];
    if (location !== undefined) this.learn(lastPart(location), lastPart(actual.location ?? ''));
    return answer === undefined ? [] : this.differences(answer, actual.body, 'answer');
  }

  private differences(recorded: unknown, actual: unknown, place: string): readonly string[] {
    if (Array.isArray(recorded)) {
      if (!Array.isArray(actual)) return [`${place} is no list`];
      return recorded.flatMap((item, index) => {
        const other = actual.find((each) => isNamed(each) && isNamed(item) && nameOf(each) === nameOf(item));
        return this.differences(item, other ?? actual[index], `${place}[${index}]`);
      });
    }
    if (typeof recorded === 'object' && recorded !== null) {
      if (typeof actual !== 'object' || actual === null) return [`${place} is no object`];
      const values = Object.entries(actual);
      return Object.entries(recorded).flatMap(([name, value], index) => {
        // By IDs of groups that differ in each installation.
        const other = idForm.test(name) ? values[index] : values.find(([each]) => each === name);
        return this.differences(value, other?.[1], `${place}.${name}`);
      });
    }
    this.learn(recorded, actual);
    const [was, is] = [kindOf(recorded), kindOf(actual)];
    return was === is ? [] : [`${place} is ${is}, not ${was}`];
  }

  private learn(recorded: unknown, actual: unknown): void {
    if (typeof recorded !== 'string' || typeof actual !== 'string') return;
    if (recorded !== actual && idForm.test(recorded) && idForm.test(actual)) this.ids.set(recorded, actual);
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function lastPart(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** Lists may have more in another order. */
function isNamed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && nameOf(value) !== undefined;
}

function nameOf(value: object): unknown {
  const { display_name: displayName, login, name } = value as Readonly<Record<string, unknown>>;
  return login ?? name ?? displayName;
}
