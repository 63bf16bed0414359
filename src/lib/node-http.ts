/**
 * `node:http`, whose types come from there. What imports it gets all of its exports read, and one of them (`WebSocket`) loads
 * a client for the web: 36 ms of the processor at the start of each process and thread, and it is not used.
 */

export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
