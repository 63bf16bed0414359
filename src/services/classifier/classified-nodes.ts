/** `node_terminus = classifier`: the groups of this process, or those of the primary. */

import { checkShape } from '../../lib/check-shape.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CheckInSink } from './check-ins/check-in.ts';
import { type ClassSources, classify, classSources, type Steps } from './classify.ts';
import { type CompileServersTerminus, withCompileServer } from './compile-server-class.ts';
import type { ClassifiedNode } from './condition.ts';
import { describeConflicts } from './conflicts.ts';
import { agentSpecified, type Classification } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';
import { effectiveClasses } from './infrastructure-classes.ts';
import { withFacts } from './interpolation.ts';
import { ClassifiedWire } from './node-wire.ts';

/** A node that is to be classified. */
export interface NodeQuestion {
  readonly certname: string;
  /** `exactValues`: the values as JSON, where they came as such. */
  readonly facts: { readonly values: JsonObject; readonly exactValues?: string } | undefined;
  /** What its certificate proves. */
  readonly trusted?: () => Promise<TrustedFacts>;
  /** Of the Puppet run. */
  readonly transactionUuid?: string;
}

interface TrustedFacts {
  readonly authenticated: string | boolean;
  readonly certname: string;
  readonly extensions: Readonly<Record<string, string>>;
  readonly external: JsonObject;
}

export interface ClassifiedNodeAnswer {
  readonly classes: Readonly<Record<string, JsonObject>>;
  readonly parameters: JsonObject;
  /** Absent where the agent chooses. */
  readonly environment?: string;
  /** The groups that name a class, by class. */
  readonly classSources?: ClassSources;
  /** Class -> parameters, for lookups; absent without any. */
  readonly configData?: Readonly<Record<string, JsonObject>>;
}

const never = new AbortController().signal;

/** Classifies by groups that are in this process. */
export class LocalClassifiedNodes {
  private readonly groups: { readonly hierarchy: Hierarchy };
  private readonly servers: CompileServersTerminus | undefined;
  private readonly checkIns: CheckInSink | undefined;

  /**
   * @param groups - of which the hierarchy may change
   * @param servers - knows what the class of compile servers is to do; it does nothing when absent
   * @param checkIns - told of each node that is classified
   */
  constructor(
    groups: { readonly hierarchy: Hierarchy },
    servers?: CompileServersTerminus,
    checkIns?: CheckInSink,
  ) {
    this.groups = groups;
    this.servers = servers;
    this.checkIns = checkIns;
  }

  /** @throws ServiceError `compile-failed` when the node's groups contradict each other */
  async find(question: NodeQuestion, signal = never): Promise<ClassifiedNodeAnswer> {
    const node = await nodeOf(question);
    const { hierarchy } = this.groups;
    const steps = stepsOf(hierarchy, node);
    this.checkIns?.note(hierarchy, node, question.transactionUuid);
    const { conflicts = {}, final, leaves } = steps;
    if (final === undefined) throw conflict(node.name, describeConflicts(leaves, conflicts));
    const sources = classSources(hierarchy, steps);
    if (this.servers === undefined) return answerOf({ ...final, sources });
    const classes = await withCompileServer(final.classes, node, this.servers, signal);
    return answerOf({ ...final, classes, sources });
  }
}

function stepsOf(hierarchy: Hierarchy, node: ClassifiedNode): Steps {
  try {
    return withFacts(classify(hierarchy, node), node);
  } catch (error) {
    // A rule that does not come to an end, or a fact that is too large.
    if (!(error instanceof ServiceError)) throw error;
    throw conflict(node.name, error.message);
  }
}

export interface RemoteClassifiedNodesOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  readonly log: Logger;
}

const timeoutMs = 30_000;

/** Asks the classifier on the primary. */
export class RemoteClassifiedNodes {
  private readonly options: RemoteClassifiedNodesOptions;

