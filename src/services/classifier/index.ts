/** Groups of nodes, and what nodes get from them. */

export { CheckInQueue } from './check-ins/check-in-queue.ts';
export { sendCheckIns } from './check-ins/remote-check-ins.ts';
export { checkInRoutes, receiveCheckInsRoute } from './check-ins/routes.ts';
export { CheckInStore } from './check-ins/store.ts';
export { ClassList, type ServedManifests } from './classes/class-list.ts';
export { classRoutes } from './classes/class-routes.ts';
export { readClasses } from './classes/read-classes.ts';
export { LocalClassifiedNodes, RemoteClassifiedNodes } from './classified-nodes.ts';
export { Classifier } from './classifier.ts';
export type { CompileServersTerminus } from './compile-server-class.ts';
export { isEntitled } from './entitlement.ts';
export { givingGroups } from './giving-groups.ts';
export { changingActions } from './group-rights.ts';
export { decodeChanges } from './group-wire.ts';
export { type GroupsCopy, HierarchyFollower } from './hierarchy-follower.ts';
export { hierarchyRoute } from './hierarchy-route.ts';
export { InfrastructureValues } from './infrastructure-classes.ts';
export { type KnownNodes, storedNode } from './known-nodes.ts';
export { compilersName, formerCompilersName, mastersName } from './preconfigured-groups.ts';
export { previewNodes } from './preview.ts';
export { classifiedRoute, classifierRoutes } from './routes.ts';
export { type Query as NodesQuery, translateRule } from './rule-translation.ts';
export { classifierMigrations, GroupStore } from './store.ts';
