/** Facts on their way to PuppetDB. */

import type { Json } from '../../lib/json.ts';
import { withoutBytes } from '../../lib/json-bytes.ts';
import { keepNumber } from '../../lib/raw-json.ts';
import type { PuppetDbCommand, Sender } from './command.ts';

/** What a node's certificate proves. */
export interface TrustedInformation {
  readonly authenticated: 'remote' | 'local' | false;
  readonly certname: string;
  readonly extensions: Readonly<Record<string, string>>;
  readonly external: Readonly<Record<string, Json>>;
}

export interface FactsToSend {
  readonly certname: string;
  readonly environment: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON text, whose numbers have the form that `values` may have lost (`4096.0`). */
  readonly exactValues?: string;
  /** Only for large facts: made by the thread that read them. */
  readonly stored?: StoredFacts;
  /** Absent when it is not known any more. */
  readonly trusted?: TrustedInformation;
}

/** JSON of the facts that PuppetDB keeps, without trusted facts. */
export interface StoredFacts {
  readonly values: string;
  /** Absent where the agent has sent no list of packages. */
  readonly packages: string | undefined;
  /** Whether bytes that are not UTF-8 have become U+FFFD, as in the reference's terminus. */
  readonly hadBytes: boolean;
  /** `values` as UTF-8; only for large facts. */
  readonly utf8?: Uint8Array;
}

/** Where agents put the list of installed packages, which is no fact. */
const inventoryName = '_puppet_inventory_1';
const trustedName = 'trusted';

/**
 * The command for facts: with what the certificate proves among them, and packages beside them.
 *
 * @see puppet-terminus-puppetdb, Puppet::Node::Facts::Puppetdb#save
 */
export function factsCommand(facts: FactsToSend, { now, producer }: Sender): PuppetDbCommand {
  const { certname, environment } = facts;
  const producerTimestamp = now.toISOString();
  const stored = facts.stored ?? storedFacts(facts, facts.trusted !== undefined);
  const trusted = facts.trusted && withoutBytes(JSON.stringify(trustedFact(facts.trusted)));
  const before = `{"certname":${JSON.stringify(certname)},"values":`;
  const members = [
    `"environment":${JSON.stringify(environment)}`,
    `"producer_timestamp":"${producerTimestamp}"`,
    `"producer":${JSON.stringify(producer)}`,
  ];
  if (stored.packages !== undefined) members.push(`"package_inventory":${stored.packages}`);
  const after = `,${members.join(',')}}`;
  return {
    command: 'replace_facts',
    version: 5,
    certname,
    producerTimestamp,
    payload: before + withMember(stored.values, trusted) + after,
    ...(stored.utf8 === undefined
      ? {}
      : { utf8: [Buffer.from(before), ...withMemberUtf8(stored.utf8, trusted), Buffer.from(after)] }),
  };
}

/** @param isProven - the certificate says who the node is: what the facts say of that does not count */
export function storedFacts(
  { values, exactValues }: Pick<FactsToSend, 'values' | 'exactValues'>,
  isProven: boolean,
): StoredFacts {
  const inventory = values[inventoryName];
  const hasPackages = inventory !== undefined && inventory !== null && inventory !== false;
  const packages = hasPackages ? JSON.stringify(packagesOf(inventory)) : undefined;
  const isPlain = !Object.hasOwn(values, inventoryName) && !(isProven && Object.hasOwn(values, trustedName));
  if (exactValues !== undefined && isPlain) return asText(exactValues, packages);
  const { [inventoryName]: _inventory, ...facts } =
    exactValues === undefined ? values : (JSON.parse(exactValues, keepNumber) as FactsToSend['values']);
  const { [trustedName]: _claimed, ...own } = facts;
  return asText(JSON.stringify(isProven ? own : facts), packages);
}

function asText(values: string, packages: string | undefined): StoredFacts {
  const text = {
    values: withoutBytes(values),
    packages: packages === undefined ? undefined : withoutBytes(packages),
  };
  return { ...text, hadBytes: text.values !== values || text.packages !== packages };
}

/** @param object - the text of a JSON object @param trusted - JSON */
function withMember(object: string, trusted: string | undefined): string {
  if (trusted === undefined) return object;
  const open = object.trimEnd().slice(0, -1).trimEnd();
  return `${open}${lastMember(open === '{', trusted)}`;
}

/** The same in parts: joining texts of 16 MB and encoding them takes 45 ms, copying bytes a quarter of that. */
function withMemberUtf8(object: Uint8Array, trusted: string | undefined): readonly Uint8Array[] {
  if (trusted === undefined) return [object];
  const open = trimmed(trimmed(object).subarray(0, -1));
  return [open, Buffer.from(lastMember(open.length === 1, trusted))];
}

function lastMember(isOnlyOne: boolean, trusted: string): string {
  return `${isOnlyOne ? '' : ','}"${trustedName}":${trusted}}`;
}

/** Without white space at the end. */
function trimmed(json: Uint8Array): Uint8Array {
  let { length } = json;
  while (whiteSpace.has(json[length - 1] ?? 0)) length -= 1;
  return json.subarray(0, length);
}

/** Space, tab, line feed and carriage return. @see RFC 8259, section 2 */
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);

function trustedFact({
  authenticated,
  certname,
  extensions,
  external,
}: TrustedInformation): Readonly<Record<string, Json>> {
  const [hostname = '', ...domain] = certname.split('.');
  return {
    authenticated,
    certname,
    extensions,
    hostname,
    domain: domain.length === 0 ? null : domain.join('.'),
    external,
  };
}

function packagesOf(inventory: Json): Json {
  if (typeof inventory !== 'object' || inventory === null || Array.isArray(inventory)) return null;
  return (inventory as { readonly packages?: Json }).packages ?? null;
}
