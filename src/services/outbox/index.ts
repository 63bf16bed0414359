/** What a server has accepted from agents and not delivered yet. */

export { deliver } from './deliver.ts';
export { type Content, type Destination, type Message, namedPayload, unnamedPayload } from './message.ts';
export { Outbox } from './outbox.ts';
export { primaryDestination } from './primary-destination.ts';
export { type Delivery, type DeliveryTerminus, outboxRoutes } from './routes.ts';
export { OutboxStore, outboxMigrations } from './store.ts';
