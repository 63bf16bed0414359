/** Starts the thread of a compile worker, with its links to Ruby's images and PuppetDB, and its limits. */

import { Worker } from 'node:worker_threads';
import {
  DEFAULT_MEMORY_BYTES,
  DEFAULT_TIMEOUT_SECONDS,
  type ImageMaker,
  rubyChoice,
} from '../../../platform/ruby/index.ts';
import { hardLimitMiB } from '../heap-limit.ts';
import { connectPuppetDb } from '../puppetdb-link.ts';
import type { CompileWorkerData } from '../worker-protocol.ts';
import type { PoolOptions } from './pool-options.ts';

export function startWorker(options: PoolOptions, imageMaker: ImageMaker): Worker {
  const { commands, allowsBuiltIn } = rubyChoice(options.ruby ?? 'auto');
  const images = allowsBuiltIn ? imageMaker.connect() : undefined;
  const { rubyMemoryBytes = DEFAULT_MEMORY_BYTES, rubyTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options;
  const puppetDb = options.puppetDb && connectPuppetDb(options.puppetDb);
  const data: CompileWorkerData = {
    rubyCommands: commands,
    rubyMemoryBytes,
    rubyTimeoutSeconds,
    images,
    puppetDb,
  };
  return new Worker(options.workerUrl, {
    name: 'compile',
    workerData: data,
    transferList: [images, puppetDb].flatMap((link) => (link === undefined ? [] : [link.port])),
    resourceLimits: {
      // Without a limit it grows to 130 MiB and more, and nothing gets faster.
      maxYoungGenerationSizeMb: 24,
      maxOldGenerationSizeMb: hardLimitMiB(options.maxHeapMiB),
      stackSizeMb: 8,
    },
  });
}
