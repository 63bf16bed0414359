/** `GET /console-api/v1/openapi`: all APIs that are served beside the pages, as an OpenAPI document. */

import { openApiDocument, type Route, route } from '../../platform/http/index.ts';

/** Pages, their files, and what browsers do to log in are no API. */
const isApi = /^\/[\w-]+\/v\d+(?:\/|$)/;

const description =
  'What the pages of the console ask, and every client with a token may ask, too. Shapes are named where they are checked by a schema; ' +
  'the documents of the installation say the rest. Requests with a session that change something need the header X-Bunraku-Console.';

/** @param routes - all that are served there */
export function descriptionRoute(routes: readonly Route[], version: string): Route {
  let text: string | undefined;
  const described: Route = route({
    method: 'GET',
    path: '/console-api/v1/openapi',
    allow: { kind: 'permission' },
    handle() {
      const apis = [...routes, described].filter(
        ({ path }) => isApi.test(path) && !path.startsWith('/saml/'),
      );
      text ??= JSON.stringify(openApiDocument(apis, { title: 'Bunraku', version, description }));
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: text };
    },
  });
  return described;
}
