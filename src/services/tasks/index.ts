/** Tasks and plans of environments, and the files that a task needs. */

export { tasksRoutes } from './routes.ts';
export { TaskCatalogue } from './task-catalogue.ts';
