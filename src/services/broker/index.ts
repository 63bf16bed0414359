export { BrokerThread } from './thread/broker-thread.ts';
