export { AgentController } from './controller/agent-controller.ts';
export { BrokerEndpoint } from './controller/broker-endpoint.ts';
export { BrokerThread } from './thread/broker-thread.ts';
