/** What the compiler needs from elsewhere, in its own words. */

import type { TrustedFacts } from '../../language/evaluator/index.ts';
import type { Json } from '../../lib/json.ts';
import type { EnvironmentSource } from './worker-protocol.ts';

/** Where environments come from. */
export interface CodeTerminus {
  /**
   * The version of an environment that new compiles use, kept until `release` is called; `undefined` when there is
   * no such environment.
   */
  acquire(environment: string): AcquiredCode | undefined;
}

export interface AcquiredCode {
  readonly source: EnvironmentSource;
  /** Whether the environment wants static catalogs. */
  readonly hasStaticCatalogs: boolean;
  release(): void;
}

/** What is known of files that catalogs refer to. */
export interface FileMetadataTerminus {
  /**
   * JSON of the metadata of one file; `undefined` when there is none.
   *
   * @throws in the reference's words when the request makes no sense
   */
  find(request: FileMetadataRequest): Promise<string | undefined>;
  /** JSON of a list: of a directory and what is below it. */
  search(request: FileMetadataRequest): Promise<string | undefined>;
}

export interface FileMetadataRequest {
  readonly environment: string;
  /** The version that was compiled. */
  readonly codeId: string | null;
  /** Mount and path: `modules/ssh/sshd_config`. */
  readonly key: string;
  /** `links`, `checksum_type`, `source_permissions`, `recurse`, `recurselimit`, `max_files`, `ignore`. */
  readonly query: URLSearchParams;
  readonly certname: string;
}

/** What code asks of a PuppetDB while it is compiled. Queries and answers are JSON. */
export interface PuppetDbTerminus {
  /**
   * Exported resources, for collectors; absent where nothing is exported or collected, `storeconfigs` being off.
   *
   * @param query - the AST of resources
   * @throws ServiceError in the words that the compile fails with
   */
  readonly findResources?: (query: string, signal: AbortSignal) => Promise<string>;
  /**
   * The rows for `puppetdb_query()`.
   *
   * @param query - a string in PQL, or the AST of the root
   * @throws ServiceError in the words that the call fails with
   */
  readonly query: (query: string, signal: AbortSignal) => Promise<string>;
}

/** Facts as the agent named them. */
export interface NodeFacts {
  readonly certname: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON text, whose numbers have the form that `values` may have lost (`4096.0`). */
  readonly exactValues?: string;
}

/** What differs between two catalogs of a node in which nothing has changed. */
export interface CatalogToKeep {
  readonly certname: string;
  /** What the agent asked for. */
  readonly environment: string;
  readonly version: string | number;
  readonly codeId: string | null;
  readonly catalogUuid: string;
  readonly transactionUuid: string | null;
  readonly jobId: string | null;
}

/** Where catalogs are kept. */
export interface CatalogTerminus {
  /** The name of the content that is kept of a node's last catalog. */
  findContent(certname: string): Promise<string | undefined>;
  /** @param content - absent when `findContent` has named it */
  save(catalog: CatalogToKeep, contentId: string, content: string | undefined): Promise<void>;
}

/** Reads the forms of catalog requests with large facts in another thread. */
export interface LargeFormReader {
  /** What is longer is for the reader. */
  readonly maxSmallBytes: number;
  /**
   * @param body - it belongs to the reader from now on
   * @returns the fields but the facts, and a function that returns the facts or throws as `FactsTerminus.decode`
   * @throws ServiceError `unavailable` when too many wait
   */
  read(
    body: Uint8Array,
    certname: string,
  ): Promise<{ readonly fields: ReadonlyMap<string, string>; readonly facts: (() => NodeFacts) | undefined }>;
}

export interface FactsTerminus {
  /**
   * Decodes the form field `facts`.
   *
   * @throws in the reference's words when these are no facts, or those of another node
   */
  decode(field: string, format: string | null, certname: string): NodeFacts;
  /** Durable when it resolves. @param trusted - what the sender's certificate proves */
  save(facts: NodeFacts, environment: string, trusted: TrustedFacts): Promise<void>;
  find(certname: string, signal: AbortSignal): Promise<NodeFacts | undefined>;
}

/** A node as an ENC or the classifier describes it, or without either. */
export interface NodeTerminus {
  /**
   * @returns `undefined` when the classifier does not know the node: then nothing is compiled
   * @throws ServiceError when the classifier fails: then nothing is compiled, either
   */
  find(request: NodeRequest, signal: AbortSignal): Promise<Node | undefined>;
}

/** `$trusted['external']`. */
export interface TrustedExternalTerminus {
  /** @throws ServiceError when the program that knows fails: then nothing is compiled */
  find(certname: string, signal: AbortSignal): Promise<Readonly<Record<string, Json>>>;
}

export interface NodeRequest {
  readonly certname: string;
  readonly environment: string;
  readonly facts: NodeFacts | undefined;
  /** What the client's certificate proves; absent without a request. */
  readonly trusted?: () => Promise<TrustedFacts>;
  /** Of the Puppet run, where the agent names it. */
  readonly transactionUuid?: string;
}

export interface Node {
  /** Class -> parameters, `null` where none are given. */
  readonly classes: Readonly<Record<string, Readonly<Record<string, Json>> | null>>;
  /** The classifier gave names alone, as a list: who asks for the node gets a list, too. */
  readonly listsClasses?: boolean;
  /** Top-scope variables. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** `{"classes", "parameters"}` as JSON text, when there may be numbers whose form the fields above have lost. */
  readonly exact?: string;
  /** Absent when the classifier leaves the choice to the agent. */
  readonly environment?: string;
  /** Class -> parameters: values that lookups find in the global layer; absent where groups have none. */
  readonly configData?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Names of the node groups that a class comes from, by class; absent where a program classifies. */
  readonly classSources?: Readonly<Record<string, readonly string[]>>;
}
