/** Front door of what a lone console host passes on. */

export { consoleProxyRoutes } from './routes.ts';
