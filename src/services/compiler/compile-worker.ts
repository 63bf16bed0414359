/** The thread that compiles. It holds parsed environments; one message at a time. */

import { parentPort, resourceLimits, workerData } from 'node:worker_threads';
import { storedRelationships } from '../../language/catalog/index.ts';
import { Environment, ParseCache } from '../../language/environment/index.ts';
import {
  type ClassifiedNode,
  CompileProfile,
  type CompileRequest,
  compileCatalog,
  type ExactJson,
  parseExactJson,
  SingleWarnings,
} from '../../language/evaluator/index.ts';
import type { LogLevel } from '../../language/functions/index.ts';
import { ErbTemplates, InterpretedFunctions, ResourceTypeReader } from '../../language/ruby/index.ts';
import { PuppetError, renderPosition } from '../../language/syntax/index.ts';
import { DiskFileTree } from '../../lib/disk-file-tree.ts';
import { prismFiles, RubyParser } from '../../lib/ruby-syntax/index.ts';
import { RequestedImages, type RubyImages } from '../../platform/ruby/index.ts';
import { answerQuestion } from './answer-question.ts';
import { HeapLimit } from './heap-limit.ts';
import { hostTermini } from './host-termini.ts';
import { keptCatalog } from './kept-catalog.ts';
import { LayerTimes } from './layer-times.ts';
import { renderedCatalog } from './rendered-catalog.ts';
import { RubyEnvironment } from './ruby/index.ts';
import { sourcedFiles } from './sourced-files.ts';
import type {
  CompileJob,
  CompileLogLine,
  CompileWorkerData,
  EnvironmentSource,
  FromWorker,
  KeptCatalog,
  ToWorker,
} from './worker-protocol.ts';

/** What the main thread has checked to be objects before it made text of them. */
type ExactObject = Readonly<Record<string, ExactJson>>;
type ExactNode = ExactObject & ClassifiedNode;

class CompileWorker {
  private readonly parseCache = new ParseCache();
  private readonly singleWarnings = new SingleWarnings();
  private readonly heap = new HeapLimit(resourceLimits.maxOldGenerationSizeMb);
  private readonly parser = new RubyParser(prismFiles());
  private readonly resourceTypes = new ResourceTypeReader({ parser: this.parser });
  private readonly layers = new LayerTimes(() => performance.now());
  private readonly erb = new ErbTemplates((source) => this.parser.parse(source), {
    around: (render) =>
      this.layers.measure(
        'template',
        (rendering) => (rendering?.kind === 'given-up' ? undefined : 'L1'),
        render,
      ),
  });
  private readonly functions = new InterpretedFunctions((source) => this.parser.parse(source));
  private readonly environments = new Map<string, LoadedEnvironment>();
  private readonly data: CompileWorkerData;
  private readonly images: RubyImages | undefined;
  private readonly post: (message: FromWorker) => void;

  constructor(data: CompileWorkerData, post: (message: FromWorker) => void) {
    this.data = data;
    this.images = data.images && new RequestedImages(data.images);
    this.post = post;
  }

  handle(message: ToWorker): Handled | undefined {
    if (message.kind === 'forget') {
      this.environments.get(message.key)?.ruby.close();
      this.environments.delete(message.key);
      return undefined;
    }
    const logs: CompileLogLine[] = [];
    try {
      if (message.kind === 'warm') {
        this.warm(message.source);
        return { answer: { kind: 'warmed', id: message.id }, transfer: [] };
      }
      if (message.kind === 'ask') {
        const request = this.request(message.source, message.job, logs);
        const answer = { ...answerQuestion(request, message.question), logs };
        return { answer: { kind: 'answered', id: message.id, answer }, transfer: [] };
      }
      const { id, job, source } = message;
      const { compiled, keep } = this.compile(id, source, job, logs);
      return {
        answer: compiled,
        transfer: [compiled.catalog.buffer],
        ...(job.keeping === undefined ? {} : { afterwards: () => kept(id, keep) }),
      };
    } catch (error) {
      this.heap.relax();
      return { answer: failure(message.id, error, logs), transfer: [] };
    }
  }

  private compile(id: number, source: EnvironmentSource, job: CompileJob, logs: CompileLogLine[]) {
    const began = performance.now();
    const profile = job.isProfiled === true ? new CompileProfile(() => performance.now()) : undefined;
    const request = this.request(source, job, logs);
    const { catalog } = compileCatalog(profile === undefined ? request : { ...request, profile });
    const text = renderedCatalog(catalog, job.format, {
      strict: request.environment.config.settings.strict,
      log: request.log,
    });
    // Fails the compile, as with the reference: PuppetDB would not have it.
    if (job.keeping !== undefined) storedRelationships(catalog);
    const durationMs = Math.round((performance.now() - began) * 10) / 10;
    const bytes = new TextEncoder().encode(text);
    const compiled = {
      kind: 'compiled',
      id,
      catalog: bytes,
      resources: catalog.resources.length,
      sourcedFiles: job.listsSourcedFiles === true ? sourcedFiles(catalog) : [],
      layers: this.layers.take(),
      ...(profile === undefined ? {} : { profile: profile.entries() }),
      logs,
      durationMs,
    } as const;
    return { compiled, keep: () => keptCatalog(catalog, text, job.keeping?.knownContent) };
  }

