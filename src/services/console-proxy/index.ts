/** Front door of the proxy on a separate console host. */

export { consoleProxyRoutes } from './routes.ts';
