/** `/status/v1/simple`, from the states of services. */

import type { PlainAnswer } from './health-protocol.ts';
import { type ServiceState, worstState } from './service-status.ts';

const contentType = 'text/plain;charset=utf-8';

/** @param whileStopping - what load balancers are told of a server that stops in order; 503 when absent */
export function simpleAnswer(states: readonly ServiceState[], whileStopping: string | null): PlainAnswer {
  const state = worstState(states);
  // HAProxy ends a server's connections when it says 503, and lets them finish when it says 404.
  if (state === 'stopping' && whileStopping === '404') return { status: 404, contentType, body: state };
  return { status: states.every((each) => each === 'running') ? 200 : 503, contentType, body: state };
}

/** @param state - `undefined` for a service that is not there */
export function simpleServiceAnswer(name: string, state: ServiceState | undefined): PlainAnswer {
  if (state === undefined) return { status: 404, contentType, body: `not found: ${name}` };
  return { status: state === 'running' ? 200 : 503, contentType, body: state };
}
