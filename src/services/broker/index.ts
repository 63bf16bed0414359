/** Brokers of PXP agents, and the controller at their other end. */

export { AgentController, type LargeMessageReader } from './controller/agent-controller.ts';
export { BrokerEndpoint } from './controller/broker-endpoint.ts';
export { decodeAgentMessage } from './controller/decode-agent-message.ts';
export { BrokerThread } from './thread/broker-thread.ts';
