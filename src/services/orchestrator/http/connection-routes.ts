/** `/inventory/v1` as clients of Puppet Enterprise know it: how to reach nodes without an agent. Secrets are taken, and never shown. */

import { z } from 'zod';
import { JsonBodies } from '../../../lib/json-body.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  json,
  type Route,
  route,
  withShapes,
} from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import type { SshConnection, SshParameters, SshSecrets } from '../ssh/connection.ts';
import type { Connections, NewConnection } from '../ssh/connections.ts';
import { inventoryError } from '../ssh/inventory-error.ts';

export interface ConnectionRouteOptions {
  readonly connections: Connections;
  readonly allow: Access;
}

const bodyBytes = 16 * 1024 * 1024;
const Certname = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'is not a certname');
const Certnames = z.array(z.string().toLowerCase().pipe(Certname)).min(1);
/** Neither a user nor a host may be taken for an option, or for more than one word. */
const Word = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/, 'has characters that are not accepted');

/** As Bolt has them. */
const GroupName = z
  .string()
  .regex(/^[a-z0-9_][a-z0-9_-]*$/, 'is not the name of a group')
  .refine((name) => name !== 'all', 'is all, which every target is in');

const ParametersWire = z.strictObject({
  user: Word,
  port: z.int().min(1).max(65_535).default(22),
  hostname: Word.optional(),
  'connect-timeout': z.int().min(1).max(600).default(10),
  'run-as': z.string().optional(),
  tmpdir: z
    .string()
    .regex(/^\/[\w./-]*$/, 'is not an absolute path')
    .default('/tmp'),
  tty: z.literal(false).optional(),
  'host-key-check': z.boolean().default(true),
  groups: z.array(GroupName).default([]),
});

const SecretsWire = z
  .strictObject({
    password: z.string().min(1).optional(),
    'private-key-content': z.string().min(1).optional(),
    'sudo-password': z.string().min(1).optional(),
  })
  .refine(
    (secrets) => secrets.password !== undefined || secrets['private-key-content'] !== undefined,
    'has password or private-key-content',
  );

const CreateWire = z
  .strictObject({
    certnames: Certnames,
    type: z.literal('ssh', 'is ssh: other connections are not possible'),
    parameters: ParametersWire,
    sensitive_parameters: SecretsWire,
    duplicates: z.enum(['error', 'replace']).default('error'),
  })
  .refine(
    ({ certnames, parameters }) => parameters.hostname === undefined || certnames.length === 1,
    'names one hostname for several certnames',
  )
  .refine(
    ({ parameters }) => ['root', parameters.user].includes(parameters['run-as'] ?? 'root'),
    'run-as is root, or the user',
  );

const DeleteWire = z.strictObject({ certnames: Certnames });
const QueryWire = z.strictObject({
  certnames: z.array(z.string()).optional(),
  extract: z.array(z.string()).optional(),
  sensitive: z.union([z.boolean(), z.string()]).optional(),
});

export function connectionRoutes(options: ConnectionRouteOptions): readonly Route[] {
  const { connections } = options;
  return [
    withShapes(
      { body: CreateWire },
      at('POST', '/command/create-connection', options, async ({ body, identity }) => {
        const id = await connections.add(decodeCreate(await body()), actorOf(identity));
        return json({ connection_id: id }, 201);
      }),
    ),
    withShapes(
      { body: DeleteWire },
      at('POST', '/command/delete-connection', options, async ({ body, identity }) => {
        await connections.remove(bodies.decode(DeleteWire, await body()).certnames, actorOf(identity));
        return { status: 204 };
      }),
    ),
    at('GET', '/query/connections', options, ({ query }) => {
      const certname = query.get('certname');
      const extract = query.get('extract');
      const wanted = {
        ...(certname === null ? {} : { certnames: [certname] }),
        ...(extract === null ? {} : { extract: bodies.parse(Buffer.from(extract)) }),
      };
      return json(shown(connections, bodies.check(QueryWire, wanted)));
    }),
    withShapes(
      { body: QueryWire },
      at('POST', '/query/connections', options, async ({ body }) =>
        json(shown(connections, bodies.decode(QueryWire, await body()))),
      ),
    ),
  ];
}

function at(
  method: 'GET' | 'POST',
  path: string,
  { allow }: ConnectionRouteOptions,
  handle: (request: HttpRequest) => Promise<HttpResponse> | HttpResponse,
): Route {
  return route({ method, path: `/inventory/v1${path}`, allow, maxBodyBytes: bodyBytes, handle });
}

function decodeCreate(body: Buffer): NewConnection {
  const { certnames, duplicates, parameters, sensitive_parameters: given } = bodies.decode(CreateWire, body);
  const { password, 'private-key-content': privateKey, 'sudo-password': sudoPassword } = given;
  const secrets: SshSecrets = {
    ...(password === undefined ? {} : { password }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(sudoPassword === undefined ? {} : { sudoPassword }),
  };
  return {
    certnames: [...new Set(certnames)],
    parameters: parametersOf(parameters),
    secrets,
    replaces: duplicates === 'replace',
  };
}

function parametersOf(wire: z.infer<typeof ParametersWire>): SshParameters {
  const runAs = wire['run-as'];
  return {
    user: wire.user,
    port: wire.port,
    hostname: wire.hostname,
    connectTimeoutSeconds: wire['connect-timeout'],
    directory: wire.tmpdir,
    isSuperuser: runAs !== undefined && runAs !== wire.user,
    checksHostKey: wire['host-key-check'],
    ...(wire.groups.length === 0 ? {} : { groups: wire.groups }),
  };
}

/** Nodes of one entry together. */
function shown(connections: Connections, { certnames, extract }: z.infer<typeof QueryWire>): object {
  const wanted = certnames && new Set(certnames.map((name) => name.toLowerCase()));
  const found = connections.all().filter(({ certname }) => wanted?.has(certname) !== false);
  const entries = [...Map.groupBy(found, ({ id }) => id).values()];
  const items = entries.flatMap((entry) => {
    const [first] = entry;
    return first === undefined
      ? []
      : [
          present(
            first,
            entry.map(({ certname }) => certname),
            extract,
          ),
        ];
  });
  return { items };
}

function present(
  { id, parameters }: SshConnection,
  certnames: readonly string[],
  extract: readonly string[] | undefined,
): object {
  const all = {
    certnames,
    type: 'ssh',
    parameters: {
      user: parameters.user,
      port: parameters.port,
      ...(parameters.hostname === undefined ? {} : { hostname: parameters.hostname }),
      'connect-timeout': parameters.connectTimeoutSeconds,
      tmpdir: parameters.directory,
      ...(parameters.isSuperuser ? { 'run-as': 'root' } : {}),
      'host-key-check': parameters.checksHostKey,
      ...(parameters.groups === undefined ? {} : { groups: parameters.groups }),
    },
  };
  const picked = Object.entries(all).filter(([name]) => extract?.includes(name) !== false);
  return { connection_id: id, ...Object.fromEntries(picked) };
}

const bodies = new JsonBodies({
  notJson: () => inventoryError('json-parse-error', 'The body is not JSON'),
  misshapen: ({ issues: [first] }) =>
    inventoryError('schema-validation-error', `${first?.path || 'The body'}: ${first?.message}`),
});
