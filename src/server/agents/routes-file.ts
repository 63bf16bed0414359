/**
 * `routes.yaml`, where a real server says from where its data comes and where else it is kept. Here that is fixed but for the cache
 * of facts; what the file asks for besides is told.
 */

import { readTextIfThere } from '../../lib/if-there.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { isYamlMap, parseYaml, type YamlValue, yamlToData } from '../../lib/yaml/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

export interface Routes {
  /** Whether facts are written as files, too. */
  readonly cachesFactsAsYaml: boolean;
  /** Warns of entries without effect. */
  readonly warnings: readonly string[];
}

type Used = Pick<Settings, 'nodeTerminus' | 'routeFile' | 'storeConfigs'>;
type Route = Readonly<Record<'cache' | 'terminus', string | undefined>>;

const puppetDb = ['puppetdb', 'store_configs'];

/**
 * @returns no routes when the file is missing
 * @throws ServiceError `bad-request` in the reference's words for a file that it would not start with
 */
export function readRoutes(settings: Used): Routes {
  const { routeFile } = settings;
  const text = readTextIfThere(routeFile);
  if (text === undefined) return { cachesFactsAsYaml: false, warnings: [] };
  const { isAmbiguous, routes } = decode(text, routeFile);
  const warnings = [
    ...(isAmbiguous ? ['contains both server and master route settings; those of server count'] : []),
    ...Array.from(routes).flatMap(([indirection, route]) => problemsOf(indirection, route, settings)),
  ];
  return { cachesFactsAsYaml: routes.get('facts')?.cache === 'yaml', warnings };
}

/** As `readRoutes`, with its warnings in the log. */
export function loadRoutes(settings: Used, log: Logger): Routes {
  const routes = readRoutes(settings);
  for (const warning of routes.warnings)
    log.warn({ file: settings.routeFile, route: warning }, 'routes.yaml asks for what has no effect');
  return routes;
}

function decode(
  text: string,
  file: string,
): { readonly isAmbiguous: boolean; readonly routes: ReadonlyMap<string, Route> } {
  try {
    const document = parseYaml(text);
    const applications = document === null ? new Map<string, YamlValue>() : mapOf(document);
    const [server, master] = [applications.get('server'), applications.get('master')];
    const chosen = server ?? master;
    const routes = chosen === undefined || chosen === null ? [] : Array.from(mapOf(chosen));
    return {
      isAmbiguous: server !== undefined && master !== undefined,
      routes: new Map(routes.map(([name, route]) => [name, routeOf(mapOf(route))])),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError('bad-request', `Could not configure routes from ${file}: ${reason}`, { cause });
  }
}

function problemsOf(indirection: string, { cache, terminus }: Route, settings: Used): readonly string[] {
  const problems: string[] = [];
  if (terminus !== undefined && !isAsItIs(indirection, terminus, settings))
    problems.push(`${indirection}: terminus: ${terminus}: ${insteadOf(indirection)}`);
  if (cache !== undefined && !isKept(indirection, cache, settings))
    problems.push(`${indirection}: cache: ${cache}: it is not kept there`);
  return problems;
}

/** Whether it says what is done anyway. */
function isAsItIs(indirection: string, terminus: string, { nodeTerminus }: Used): boolean {
  switch (indirection) {
    case 'facts':
      return puppetDb.includes(terminus);
    case 'catalog':
      return terminus === 'compiler';
    case 'node':
      return terminus === nodeTerminus;
    default:
      return false;
  }
}

function isKept(indirection: string, cache: string, { storeConfigs }: Used): boolean {
  if (indirection === 'facts') return cache === 'yaml' || puppetDb.includes(cache);
  return indirection === 'catalog' && storeConfigs && puppetDb.includes(cache);
}

function insteadOf(indirection: string): string {
  switch (indirection) {
    case 'facts':
      return 'facts are kept in PuppetDB';
    case 'catalog':
      return 'catalogs are compiled';
    case 'node':
      return 'the setting node_terminus says it';
    default:
      return 'that is fixed';
  }
}

function routeOf(route: ReadonlyMap<string, YamlValue>): Route {
  return { cache: nameOf(route.get('cache')), terminus: nameOf(route.get('terminus')) };
}

function nameOf(value: YamlValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(yamlToData(value));
}

function mapOf(value: YamlValue): ReadonlyMap<string, YamlValue> {
  if (!isYamlMap(value)) throw new TypeError('it is not a hash of applications, each with a hash of routes');
  return new Map(Array.from(value, ([name, each]) => [String(name === null ? '' : yamlToData(name)), each]));
}
