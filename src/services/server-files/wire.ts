/** What `GET /server-files/v1/files` answers. */

import { normalize } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import type { Sealed } from './seal.ts';
import type { Payload } from './termini.ts';

const Bytes = z.base64();

export const SealedWire = z.object({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  sealed: z.object({ kind: z.enum(['rsa', 'ec']), key: Bytes, nonce: Bytes, tag: Bytes, content: Bytes }),
});

/** A path that means the same file on every server, and never another one than it says. */
export const PathWire = z
  .string()
  .refine((path) => path.startsWith('/') && path !== '/' && !path.includes('\0') && normalize(path) === path);

export const ProblemWire = z.object({
  path: PathWire,
  source: z.string(),
  isRequired: z.boolean(),
  reason: z.string(),
});

const PayloadWire = z.object({
  paths: z.array(PathWire).readonly(),
  files: z.array(z.object({ path: PathWire, isProgram: z.boolean(), content: Bytes })),
  problems: z.array(ProblemWire).readonly(),
  hieraConfig: PathWire.optional(),
});

export function encodePayload(payload: Payload): Buffer {
  const files = payload.files.map((file) => ({ ...file, content: file.content.toString('base64') }));
  return Buffer.from(JSON.stringify({ ...payload, files } satisfies z.infer<typeof PayloadWire>));
}

/** @throws ServiceError `bad-gateway` for anything else than a payload */
export function decodePayload(bytes: Buffer): Payload {
  const { files, hieraConfig, ...rest } = decode(PayloadWire, bytes);
  return {
    ...rest,
    files: files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
    ...(hieraConfig === undefined ? {} : { hieraConfig }),
  };
}

export function encodeAnswer(digest: string, sealed: Sealed): Buffer {
  const { kind, ...bytes } = sealed;
  const texts = Object.fromEntries(
    Object.entries(bytes).map(([name, each]) => [name, each.toString('base64')]),
  );
  return Buffer.from(JSON.stringify({ digest, sealed: { kind, ...texts } }));
}

/** @throws ServiceError `bad-gateway` for anything else than an answer of a primary */
export function decodeAnswer(bytes: Buffer): { readonly digest: string; readonly sealed: Sealed } {
  const { digest, sealed } = decode(SealedWire, bytes);
  const { content, key, kind, nonce, tag } = sealed;
  const [keyBytes, nonceBytes, tagBytes, contentBytes] = [key, nonce, tag, content].map(fromBase64);
  return {
    digest,
    sealed: {
      kind,
      key: keyBytes ?? Buffer.alloc(0),
      nonce: nonceBytes ?? Buffer.alloc(0),
      tag: tagBytes ?? Buffer.alloc(0),
      content: contentBytes ?? Buffer.alloc(0),
    },
  };
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function decode<T extends z.ZodType>(shape: T, bytes: Buffer): z.infer<T> {
  try {
    return shape.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Without the cause: it may quote what must not be logged.
    throw new ServiceError('bad-gateway', 'The primary answered with something else than files for servers');
  }
}
