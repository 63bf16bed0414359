/** `GET /puppet/v3/environments` */

import { json, type Route, route } from '../../platform/http/index.ts';
import type { ServedEnvironment } from './served-environment.ts';

/**
 * @param environmentPath - the logical directories of environments
 * @param live - the environments as they are served now
 */
export function environmentRoutes(
  environmentPath: readonly string[],
  live: () => readonly ServedEnvironment[],
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/puppet/v3/environments',
      allow: { kind: 'rules' },
      handle: () =>
        json({
          search_paths: environmentPath.map((directory) => `file://${directory}`),
          environments: Object.fromEntries(
            live().map((environment) => [environment.config.name, render(environment)]),
          ),
        }),
    }),
  ];
}

function render(environment: ServedEnvironment) {
  const { config, environmentTimeout, configVersionCommand } = environment;
  return {
    settings: {
      modulepath: config.modulepath,
      manifest: config.manifest,
      environment_timeout: environmentTimeout,
      config_version: configVersionCommand,
    },
  };
}
