export type { MessageSink } from './message.ts';
export { Outbox } from './outbox.ts';
export { outboxRoutes } from './routes.ts';
export { OutboxStore, outboxMigrations } from './store.ts';
