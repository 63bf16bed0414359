/** What the compiler needs from elsewhere, in its own words. */

import type { ClassifiedNode, Json } from '../../language/evaluator/index.ts';
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
  release(): void;
}

/** Facts as the agent named them. */
export interface NodeFacts {
  readonly certname: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON text, when there are numbers whose form `values` has lost (`4096.0`). */
  readonly exactValues?: string;
}

export interface FactsTerminus {
  /**
   * Decodes the form field `facts`.
   *
   * @throws in the reference's words when these are no facts, or those of another node
   */
  decode(field: string, format: string | null, certname: string): NodeFacts;
  save(facts: NodeFacts, environment: string): Promise<void>;
  find(certname: string, signal: AbortSignal): Promise<NodeFacts | undefined>;
}

/** A node as an ENC, the classifier or nobody knows it. */
export interface NodeTerminus {
  /** @throws ServiceError when the classifier fails: then nothing is compiled */
  find(request: NodeRequest, signal: AbortSignal): Promise<Node>;
}

export interface NodeRequest {
  readonly certname: string;
  readonly environment: string;
  readonly facts: NodeFacts | undefined;
}

export interface Node extends ClassifiedNode {
  /** Absent when the classifier leaves the choice to the agent. */
  readonly environment?: string;
}
