/** Who changed what, when and from where. */

export { activityRoutes } from './routes.ts';
export { ActivityStore } from './store.ts';
