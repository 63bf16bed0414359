/** From a submission to what it says, whatever version it is of. */

import { z } from 'zod';
import { parseExact } from '../canonical-json.ts';
import { isSupportedVersion } from './command-name.ts';
import type { Submission } from './submission.ts';
import {
  type Catalog,
  type CatalogInputs,
  CatalogInputsWire,
  CatalogWire,
  DeactivateWire,
  type Deactivation,
  type Expiration,
  ExpirationWire,
  type Facts,
  FactsWire,
  type Report,
  ReportWire,
} from './wire.ts';

export type Command =
  | { readonly kind: 'replace facts'; readonly data: Facts }
  | { readonly kind: 'replace catalog'; readonly data: Catalog }
  | { readonly kind: 'store report'; readonly data: Report }
  | { readonly kind: 'deactivate node'; readonly data: Deactivation }
  | { readonly kind: 'configure expiration'; readonly data: Expiration }
  | { readonly kind: 'replace catalog inputs'; readonly data: CatalogInputs };

/** A command that can never be carried out. */
export class BadCommand extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadCommand';
  }
}

/**
 * @param received - when it arrived, for versions that carry no time
 * @throws BadCommand saying what is wrong
 */
export function decodeCommand(submission: Submission, received: string): Command {
  const { command, version, payload } = submission;
  if (!isSupportedVersion(command, version)) {
    throw new BadCommand(`Unsupported version ${version} of command '${command}'`);
  }
  const lifted = lift(
    parse(payload, command !== 'store report'),
    submission.producerTimestamp ?? received,
    command === 'deactivate node',
  );
  try {
    return decode(command, lifted);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new BadCommand(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, { cause: error });
  }
}

function decode(command: Submission['command'], value: unknown): Command {
  switch (command) {
    case 'replace facts':
      return { kind: command, data: FactsWire.parse(value) };
    case 'replace catalog':
      return { kind: command, data: CatalogWire.parse(value) };
    case 'store report':
      return { kind: command, data: ReportWire.parse(value) };
    case 'deactivate node':
      return { kind: command, data: DeactivateWire.parse(value) };
    case 'configure expiration':
      return { kind: command, data: ExpirationWire.parse(value) };
    case 'replace catalog inputs':
      return { kind: command, data: CatalogInputsWire.parse(value) };
    default:
      return command satisfies never;
  }
}

/** Whoever reads facts and parameters may want numbers as they were sent; nobody does of a report's metrics. */
function parse(payload: string, isExact: boolean): unknown {
  try {
    const value: unknown = isExact ? parseExact(payload) : JSON.parse(payload);
    // Old terminuses send JSON within a JSON string.
    return typeof value === 'string' && /^\s*["{]/.test(value) ? parseExact(value) : value;
  } catch (error) {
    throw new BadCommand(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Old versions: dashes in names, `name` for the certname, a bare certname, no time. */
function lift(value: unknown, time: string, isDeactivation: boolean): unknown {
  if (isDeactivation && typeof value === 'string') return { certname: value, producer_timestamp: time };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key.replaceAll('-', '_'), member] as const);
  const underscored: Readonly<Record<string, unknown>> = Object.fromEntries(members);
  return {
    ...underscored,
    certname: underscored['certname'] ?? underscored['name'],
    producer_timestamp: underscored['producer_timestamp'] ?? time,
  };
}
