/** What Ruby code sees when a manifest calls it, for tests that call it themselves. */

import type { Environment } from '../../src/language/environment/index.ts';
import { compileCatalog, type RubyCaller, type RubyHost } from '../../src/language/evaluator/index.ts';
import { outside } from './outside.ts';

/**
 * The environment's main manifest has to contain `inline_template('')`: that is where `visit` is called from.
 *
 * @param host - runs what is called from there; where it is absent, functions in Ruby answer nothing
 */
export function withRubyCaller(
  environment: Environment,
  visit: (caller: RubyCaller) => void,
  host?: RubyHost,
): void {
  let isVisited = false;
  compileCatalog({
    certname: 'corpus.example.com',
    environment,
    facts: {},
    trusted: { authenticated: 'local', certname: 'corpus.example.com', extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    termini: {
      outside,
      ruby: {
        findResourceType: (name, file, caller) => host?.findResourceType(name, file, caller),
        callFunction: (call, caller) => host?.callFunction(call, caller) ?? null,
        evaluateErb: (source, caller) => {
          if (isVisited) return host?.evaluateErb(source, caller) ?? '';
          isVisited = true;
          visit(caller);
          return '';
        },
      },
    },
    log: () => {},
  });
}
