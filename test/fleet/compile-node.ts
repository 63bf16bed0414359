/** Compiles one node of a fleet as a server does for the request of its agent. */

import { Catalog, renderCatalog } from '../../src/language/catalog/index.ts';
import { type CompileRequest, compileCatalog } from '../../src/language/evaluator/index.ts';
import { ErbTemplates } from '../../src/language/ruby/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { hostTermini } from '../../src/services/compiler/host-termini.ts';
import { renderedCatalog } from '../../src/services/compiler/rendered-catalog.ts';
import { type ExactJson, parseExactJson } from '../support/exact-json.ts';
import { outside } from '../support/outside.ts';
import { recordedServerFacts } from '../support/recorded-levels.ts';
import { rubyOf } from '../support/ruby.ts';
import type { Fleet, FleetNode } from './fleet.ts';

const parser = new RubyParser(prismFiles());
const templates = new ErbTemplates((source) => parser.parse(source));

export interface CompiledNode {
  /** A catalog as rendered, or `{"error": {"message"}}`. */
  readonly result: ExactJson;
  readonly logs: readonly (readonly [level: string, message: string])[];
  readonly milliseconds: number;
}

/** Bugs are thrown; mistakes in the code are results. */
export function compileNode(fleet: Fleet, node: FleetNode): CompiledNode {
  const logs: (readonly [string, string])[] = [];
  const began = performance.now();
  const done = (result: ExactJson): CompiledNode => ({
    result,
    logs,
    milliseconds: performance.now() - began,
  });
  try {
    return done(parseExactJson(render(fleet, node, logs)));
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return done({ error: { message: `Server Error: ${error.message}` } });
  }
}

function render(fleet: Fleet, node: FleetNode, logs: (readonly [string, string])[]): string {
  const { certname } = node;
  const requested = node.environment ?? 'production';
  const name = node.enc?.environment ?? requested;
  if (node.check_environment === true && name !== requested) return renderEmpty(certname, name);
  const request = requestOf(fleet, node, (level, message) => logs.push([level, message]));
  const { catalog } = compileCatalog(request);
  const { strict } = request.environment.config.settings;
  return renderedCatalog(catalog, 'rich_data_json', { strict, log: request.log });
}

/** The request of a node's agent, as a server hands it to the compiler. */
export function requestOf(fleet: Fleet, node: FleetNode, log: CompileRequest['log']): CompileRequest {
  const { certname } = node;
  const environment = fleet.environment(node.enc?.environment ?? node.environment ?? 'production');
  const { eyaml } = hostTermini(environment.files);
  return {
    certname,
    environment,
    facts: fleet.facts(node),
    trusted: {
      authenticated: 'remote',
      certname,
      extensions: node.extensions ?? {},
      external: node.external ?? {},
    },
    serverFacts: recordedServerFacts(fleet.recorded),
    node: fleet.classified(node),
    termini: {
      exportedResources: (query) => fleet.exportedResources(query),
      outside,
      ...(eyaml === undefined ? {} : { eyaml }),
      erb: templates,
      ruby: rubyOf(environment, fleet.ruby),
    },
    log,
  };
}

/** What an agent gets that asks for another environment than its classifier says. */
function renderEmpty(certname: string, environment: string): string {
  const catalog = new Catalog({
    name: certname,
    environment,
    version: 1,
    codeId: null,
    catalogUuid: '',
    findType: () => undefined,
  });
  return renderCatalog(catalog, 'application/vnd.puppet.rich+json');
}
