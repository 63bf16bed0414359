/** What code reaches outside the language on this machine: commands, files of the server, keys, the clock. */

import type { FileTree } from '../../language/environment/index.ts';
import type { CompileTermini } from '../../language/evaluator/index.ts';
import { decryptEyaml } from '../../lib/eyaml/index.ts';
import { processEnvironment } from '../../platform/settings/index.ts';
import type { PuppetDbLink } from './puppetdb-link.ts';
import { exportedResources, queryPuppetdb } from './puppetdb-termini.ts';
import { runGenerator } from './run-generator.ts';

/**
 * @param files - of the version that is compiled: absolute paths into the environment mean that version, too
 * @param puppetDb - absent without a PuppetDB
 * @param locate - where programs outside of the code are that are not at their paths
 */
export function hostTermini(
  files: FileTree,
  puppetDb?: PuppetDbLink,
  locate = (path: string) => path,
): CompileTermini {
  return {
    ...exportedResources(puppetDb),
    outside: {
      generate: (command, args) => runGenerator(command, args, locate(command)),
      readServerFile: (path) => files.readBytes(path),
      now: () => Date.now(),
      random: () => Math.random(),
      queryPuppetdb: queryPuppetdb(puppetDb),
    },
    eyaml: {
      decrypt(block, options) {
        const option = (name: string) => {
          const value = options.get(name);
          return typeof value === 'string' ? value : undefined;
        };
        return decryptEyaml(block, option, {
          file: (path) => files.readText(path),
          environmentVariable: (name) => processEnvironment()[name],
        });
      },
    },
  };
}
