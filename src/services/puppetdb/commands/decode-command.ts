/** From a submission to what it says, whatever version it is of. */

import { BadCommand, decodeWith } from './bad-command.ts';
import { isSupportedVersion } from './command-name.ts';
import { type LiftOptions, liftPayload, parsePayload } from './payload.ts';
import { readSentCatalog, type SentCatalog } from './sent-catalog.ts';
import { readSentReport, type SentReport } from './sent-report.ts';
import type { Submission } from './submission.ts';
import {
  type CatalogInputs,
  CatalogInputsWire,
  DeactivateWire,
  type Deactivation,
  type Expiration,
  ExpirationWire,
  type Facts,
  FactsWire,
} from './wire.ts';

export type Command =
  | { readonly kind: 'replace facts'; readonly data: Facts }
  | { readonly kind: 'replace catalog'; readonly data: SentCatalog }
  | { readonly kind: 'store report'; readonly data: SentReport }
  | { readonly kind: 'deactivate node'; readonly data: Deactivation }
  | { readonly kind: 'configure expiration'; readonly data: Expiration }
  | { readonly kind: 'replace catalog inputs'; readonly data: CatalogInputs };

/**
 * @param received - when it arrived, for versions that carry no time
 * @throws BadCommand saying what is wrong
 */
export function decodeCommand(submission: Submission, received: string): Command {
  const { command, version, payload } = submission;
  if (!isSupportedVersion(command, version)) {
    throw new BadCommand(`Unsupported version ${version} of command '${command}'`);
  }
  const lifting: LiftOptions = { time: submission.producerTimestamp ?? received };
  switch (command) {
    case 'replace catalog':
      return { kind: command, data: readSentCatalog(payload, lifting) };
    case 'store report':
      return { kind: command, data: readSentReport(payload, lifting) };
    default:
      return withoutProducer(
        decodeSmall(command, liftPayload(parsePayload(payload.toString('utf8'), true), lifting)),
        version,
      );
  }
}

/** Before version 5 of facts there was none; the reference leaves out what was sent as one. */
function withoutProducer(command: Command, version: number): Command {
  if (command.kind !== 'replace facts' || version >= 5) return command;
  return { ...command, data: { ...command.data, producer: null } };
}

function decodeSmall(
  command: Exclude<Submission['command'], 'replace catalog' | 'store report'>,
  value: unknown,
): Command {
  switch (command) {
    case 'replace facts':
      return { kind: command, data: decodeWith(FactsWire, value) };
    case 'deactivate node':
      return { kind: command, data: decodeWith(DeactivateWire, value) };
    case 'configure expiration':
      return { kind: command, data: decodeWith(ExpirationWire, value) };
    case 'replace catalog inputs':
      return { kind: command, data: decodeWith(CatalogInputsWire, value) };
    default:
      return command satisfies never;
  }
}
