/** The console: pages for browsers, their sessions, and what only pages ask for. */

export { BuiltConsole } from './built-console.ts';
export { type CodeSource, codeRoutes } from './code/code-routes.ts';
export { exportRoutes } from './exports/export-routes.ts';
export type { FleetSource } from './inspect/fleet-source.ts';
export { inspectRoutes } from './inspect/inspect-routes.ts';
export { PackageCounts } from './inspect/package-counts.ts';
export { LiveHub } from './live/live-hub.ts';
export { liveRoutes } from './live/live-routes.ts';
export { LiveWatch } from './live/live-watch.ts';
export { tellOfNodes } from './live/node-news.ts';
export { TopicWatch, type WatchedTopic } from './live/watched-topics.ts';
export { NodeLists } from './nodes/node-list.ts';
export { nodeRoutes } from './nodes/node-routes.ts';
export type { NodeSource } from './nodes/node-source.ts';
export { preferenceRoutes } from './preferences/preference-routes.ts';
export { PreferenceStore, preferenceMigrations } from './preferences/preference-store.ts';
export { consoleRoutes } from './routes.ts';
export { securityHeaders } from './security-headers.ts';
export { sessionAuthenticator } from './session-requests.ts';
export type { ConsoleSessions } from './sessions.ts';
export { settingsRoute } from './settings-route.ts';
export { SavedViews } from './views/saved-views.ts';
export { consoleMigrations, ViewStore } from './views/store.ts';
export { viewRoutes } from './views/view-routes.ts';
export { whyRoute } from './why/why-routes.ts';
export type { WhySource } from './why/why-source.ts';
