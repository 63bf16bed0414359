/** The thread of a plan. Code in Ruby runs as in compile workers, without the built-in Ruby. */

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Environment } from '../../language/environment/index.ts';
import type { CompileTermini } from '../../language/evaluator/index.ts';
import { ErbTemplates, InterpretedFunctions, ResourceTypeReader } from '../../language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../lib/ruby-syntax/index.ts';
import { shimDirectory } from '../../platform/ruby/index.ts';
import { processEnvironment } from '../../platform/settings/index.ts';
import { hostTermini, RubyEnvironment } from '../../services/compiler/thread/index.ts';
import type { PlanThreadData } from '../../services/plans/index.ts';
import { runPlanThread } from '../../services/plans/thread/index.ts';

/** What the thread is told besides its plan. */
export interface PlanRuby {
  readonly commands: readonly string[];
  readonly timeoutSeconds: number;
  readonly memoryBytes: number;
}

interface Started {
  readonly plan: PlanThreadData;
  readonly rest: PlanRuby;
}

class PlanThread {
  private readonly ruby: PlanRuby;
  private readonly parser = new RubyParser(prismFiles());
  readonly resourceTypes = new ResourceTypeReader({ parser: this.parser });
  private readonly interpreter = new InterpretedFunctions((source) => this.parser.parse(source));
  private readonly erb = new ErbTemplates((source) => this.parser.parse(source));

  constructor(ruby: PlanRuby) {
    this.ruby = ruby;
  }

  termini(environment: Environment, source: PlanThreadData['source']): CompileTermini {
    const { config, mappings = [], physicalDirectory } = source;
    const ruby = new RubyEnvironment({
      environment,
      ...this.ruby,
      interpreter: this.interpreter,
      libraries: [join(shimDirectory(), 'plans')],
      paths: { logicalDirectory: config.directory, physicalDirectory, others: mappings },
    });
    return { ...hostTermini(environment.files), erb: this.erb, ruby };
  }
}

if (parentPort !== null) {
  const { plan, rest } = workerData as Started;
  const thread = new PlanThread(rest);
  const outcome = runPlanThread(plan, {
    termini: (environment, source) => thread.termini(environment, source),
    resourceTypes: thread.resourceTypes,
    variables: processEnvironment(),
  });
  parentPort.postMessage(outcome);
}