  constructor(options: RemoteClassifiedNodesOptions) {
    this.options = options;
  }

  /** @throws ServiceError `compile-failed` when the node's groups contradict each other, or the classifier does not answer */
  async find(question: NodeQuestion, signal: AbortSignal): Promise<ClassifiedNodeAnswer> {
    const { client, log, primaryUrl } = this.options;
    const { certname: name, facts, transactionUuid, trusted } = question;
    const url = `${primaryUrl}/classifier-api/v1/classified/nodes/${encodeURIComponent(name)}?class_sources=true`;
    const headers = { 'content-type': 'application/json' };
    // Large facts are sent as the text that they came as: parsing and writing them would block the main thread.
    const values = facts?.exactValues ?? JSON.stringify(facts?.values ?? {});
    const run = transactionUuid === undefined ? '' : `,"transaction_uuid":${JSON.stringify(transactionUuid)}`;
    const body = `{"fact":${values},"trusted":${JSON.stringify(trustedOf(await trusted?.()))}${run}}`;
    const asked = client.send({ method: 'POST', url, headers, body, signal, timeoutMs });
    const response = await asked.catch((cause: unknown) => {
      throw failed(name, cause);
    });
    const answer = decodeAnswer(response.body);
    if (response.status === 200 && answer.kind === 'classified') return answerOf(answer.classified);
    if (answer.kind === 'conflict') throw conflict(name, answer.message);
    log.warn({ certname: name, status: response.status }, 'unexpected answer of the classifier');
    throw failed(name, undefined);
  }
}

async function nodeOf({ certname, facts, trusted }: NodeQuestion): Promise<ClassifiedNode> {
  return { name: certname, fact: facts?.values ?? {}, trusted: trustedOf(await trusted?.()) };
}

/** As `$trusted` has it. */
function trustedOf(trusted: TrustedFacts | undefined): JsonObject {
  if (trusted === undefined) return {};
  const [hostname = '', ...domain] = trusted.certname.split('.');
  return { ...trusted, hostname, domain: domain.length === 0 ? null : domain.join('.') };
}

interface Classified extends Omit<Classification, 'environmentTrumps'> {
  /** Absent from primaries of before. */
  readonly sources: ClassSources | undefined;
}

function answerOf({
  classes,
  configData,
  environment,
  sources,
  variables,
}: Classified): ClassifiedNodeAnswer {
  const effective = effectiveClasses(classes, configData);
  const names = Object.keys(effective).sort();
  return {
    classes: Object.fromEntries(names.map((name) => [name, effective[name] ?? {}])),
    parameters: variables,
    ...(environment === agentSpecified ? {} : { environment }),
    ...(sources === undefined ? {} : { classSources: sources }),
    ...(Object.keys(configData).length === 0 ? {} : { configData }),
  };
}

type Answer =
  | { readonly kind: 'classified'; readonly classified: Classified }
  | { readonly kind: 'conflict'; readonly message: string }
  | { readonly kind: 'unknown' };

function decodeAnswer(body: Buffer): Answer {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // Not from a classifier.
    return { kind: 'unknown' };
  }
  const { data } = checkShape(ClassifiedWire, value);
  if (data === undefined) return { kind: 'unknown' };
  if ('msg' in data) return { kind: 'conflict', message: data.msg };
  const { class_sources: sources, config_data: configData, parameters: variables, ...rest } = data;
  return { kind: 'classified', classified: { ...rest, configData, variables, sources } };
}

function conflict(name: string, explanation: string): ServiceError {
  const text = explanation.replace(' See the `details` key for all conflicts.', '');
  const message = `Classification of ${name} failed due to a classification conflict: ${text}`;
  return new ServiceError('compile-failed', message);
}

function failed(name: string, cause: unknown): ServiceError {
  const message = `Classification of ${name} failed due to a Node Manager service error.`;
  return new ServiceError('compile-failed', message, { cause });
}
