/** Decodes bodies and reports invalid ones; shared schemas of names, ids and values. */

import { z } from 'zod';
import { allMistakes, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';

export const bodies = new JsonBodies({
  notJson: (body, cause) =>
    new ServiceError('bad-request', 'The body of your request is not valid JSON.', {
      kind: 'malformed-request',
      details: { body, error: String(cause) },
      cause,
    }),
  misshapen({ issues, shape, submitted }) {
    const error = allMistakes({ issues });
    const message = `The object you submitted does not conform to the schema. The problem is: ${error}`;
    const schema = z.toJSONSchema(shape, { io: 'input' });
    return new ServiceError('bad-request', message, {
      kind: 'schema-violation',
      details: { submitted, schema, error },
    });
  },
});

export const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'is not a UUID');
export const Name = z.string().min(1);
export const Values = z.record(z.string(), z.json());

/** @throws ServiceError `bad-request` */
export function decodeId(text: string): string {
  if (Id.safeParse(text).success) return text;
  throw new ServiceError('bad-request', `"${text}" is not a valid UUID.`, {
    kind: 'malformed-uuid',
    details: { submitted: text },
  });
}
