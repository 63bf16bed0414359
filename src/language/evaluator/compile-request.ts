/** What a compile is a function of, and what it gives. */

import type { Json } from '../../lib/json.ts';
import type { ResourceRecord } from '../catalog/index.ts';
import type { Environment } from '../environment/index.ts';
import type { LogLevel, Outside } from '../functions/index.ts';
import type { EyamlDecryptor } from '../hiera/index.ts';
import type { Float, Value } from '../pcore/index.ts';
import type { ErbTemplates } from '../ruby/index.ts';
import type { Position } from '../syntax/index.ts';
import type { ManifestBlock } from './calls/manifest-block.ts';
import type { CompileProfile } from './compile-profile.ts';
import type { RubyHost } from './ruby-host.ts';
import type { SingleWarnings } from './single-warnings.ts';

/** JSON whose numbers have kept the form that they had in the text: see `parseExactJson`. */
export type ExactJson = Json | bigint | Float | readonly ExactJson[] | { readonly [key: string]: ExactJson };

/** What a certificate proves: the hash `$trusted`. */
export interface TrustedFacts {
  readonly authenticated: 'remote' | 'local' | false;
  readonly certname: string;
  readonly extensions: Readonly<Record<string, string>>;
  readonly external: Readonly<Record<string, Json>>;
}

/** A node as classified (by an ENC, the classifier, or nothing). */
export interface ClassifiedNode {
  /** Class name -> parameters; a class listed without parameters has `null`. */
  readonly classes: Readonly<Record<string, Readonly<Record<string, ExactJson>> | null>>;
  /** Top-scope variables. */
  readonly parameters: Readonly<Record<string, ExactJson>>;
  /** Class name -> parameters: values that lookups find in the global layer; absent where groups have none. */
  readonly configData?: Readonly<Record<string, Readonly<Record<string, ExactJson>>>>;
}

/** Data that comes from elsewhere while compiling. Synchronous: compiles run in worker threads. */
export interface CompileTermini {
  /**
   * Exported resources of other nodes, for `<<| |>>`; the query is PuppetDB's AST of resources. Each collector asks
   * once. Absent where none are kept: then exporting and collecting do nothing but warn.
   *
   * @throws PuppetError when they cannot be had
   */
  readonly exportedResources?: (query: ExactJson) => readonly ResourceRecord[];
  readonly outside: Outside;
  /** Without it, code in Ruby is an error that names its file. */
  readonly ruby?: RubyHost;
  /** Renders templates in ERB without Ruby where it can; without it all of them go to Ruby. */
  readonly erb?: ErbTemplates;
  /** Without it, data that hiera-eyaml encrypted is an error. */
  readonly eyaml?: EyamlDecryptor;
}

export interface CompileRequest {
  readonly certname: string;
  readonly environment: Environment;
  readonly facts: Readonly<Record<string, ExactJson>>;
  readonly trusted: TrustedFacts;
  /** `$server_facts`: serverversion, servername, serverip, serverip6; unless empty, environment is added. */
  readonly serverFacts: Readonly<Record<string, Json>>;
  readonly node: ClassifiedNode;
  readonly transactionUuid?: string;
  /** The catalog's identity; a random one when absent. */
  readonly catalogUuid?: string;
  /** Code that is evaluated in place of the main manifest: that of `apply()` in a plan. */
  readonly block?: ManifestBlock;
  readonly termini: CompileTermini;
  /** Told where the time goes; absent when it is not measured. */
  readonly profile?: CompileProfile;
  /** Shared by the compiles of a process, so that each deprecation is logged once; one of its own when absent. */
  readonly singleWarnings?: SingleWarnings;
  /** Whether more memory is in use than a compile may have; asked now and then. Absent: there is no limit. */
  readonly isOutOfMemory?: () => boolean;
  /** Called for each message; the compile's log. A position that is known is not in the message yet. */
  readonly log: (level: LogLevel, message: string, position?: Position) => void;
}

/** The last value is for `bunraku evaluate` and the conformance runner. */
export interface CompileResult<Catalog> {
  readonly catalog: Catalog;
  readonly lastValue: Value;
}
