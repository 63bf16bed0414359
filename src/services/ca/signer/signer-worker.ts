/** The signing process of a server that starts it by itself: it ends with the connection, which is the server. */

import { Socket } from 'node:net';
import { serveSigner } from './serve-signer.ts';

const [, , caDir = ''] = process.argv;
const socket = new Socket({ fd: 3, readable: true, writable: true });
socket.on('close', () => process.exit());
// What the group of a terminal or of a service is told is for the server, which says so by leaving.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
serveSigner(socket, caDir);
