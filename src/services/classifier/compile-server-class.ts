/**
 * The class that makes compile servers of nodes. Groups name it, and the primary decides what it does with a node: a group that a node
 * belongs to by its facts gives the class, but no rights.
 */

import type { JsonObject } from '../../lib/json.ts';
import type { ClassifiedNode } from './condition.ts';

export const compileServerClass = 'puppet_enterprise::profile::master';

/** A node whose groups have the class. */
export interface CandidateServer {
  readonly certname: string;
  /** Of its certificate. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Whether a Puppet run has installed the server that is there. */
  readonly isInstalled: boolean;
}

export interface CompileServersTerminus {
  /** @returns parameters of the class; `undefined` where nothing is managed: on the primary, and where people installed the server */
  find(node: CandidateServer, signal: AbortSignal): Promise<JsonObject | undefined>;
}

type Classes = Readonly<Record<string, JsonObject>>;

/** The parameters that groups may set. The primary sets the others. */
const ofGroups: readonly string[] = ['primary', 'settings', 'ssl_dir', 'service_options'];

/** The fact of the module: `puppet` where a Puppet run installed the compile server, `other` where people did. */
const originFact = 'bunraku_compile_server';

/**
 * The classes of a node with what the primary says of its compile server. A server that a Puppet run installed is removed when no group
 * has the class any more. The node says so itself, and no other node is concerned.
 */
export async function withCompileServer(
  classes: Classes,
  { fact, name, trusted }: ClassifiedNode,
  servers: CompileServersTerminus,
  signal: AbortSignal,
): Promise<Classes> {
  const { [compileServerClass]: own, ...others } = classes;
  const origin = (fact as JsonObject)[originFact];
  if (own === undefined)
    return origin === 'puppet' ? { ...others, [compileServerClass]: { ensure: 'absent' } } : classes;
  if (own['manage_server'] === false || origin === 'other') return others;
  const isInstalled = origin === 'puppet';
  const found = await servers.find(
    { certname: name, extensions: extensionsIn(trusted), isInstalled },
    signal,
  );
  if (found === undefined) return others;
  const given = Object.entries(own).filter(([parameter]) => ofGroups.includes(parameter));
  return { ...others, [compileServerClass]: { ...found, ...Object.fromEntries(given) } };
}

function extensionsIn(trusted: ClassifiedNode['trusted']): Readonly<Record<string, string>> {
  const { extensions = {} } = trusted as { readonly extensions?: Readonly<Record<string, string>> };
  return extensions;
}
