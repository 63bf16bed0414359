/** The messages between the server's main thread and its compile workers. */

import type { EnvironmentConfig } from '../../language/environment/index.ts';
import type {
  Explained,
  ExplainQuestion,
  LookupQuestion,
  ProfileEntry,
  TrustedFacts,
} from '../../language/evaluator/index.ts';
import type { LogLevel } from '../../language/functions/index.ts';
import type { DirectoryMapping } from '../../lib/disk-file-tree.ts';
import type { Json } from '../../lib/json.ts';
import type { RubyIdentity } from '../../platform/ruby/index.ts';
import type { BlockingLink } from '../../platform/threads/index.ts';
import type { LayerTally } from './layer-times.ts';
import type { PuppetDbLink } from './puppetdb-link.ts';
import type { Node } from './termini.ts';

/** What a worker gets at its start. */
export interface CompileWorkerData {
  readonly rubyCommands: readonly string[];
  /** How long code in Ruby may run at a stretch. */
  readonly rubyTimeoutSeconds: number;
  /** What one Ruby may have. */
  readonly rubyMemoryBytes: number;
  /** For the built-in Ruby; absent where it is not wanted. */
  readonly images: BlockingLink | undefined;
  /** Absent without a PuppetDB. */
  readonly puppetDb: PuppetDbLink | undefined;
}

/** One version of an environment, as a worker loads it. */
export interface EnvironmentSource {
  /** Differs between any two versions. */
  readonly key: string;
  /** Where the files below `config.directory` really are. */
  readonly physicalDirectory: string;
  /** Further directories of code that lie elsewhere: modules that all environments share. */
  readonly mappings?: readonly DirectoryMapping[];
  readonly config: EnvironmentConfig;
}

/** The names of `platform/indirection`. */
export type CatalogFormat = 'rich_data_json' | 'json' | 'pson';

export interface CompileJob {
  readonly certname: string;
  /** As JSON text where parsing would lose the form of a number. */
  readonly facts: Readonly<Record<string, Json>> | string;
  readonly trusted: TrustedFacts;
  readonly serverFacts: Readonly<Record<string, Json>>;
  /** `{"classes", "parameters"}`, as JSON text where parsing would lose the form of a number. */
  readonly node: Pick<Node, 'classes' | 'configData' | 'parameters'> | string;
  readonly transactionUuid?: string;
  readonly format: CatalogFormat;
  /** The files with sources are wanted, too: for static catalogs. */
  readonly listsSourcedFiles?: boolean;
  /** Messages below are of no use to anybody: a large catalog logs hundreds for debugging. Absent: all are wanted. */
  readonly leastLevel?: 'info' | 'warning';
  /** Tell where the time went. */
  readonly isProfiled?: boolean;
  /** The catalog is kept: what is needed for that comes after the answer. Absent where catalogs are not kept. */
  readonly keeping?: {
    /** The content that is kept of the node's last catalog. */
    readonly knownContent: string | undefined;
  };
}

/** What is kept of a catalog. */
export interface KeptCatalog {
  readonly version: string | number;
  readonly codeId: string | null;
  readonly catalogUuid: string;
  /** Names the content: the same name, the same content. */
  readonly contentId: string;
  /** `"resources":[...],"edges":[...]`; absent when it is the one that is kept already. */
  readonly content: string | undefined;
}

/** A resource of the type `File` whose content agents fetch. */
export interface SourcedFile {
  readonly title: string;
  /** `puppet:` addresses without slashes at the end. */
  readonly sources: readonly string[];
  /** The attribute as messages show it. */
  readonly given: string;
  readonly recurses: boolean;
  /** Of several sources only the first that is there counts. */
  readonly takesFirst: boolean;
  /** Parameters of a request for its metadata. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** What people ask of a compile, instead of its catalog. */
export type Question =
  | { readonly kind: 'last-value' }
  | { readonly kind: 'lookup'; readonly lookup: LookupQuestion; readonly renderAs: 's' | 'json' | 'yaml' }
  | { readonly kind: 'explain'; readonly explain: ExplainQuestion };

export interface Answer {
  /** For standard output, without the end of the last line; `undefined` when there is nothing to say. */
  readonly text: string | undefined;
  /** The error when there is no value. */
  readonly failure: string | undefined;
  /** Only where it was asked for. */
  readonly explained?: Explained;
  readonly logs: readonly CompileLogLine[];
}

export type ToWorker =
  | {
      readonly kind: 'compile';
      readonly id: number;
      readonly source: EnvironmentSource;
      readonly job: CompileJob;
    }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly source: EnvironmentSource;
      readonly job: CompileJob;
      readonly question: Question;
    }
  | { readonly kind: 'warm'; readonly id: number; readonly source: EnvironmentSource }
  | { readonly kind: 'forget'; readonly key: string };

export interface CompileLogLine {
  readonly level: LogLevel;
  /** With its position, as the reference writes it. */
  readonly message: string;
}

export type FromWorker =
  | { readonly kind: 'ruby-started'; readonly environment: string; readonly ruby: RubyIdentity }
  | { readonly kind: 'ruby-ended'; readonly environment: string; readonly ruby: RubyIdentity }
  | {
      readonly kind: 'compiled';
      readonly id: number;
      /** UTF-8, ready to be sent. */
      readonly catalog: Uint8Array<ArrayBuffer>;
      readonly resources: number;
      /** Empty unless they were asked for. */
      readonly sourcedFiles: readonly SourcedFile[];
      readonly layers: readonly LayerTally[];
      /** Only where it was asked for. */
      readonly profile?: readonly ProfileEntry[];
      readonly logs: readonly CompileLogLine[];
      readonly durationMs: number;
    }
  | { readonly kind: 'kept'; readonly id: number; readonly catalog: KeptCatalog }
  | { readonly kind: 'not-kept'; readonly id: number; readonly reason: string }
  | { readonly kind: 'warmed'; readonly id: number }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: Answer }
  | {
      /** The user's code is at fault. */
      readonly kind: 'refused';
      readonly id: number;
      readonly message: string;
      readonly logs: readonly CompileLogLine[];
    }
  | {
      /** A bug of ours. */
      readonly kind: 'crashed';
      readonly id: number;
      readonly message: string;
      readonly stack: string | undefined;
    };
