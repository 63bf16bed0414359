/** `/console-api/v1/events`: what has changed, as server-sent events. */

import { z } from 'zod';
import { allMistakes, JsonBodies } from '../../../lib/json-body.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  type Identity,
  json,
  type Route,
  route,
  type UserIdentity,
} from '../../../platform/http/index.ts';
import { sessionText } from '../session-requests.ts';
import type { LiveHub } from './live-hub.ts';
import { mayFollow, mostTopics, permissionsFor } from './topics.ts';

const anyUser: Access = { kind: 'permission' };

const TopicsWire = z.strictObject({ topics: z.array(z.string()).max(mostTopics) });

export function liveRoutes(hub: LiveHub): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/console-api/v1/events',
      allow: anyUser,
      handle({ headers, identity, query }) {
        const user = userOf(identity);
        const topics = (query.get('topics') ?? '').split(',').filter((topic) => topic !== '');
        if (topics.length > mostTopics)
          throw badRequest(`topics: at most ${mostTopics} can be followed, not ${topics.length}`);
        checkTopics(topics, user);
        const lastId = headers['last-event-id'];
        const stream = hub.open(
          { userId: user.id, session: sessionText(headers), address: user.address },
          topics,
          typeof lastId === 'string' ? lastId : undefined,
        );
        if (stream === undefined)
          throw new ServiceError('unavailable', 'Too many pages are open', {
            details: { retryAfterSeconds: 60 },
          });
        return {
          status: 200,
          // nginx would gather events otherwise.
          headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
          body: stream.body,
        };
      },
    }),
    route({
      method: 'PUT',
      path: '/console-api/v1/events/:stream/topics',
      allow: anyUser,
      shapes: { body: TopicsWire, answer: TopicsWire },
      async handle({ body, identity, params }) {
        const user = userOf(identity);
        const stream = hub.find(params['stream'] ?? '');
        // Somebody else's stream is as unknown as one that never was.
        if (stream?.owner.userId !== user.id)
          throw new ServiceError('not-found', `There is no stream ${params['stream'] ?? ''}`, {
            kind: 'bunraku.console/unknown-stream',
          });
        const { topics } = bodies.decode(TopicsWire, await body());
        checkTopics(topics, user);
        hub.follow(stream, topics);
        return json({ topics });
      },
    }),
  ];
}

/** @throws ServiceError naming the first topic that does not exist or is not the user's to follow */
function checkTopics(topics: readonly string[], user: UserIdentity): void {
  for (const topic of topics) {
    const permissions = permissionsFor(topic);
    if (permissions === undefined) throw badRequest(`topics: ${topic} does not exist`);
    if (mayFollow(user, topic)) continue;
    const missing = permissions.map(({ action, objectType }) => `${objectType}:${action}`).join(' or ');
    throw new ServiceError(
      'forbidden',
      `${user.login} may not follow ${topic}: the permission ${missing} is missing`,
      { kind: 'puppetlabs.rbac/permission-denied' },
    );
  }
}

function userOf(identity: Identity): UserIdentity {
  if (identity.kind === 'user') return identity;
  throw new ServiceError('unauthorized', 'Route requires authentication');
}

function badRequest(message: string): ServiceError {
  return new ServiceError('bad-request', message, { kind: 'bunraku.console/bad-topics' });
}

const bodies = new JsonBodies({
  notJson: () => badRequest('The body is not JSON'),
  misshapen: (problem) => badRequest(allMistakes(problem)),
});
