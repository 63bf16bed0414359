/** Jolokia's protocol, as far as it reads: version, list, search, read. */

import { type Beans, isPattern } from '../metrics/beans.ts';

export interface JolokiaRequest {
  readonly type: string;
  readonly mbean?: string;
  readonly attribute?: string | readonly string[];
  readonly path?: string;
  readonly operation?: string;
}

type Reply = Readonly<Record<string, unknown>>;

/** Thrown for what is answered as a failure of Java's. */
class JolokiaFailure extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status: number) {
    super(message);
    this.name = 'JolokiaFailure';
    this.type = type;
    this.status = status;
  }
}

const argument = 'java.lang.IllegalArgumentException';

/** Reads `read/MBEAN/ATTRIBUTE/PATH`; in a part `!` comes before `/` and `!`. @returns a failure's reply when it is no request */
export function readJolokiaPath(path: string): JolokiaRequest | Reply {
  const [type = '', first, ...rest] = splitParts(path);
  switch (type) {
    case '':
    case 'version':
      return { type: 'version' };
    case 'read':
    case 'search': {
      if (first === undefined) return badArguments(type);
      if (type === 'search') return { type, mbean: first };
      const [attribute, ...inner] = rest;
      return {
        type,
        mbean: first,
        ...(attribute === undefined || attribute === '' ? {} : { attribute }),
        ...(inner.length === 0 ? {} : { path: inner.join('/') }),
      };
    }
    case 'list':
      return { type, ...(first === undefined ? {} : { path: [first, ...rest].join('/') }) };
    case 'exec':
    case 'write':
      return { type, ...(first === undefined ? {} : { mbean: first }) };
    default:
      return failed(new JolokiaFailure(argument, `No type with name '${type}' exists`, 400));
  }
}

function splitParts(path: string): readonly string[] {
  const parts = [''];
  for (let index = 0; index < path.length; index++) {
    const character = path.charAt(index);
    if (character === '/') parts.push('');
    else parts[parts.length - 1] += character === '!' ? path.charAt(++index) : character;
  }
  return parts;
}

/** @param body - a request or a list of them, parsed */
export async function answerJolokia(beans: Beans, body: unknown, nowMs: number): Promise<unknown> {
  if (!Array.isArray(body)) return await answerOne(beans, body, nowMs);
  return await Promise.all(body.map((request: unknown) => answerOne(beans, request, nowMs)));
}

export function invalidJson(): Reply {
  return failed(new JolokiaFailure(argument, 'Invalid JSON request', 400));
}

async function answerOne(beans: Beans, body: unknown, nowMs: number): Promise<Reply> {
  const request = decodeRequest(body);
  if (request instanceof JolokiaFailure) return failed(request);
  try {
    const value = await valueOf(beans, request);
    return { request, value, timestamp: Math.floor(nowMs / 1000), status: 200 };
  } catch (error) {
    if (error instanceof JolokiaFailure) return { request, ...failed(error) };
    throw error;
  }
}

/** @returns the request with its members in the order in which Jolokia repeats them; a failure where one is of a wrong type */
function decodeRequest(body: unknown): JolokiaRequest | JolokiaFailure {
  if (typeof body !== 'object' || body === null || !('type' in body) || typeof body.type !== 'string')
    return new JolokiaFailure(argument, 'Invalid JSON request', 400);
  const { type, ...members } = body as { readonly type: string } & Readonly<Record<string, unknown>>;
  const texts = new Map<string, string>();
  for (const name of ['path', 'mbean', 'operation']) {
    const value = members[name] ?? undefined;
    if (value === undefined) continue;
    if (typeof value !== 'string')
      return new JolokiaFailure(argument, `The ${name} must be a String (and not ${javaClass(value)})`, 400);
    texts.set(name, value);
  }
  const attribute = decodeAttribute(members['attribute']);
  if (attribute instanceof JolokiaFailure) return attribute;
  const text = (name: string) => (texts.has(name) ? { [name]: texts.get(name) } : {});
  return {
    ...text('path'),
    ...text('mbean'),
    ...(attribute === undefined ? {} : { attribute }),
    type,
    ...text('operation'),
  };
}

/** One name or several. `null`, alone or in a list, is none: all attributes are wanted. */
function decodeAttribute(value: unknown): string | readonly string[] | JolokiaFailure | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  if (!Array.isArray(value)) {
    const message = `Attribute names must be either a String, Collection or Array (and not ${javaClass(value)})`;
    return new JolokiaFailure(argument, message, 400);
  }
  if (value.length === 1 && value[0] === null) return undefined;
  const odd: unknown = value.find((name) => typeof name !== 'string');
  return odd === undefined
    ? (value as readonly string[])
    : new JolokiaFailure(argument, `Attribute names must be Strings (and not ${javaClass(odd)})`, 400);
}

