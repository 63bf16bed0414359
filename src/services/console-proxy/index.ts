/** Front door of the proxy on a separate console host. */

export { consolePageRoutes } from './page-routes.ts';
export { consoleProxyRoutes } from './routes.ts';
