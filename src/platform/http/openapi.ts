/** Routes as an OpenAPI 3.1 document: their paths, who may call them, and the shapes of bodies and answers where a route names them. */

import { z } from 'zod';
import type { Access, Route } from './route.ts';

export interface ApiTitle {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** @param routes - those whose paths are described; of two with the same method and path, the first */
export function openApiDocument(routes: readonly Route[], info: ApiTitle): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const operations = (paths[templateOf(route.path)] ??= {});
    operations[route.method.toLowerCase()] ??= operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Authentication' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-bunraku' },
      },
      schemas: { Failure: failure },
      responses: {
        Failure: {
          description: 'It was refused, or could not be done.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
    },
  };
}

const failure: Schema = {
  type: 'object',
  properties: { kind: { type: 'string' }, msg: { type: 'string' }, details: {} },
};

/** `/groups/:id/*` is `/groups/{id}/{rest}`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');
}

function operationOf({ allow, method, path, shapes = {} }: Route): Schema {
  const permissions = permissionsOf(allow);
  const names = Array.from(templateOf(path).matchAll(/\{(\w+)\}/g), ([, name]) => name);
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^\w]+/g, '_')}`,
    tags: [path.split('/')[1] ?? ''],
    ...(permissions.length === 0
      ? {}
      : { description: `Needs ${permissions.map((each) => `\`${each}\``).join(' or ')}.` }),
    ...(isOpen(allow) ? { security: [] } : { security: [{ token: [] }, { session: [] }] }),
    ...(names.length === 0
      ? {}
      : {
          parameters: names.map((name) => ({
            name,
            in: 'path',
            required: true,
            schema: { type: 'string' },
          })),
        }),
    ...(method === 'POST' || method === 'PUT' || shapes.body !== undefined
      ? { requestBody: { content: { 'application/json': { schema: schemaOf(shapes.body, 'input') } } } }
      : {}),
    responses: {
      '2XX': {
        description: 'It was done.',
        ...(shapes.answer === undefined
          ? {}
          : { content: { 'application/json': { schema: schemaOf(shapes.answer, 'output') } } }),
      },
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

/** Anything where the route names no shape, and JSON of any kind, whose schema refers to itself. */
function schemaOf(shape: z.ZodType | undefined, io: 'input' | 'output'): Schema {
  if (shape === undefined) return {};
  const { $schema: _, $defs: __, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return withoutReferences(schema) as Schema;
}

/** References within a schema would be taken for references within the document. */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutReferences(each)]));
}

function permissionsOf(allow: Access): readonly string[] {
  if (allow.kind === 'any-of') return Array.from(new Set(allow.of.flatMap(permissionsOf)));
  if (allow.kind !== 'permission' || allow.permission === undefined) return [];
  return [`${allow.permission.objectType}:${allow.permission.action}`];
}

function isOpen(allow: Access): boolean {
  return allow.kind === 'any-of' ? allow.of.some(isOpen) : allow.kind === 'anyone';
}