/** What Java has read from a value of JSON. */
function javaClass(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'class org.json.simple.JSONArray';
  if (typeof value === 'object') return 'class org.json.simple.JSONObject';
  if (typeof value === 'boolean') return 'class java.lang.Boolean';
  return Number.isInteger(value) ? 'class java.lang.Long' : 'class java.lang.Double';
}

async function valueOf(beans: Beans, request: JolokiaRequest): Promise<unknown> {
  const { type, mbean = '', path = '' } = request;
  switch (type.toLowerCase()) {
    case 'version':
      return { agent: '1.7.1', protocol: '7.2', config: {}, info: {} };
    case 'search':
      return beans.names(mbean);
    case 'list':
      return await list(beans, path);
    case 'read':
      return await read(beans, mbean, request);
    case 'exec':
    case 'write': {
      const what = type === 'exec' ? `Operation ${request.operation ?? ''}` : 'Writing';
      throw new JolokiaFailure('java.lang.Exception', `${what} forbidden for MBean ${mbean}`, 403);
    }
    default:
      throw new JolokiaFailure(argument, `No type with name '${type}' exists`, 400);
  }
}

async function read(beans: Beans, mbean: string, request: JolokiaRequest): Promise<unknown> {
  if (!isPattern(mbean)) return await readOne(beans, mbean, request);
  const found = await Promise.all(
    beans.names(mbean).map(async (name) => {
      try {
        const { attribute } = request;
        const wanted = typeof attribute === 'string' ? [attribute] : attribute;
        return [[name, await readOne(beans, name, { ...request, ...(wanted && { attribute: wanted }) })]];
      } catch (error) {
        // A bean without the attribute is none of those that are asked for.
        if (error instanceof JolokiaFailure) return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(found.flat()) as unknown;
}

async function readOne(beans: Beans, mbean: string, { attribute, path }: JolokiaRequest): Promise<unknown> {
  const attributes = await beans.read(mbean);
  if (attributes === undefined) {
    throw new JolokiaFailure('javax.management.InstanceNotFoundException', mbean, 404);
  }
  const get = (name: string): unknown => {
    if (Object.hasOwn(attributes, name)) return attributes[name];
    throw new JolokiaFailure(
      'javax.management.AttributeNotFoundException',
      `No such attribute: ${name}`,
      404,
    );
  };
  if (attribute === undefined) return attributes;
  if (typeof attribute !== 'string') return Object.fromEntries(attribute.map((name) => [name, get(name)]));
  return within(get(attribute), path === undefined || path === '' ? [] : path.split('/'));
}

function within(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)) {
      return (inner as Readonly<Record<string, unknown>>)[key];
    }
    throw new JolokiaFailure('javax.management.AttributeNotFoundException', `Invalid path ${key}`, 404);
  }, value);
}

/** Domain -> properties -> attributes. */
async function list(beans: Beans, path: string): Promise<unknown> {
  const domains = Object.create(null) as Record<string, Record<string, unknown>>;
  for (const name of beans.names()) {
    const colon = name.indexOf(':');
    const [domain, properties] = [name.slice(0, colon), name.slice(colon + 1)];
    if (path !== '' && !`${domain}/${properties}/`.startsWith(`${path}/`)) continue;
    const attributes = Object.entries((await beans.read(name)) ?? {});
    const attr = Object.fromEntries(
      attributes.map(([key, value]) => [key, { rw: false, type: javaType(value), desc: key }]),
    );
    const known = (domains[domain] ??= Object.create(null) as Record<string, unknown>);
    known[properties] = { op: {}, attr, desc: name };
  }
  if (path === '') return domains;
  const slash = path.indexOf('/');
  const [domain, properties] = slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
  const found = properties === '' ? domains[domain] : domains[domain]?.[properties];
  if (found === undefined) throw new JolokiaFailure(argument, `No MBean found for path ${path}`, 404);
  return found;
}

function javaType(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'long' : 'double';
  return typeof value === 'string' ? 'java.lang.String' : 'java.lang.Object';
}

function badArguments(type: string): Reply {
  const message = `Invalid arguments in pathinfo /${type} for command ${type.toUpperCase()}`;
  return failed(new JolokiaFailure(argument, message, 400));
}

function failed({ message, status, type }: JolokiaFailure): Reply {
  return { error_type: type, error: `${type} : ${message}`, status };
}
