export { EnvironmentRegistry } from './environment-registry.ts';
export { environmentRoutes } from './routes.ts';
export type { CodeLocation, EnvironmentOptions, ServedEnvironment } from './served-environment.ts';
