/** Nodes, what is asked of them and what they have, as they cross the network. */

import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import type { CheckIn } from './check-ins/check-in.ts';
import type { ClassifiedNode } from './condition.ts';
import { bodies, Name, Values } from './json-bodies.ts';

export const NodesWire = z.strictObject({ nodes: z.array(Name) });

const FactsWire = z.object({
  fact: Values.default({}),
  trusted: Values.default({}),
  transaction_uuid: z.string().max(200).optional(),
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // As the schema of the answer says.
    return false;
  }
}

const CheckInsWire = z.object({
  check_ins: z
    .array(
      z.object({
        name: Name,
        time: z.iso.datetime(),
        transaction_uuid: z.string().max(200).optional(),
        /** Stored as it came. */
        explanation: z.string().refine(isJson, 'is not JSON'),
      }),
    )
    .max(1000),
});

/** What a classifier answers, as far as it is needed to compile a catalog. */
export const ClassifiedWire = z.union([
  z.object({
    environment: z.string(),
    classes: z.record(z.string(), Values),
    parameters: Values,
    /** Absent from older primaries. */
    config_data: z.record(z.string(), Values).default({}),
    class_sources: z.record(z.string(), z.array(z.string())).optional(),
  }),
  z.object({ kind: z.literal('classification-conflict'), msg: z.string() }),
]);

/** The names of `?nodes=a,b` or of `{"nodes": ["a", "b"]}`. @throws ServiceError `bad-request` */
export function decodeNodes(query: URLSearchParams, body: Buffer): readonly string[] {
  const listed = query.get('nodes');
  if (listed !== null) return listed.split(',').filter((name) => name !== '');
  if (body.length > 0) return bodies.decode(NodesWire, body).nodes;
  throw new ServiceError('bad-request', 'The query parameter `nodes` is missing, and there is no body.', {
    kind: 'missing-parameters',
  });
}

/** @throws ServiceError `bad-request` */
export function decodeNode(name: string, body: Buffer): ClassifiedNode {
  return decodeAsked(name, body).node;
}

/** A node, and the Puppet run that it is to be classified for, if any. @throws ServiceError `bad-request` */
export function decodeAsked(
  name: string,
  body: Buffer,
): { readonly node: ClassifiedNode; readonly transactionUuid: string | undefined } {
  const wire = bodies.decode(FactsWire, body.length === 0 ? Buffer.from('{}') : body);
  const { fact, transaction_uuid: transactionUuid, trusted } = wire;
  return { node: { name, fact, trusted }, transactionUuid };
}

/** What another server of the installation has classified. @throws ServiceError `bad-request` */
export function decodeCheckIns(body: Buffer): readonly CheckIn[] {
  return bodies.decode(CheckInsWire, body).check_ins.map((wire) => ({
    certname: wire.name,
    time: new Date(wire.time),
    transactionUuid: wire.transaction_uuid,
    explanation: wire.explanation,
  }));
}
