/** Releases of Node that no server should run in. */

/** Measured: connections that showed a client certificate, 10 kB each; 24.20.0 and 26.10.0 lose nothing. */
const leaking = new Set(['v24.21.0']);

/** @param version - as in `process.version` @returns what to tell the operator of it, if anything */
export function complaintOf(version: string): string | undefined {
  if (!leaking.has(version)) return undefined;
  return `Node ${version} loses 10 kB of memory with each connection that shows a client certificate: use 24.20.0 or a later release than ${version}`;
}
