/** Answers of `/puppet-ca/v1` that are JSON, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

/** `2041-05-15T11:22:16UTC` */
const Time = z.string();

/** Where a request came from, and why it waits. */
const OriginWire = z.strictObject({
  /** Null where it came from a file. */
  address: z.string().nullable(),
  received_at: z.iso.datetime(),
  /** In the words of the server's log. */
  reason: z.string(),
});

export const CertificateStatusWire = z.strictObject({
  name: z.string(),
  state: z.enum(['requested', 'signed', 'revoked']),
  /** `DNS:a.example.com` */
  dns_alt_names: z.array(z.string()),
  subject_alt_names: z.array(z.string()),
  authorization_extensions: z.record(z.string(), z.string()),
  /** SHA-256 */
  fingerprint: z.string(),
  fingerprints: z.strictObject({
    SHA1: z.string(),
    SHA256: z.string(),
    SHA512: z.string(),
    default: z.string(),
  }),
  /** It may have more digits than a number of JavaScript keeps. Like the two after it, requests have none. */
  serial_number: z.number().exactOptional(),
  not_before: Time.exactOptional(),
  not_after: Time.exactOptional(),
  /** Of a request, where it is asked for; null where it is not known. */
  origin: OriginWire.nullable().exactOptional(),
});
export const CertificateStatusesWire = z.array(CertificateStatusWire);

/** Certnames. */
export const SignedWire = z.strictObject({
  signed: z.array(z.string()),
  'no-csr': z.array(z.string()),
  'signing-errors': z.array(z.string()),
});

/** By common name; empty for a list without an end. */
export const ExpirationsWire = z.strictObject({
  'ca-certs': z.record(z.string(), Time),
  crls: z.record(z.string(), Time),
});

export type CertificateStatusAnswer = Answer<z.infer<typeof CertificateStatusWire>>;
export type SignedAnswer = Answer<z.infer<typeof SignedWire>>;
export type Expirations = Answer<z.infer<typeof ExpirationsWire>>;