  private request(source: EnvironmentSource, job: CompileJob, logs: CompileLogLine[]): CompileRequest {
    const { environment, locate, ruby } = this.load(source);
    return {
      ...job,
      facts: typeof job.facts === 'string' ? (parseExactJson(job.facts) as ExactObject) : job.facts,
      node: typeof job.node === 'string' ? (parseExactJson(job.node) as ExactNode) : job.node,
      environment,
      termini: { ...hostTermini(environment.files, this.data.puppetDb, locate), erb: this.erb, ruby },
      singleWarnings: this.singleWarnings,
      isOutOfMemory: () => this.heap.isExceeded(),
      log: wanted(job.leastLevel, logs),
    };
  }

  /** Parses what every node needs, so that the first of them need not wait for it. */
  private warm(source: EnvironmentSource): void {
    try {
      this.load(source).environment.mainPrograms();
    } catch (error) {
      // A version that does not parse goes live all the same, as with Puppet: its agents get to see why.
      if (!(error instanceof PuppetError)) throw error;
    }
  }

  private load(source: EnvironmentSource): LoadedEnvironment {
    const known = this.environments.get(source.key);
    if (known !== undefined) return known;
    const files = new DiskFileTree(source.config.directory, source.physicalDirectory, source.mappings);
    const environment = new Environment(source.config, files, this.parseCache, {
      read: (...args) =>
        this.layers.measure(
          'resource type',
          (read) => (read?.kind === 'type' ? 'L0' : undefined),
          () => this.resourceTypes.read(...args),
        ),
    });
    const locate = (path: string) => files.physical(path);
    const loaded = { environment, locate, ruby: this.rubyOf(environment, source) };
    this.environments.set(source.key, loaded);
    return loaded;
  }

  private rubyOf(environment: Environment, source: EnvironmentSource): RubyEnvironment {
    const { name } = environment;
    const { config, mappings = [], physicalDirectory } = source;
    return new RubyEnvironment({
      environment,
      commands: this.data.rubyCommands,
      timeoutSeconds: this.data.rubyTimeoutSeconds,
      memoryBytes: this.data.rubyMemoryBytes,
      ...(this.images === undefined ? {} : { images: this.images }),
      interpreter: this.functions,
      paths: { logicalDirectory: config.directory, physicalDirectory, others: mappings },
      observe: {
        started: (ruby) => this.post({ kind: 'ruby-started', environment: name, ruby }),
        ended: (ruby) => this.post({ kind: 'ruby-ended', environment: name, ruby }),
        measure: (served, layer, work) => this.layers.measure(served, layer, work),
      },
    });
  }
}

/** Keeps the messages that somebody reads. */
function wanted(least: CompileJob['leastLevel'], logs: CompileLogLine[]): CompileRequest['log'] {
  const dropped = least === undefined ? nothing : below[least];
  return (level, message, position) => {
    if (dropped.has(level)) return;
    logs.push({ level, message: position === undefined ? message : message + renderPosition(position) });
  };
}

const nothing: ReadonlySet<LogLevel> = new Set();
const below: Readonly<Record<'info' | 'warning', ReadonlySet<LogLevel>>> = {
  info: new Set(['debug']),
  warning: new Set(['debug', 'info', 'notice']),
};

interface Handled {
  readonly answer: FromWorker;
  readonly transfer: ArrayBuffer[];
  /** What is done when the answer is on its way, and gives another message. */
  readonly afterwards?: () => FromWorker;
}

/** One version of an environment with its Ruby, which starts when code asks for it. */
interface LoadedEnvironment {
  readonly environment: Environment;
  readonly locate: (path: string) => string;
  readonly ruby: RubyEnvironment;
}

function kept(id: number, keep: () => KeptCatalog): FromWorker {
  try {
    return { kind: 'kept', id, catalog: keep() };
  } catch (error) {
    return { kind: 'not-kept', id, reason: error instanceof Error ? error.message : String(error) };
  }
}

function failure(id: number, error: unknown, logs: readonly CompileLogLine[]): FromWorker {
  if (error instanceof PuppetError) return { kind: 'refused', id, message: error.message, logs };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'crashed', id, message, stack: error instanceof Error ? error.stack : undefined };
}

if (parentPort !== null) {
  const port = parentPort;
  const worker = new CompileWorker(workerData as CompileWorkerData, (message) => port.postMessage(message));
  port.on('message', (message: ToWorker) => {
    const result = worker.handle(message);
    if (result === undefined) return;
    port.postMessage(result.answer, result.transfer);
    if (result.afterwards !== undefined) port.postMessage(result.afterwards());
  });
}
