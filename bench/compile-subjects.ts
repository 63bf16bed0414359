/** What `npm run bench -- compile` compiles: the nodes of fleets, the example, and nodes made to measure. */

import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { simulatedFacts } from '../demo/simulated-facts.ts';
import {
  defaultLanguageSettings,
  type Environment,
  type ParseCache,
} from '../src/language/environment/index.ts';
import { type CompileRequest, compileCatalog } from '../src/language/evaluator/index.ts';
import { PuppetError } from '../src/language/syntax/index.ts';
import type { Json } from '../src/lib/json.ts';
import { requestOf } from '../test/fleet/compile-node.ts';
import { Fleet } from '../test/fleet/fleet.ts';
import { openEnvironment } from '../test/support/open-environment.ts';
import { outside } from '../test/support/outside.ts';

/** The requests of some nodes, for fresh environments over a cache of parsed trees. */
export interface Subject {
  readonly name: string;
  open(cache: ParseCache): readonly CompileRequest[];
}

const project = resolve(import.meta.dirname, '..');

/** One subject for each environment of a fleet, with the nodes whose catalogs compile. */
export function fleetSubjects(): readonly Subject[] {
  const directory = resolve(project, 'test/recorded/fleet');
  const fleet = new Fleet(directory);
  const compiling = fleet.nodes.filter((node) => compiles(requestOf(fleet, node, () => {})));
  const byEnvironment = Map.groupBy(
    compiling,
    (node) => node.enc?.environment ?? node.environment ?? 'production',
  );
  return [...byEnvironment].map(([name, nodes]) => ({
    name: `fleet ${name}, ${nodes.length} nodes`,
    open: (cache) => {
      const fresh = new Fleet(directory, { cache });
      return nodes.map((node) => requestOf(fresh, node, () => {}));
    },
  }));
}

/** The example control repository, as its demonstration compiles it. */
export function exampleSubject(): Subject {
  return {
    name: 'example control repository',
    open: (cache) => {
      const directory = join(project, 'examples', 'control-repo');
      const environment = openEnvironment({
        directory,
        name: 'production',
        settings: defaultLanguageSettings,
        cache,
      });
      return [requestFor(environment, 'web01.example.com', {})];
    },
  };
}

/** How many sites a node of `bench/environment` has that has about so many resources. */
const sitesByResources: readonly (readonly [resources: number, sites: number])[] = [
  [70, 1],
  [500, 40],
  [2700, 240],
];

/** `bench/environment` with nodes of three sizes, below a temporary directory that the caller removes. */
export function generatedSubjects(): { readonly directory: string; readonly subjects: readonly Subject[] } {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const subjects = writeGeneratedEnvironment(directory).map(
    ({ certname, resources }): Subject => ({
      name: `generated, ${resources} resources`,
      open: (cache) => {
        const environment = openEnvironment({
          directory,
          name: 'production',
          settings: defaultLanguageSettings,
          cache,
        });
        return [requestFor(environment, certname, { pp_role: 'webserver' })];
      },
    }),
  );
  return { directory, subjects };
}

export interface GeneratedNode {
  readonly certname: string;
  /** About. */
  readonly resources: number;
}

/** `bench/environment` with nodes of three sizes, in an existing directory. */
export function writeGeneratedEnvironment(directory: string): readonly GeneratedNode[] {
  cpSync(join(import.meta.dirname, 'environment'), directory, { recursive: true });
  mkdirSync(join(directory, 'data', 'nodes'));
  return sitesByResources.map(([resources, sites]) => {
    const certname = `node${resources}.bench.example.com`;
    const data = { 'profile::web::sites': generatedSites(sites) };
    writeFileSync(
      join(directory, 'data', 'nodes', `${certname}.yaml`),
      `---\n${JSON.stringify(data, null, 2)}\n`,
    );
    return { certname, resources };
  });
}

function generatedSites(count: number): Readonly<Record<string, Json>> {
  const sites: Record<string, Json> = {};
  for (let index = 0; index < count; index += 1) {
    const name = `site${index}.example.com`;
    sites[name] = {
      priority: index % 100,
      ...(index % 2 === 0 ? { tls: true, port: 8443 } : {}),
      ...(index % 3 === 0 ? { aliases: [`www.${name}`, `%{facts.networking.hostname}.${name}`] } : {}),
      ...(index % 5 === 0 ? { headers: { 'X-Site': name, 'X-Node': '%{trusted.certname}' } } : {}),
      ...(index % 7 === 0 ? { docroot: `/var/www/${index}` } : {}),
    };
  }
  return sites;
}

function requestFor(
  environment: Environment,
  certname: string,
  extensions: Readonly<Record<string, string>>,
): CompileRequest {
  return {
    certname,
    environment,
    // Facts are JSON: that is how they come.
    facts: simulatedFacts(certname, 0) as Readonly<Record<string, Json>>,
    trusted: { authenticated: 'remote', certname, extensions, external: {} },
    serverFacts: { serverversion: '8.10.0', servername: 'puppet.example.com', serverip: '192.0.2.1' },
    node: { classes: {}, parameters: {} },
    termini: { exportedResources: () => [], outside },
    log: () => {},
  };
}

function compiles(request: CompileRequest): boolean {
  try {
    compileCatalog(request);
    return true;
  } catch (error) {
    if (error instanceof PuppetError) return false;
    throw error;
  }
}
