/** What Ruby code sees when a manifest calls it, for tests that call it themselves. */

import type { Environment } from '../../src/language/environment/index.ts';
import { compileCatalog, type RubyCaller } from '../../src/language/evaluator/index.ts';
import { outside } from './outside.ts';

/** The environment's main manifest has to contain `inline_template('')`: that is where `visit` is called from. */
export function withRubyCaller(environment: Environment, visit: (caller: RubyCaller) => void): void {
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
        findResourceType: () => undefined,
        callFunction: () => null,
        evaluateErb: (_source, caller) => {
          visit(caller);
          return '';
        },
      },
    },
    log: () => {},
  });
}
