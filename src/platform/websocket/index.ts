/** WebSockets: accepted on a server that has read the upgrade request, or dialled. */

export { refuseUpgrade, webSocketAcceptor } from './accept.ts';
export type { WebSocketConnection, WebSocketEvents } from './connection.ts';
export { dialWebSocket } from './dial.ts';
