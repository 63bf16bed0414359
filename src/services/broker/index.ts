export { BrokerThread } from './thread/broker-thread.ts';
export type { BrokerThreadOptions } from './thread/thread-messages.ts';
