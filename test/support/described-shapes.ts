/** What an OpenAPI document says of bodies and answers, to compare real ones with. */

import { z } from 'zod';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };

/** One method of one path. */
export interface DescribedOperation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

/** Each undefined where the document has none. */
export interface DescribedShapes {
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType | undefined;
}

export function shapesOf({ requestBody, responses }: DescribedOperation): DescribedShapes {
  return { body: shapeIn(requestBody), answer: shapeIn(responses['2XX']) };
}

/** Where and how a value is not of the shape: `items.#.name: Invalid input: expected string, received number`. */
export function mistakesIn(shape: z.ZodType, value: unknown): readonly string[] {
  const issues = shape.safeParse(value).error?.issues ?? [];
  return issues.map(({ message, path }) => `${path.join('.').replaceAll(/\b\d+\b/g, '#')}: ${message}`);
}

/** A schema that allows everything is how the document has a body without a shape. */
function shapeIn(described: Content | undefined): z.ZodType | undefined {
  const schema = described?.content?.['application/json']?.schema;
  if (schema === undefined || Object.keys(schema).length === 0) return undefined;
  return z.fromJSONSchema(schema);
}
