/** Routes that answer 500 when an accepted body or the answer does not match the OpenAPI document. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type HttpRequest,
  type HttpResponse,
  json,
  openApiDocument,
  type Route,
} from '../../src/platform/http/index.ts';
import { type DescribedApi, type DescribedShapes, mistakesIn, shapesOf } from './described-shapes.ts';

export function checkedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.map((each) => {
    const shapes = shapesIn(each);
    if (shapes.answer === undefined && shapes.body === undefined) return each;
    return { ...each, handle: async (request) => await checked(shapes, request, await each.handle(request)) };
  });
}

function shapesIn(described: Route): DescribedShapes {
  const info = { title: 'Tested', version: '1', description: '' };
  const { paths } = openApiDocument([described], info) as unknown as DescribedApi;
  const [operation = { responses: {} }] = Object.values(paths).flatMap((methods) => Object.values(methods));
  return shapesOf(operation);
}

async function checked(
  shapes: DescribedShapes,
  request: HttpRequest,
  response: HttpResponse,
): Promise<HttpResponse> {
  if (response.status >= 300) return response;
  const sent = shapes.body === undefined ? Buffer.alloc(0) : await request.body();
  // Streams of events have no end.
  const answer = isJson(response) ? await wholeBody(response) : undefined;
  const mistakes = [
    ...mistakesOf(shapes.body, sent).map((mistake) => `body: ${mistake}`),
    ...mistakesOf(shapes.answer, answer),
  ];
  if (mistakes.length > 0)
    return json({ kind: 'misshapen', msg: `${request.method} ${request.path}: ${mistakes.join('; ')}` }, 500);
  return answer === undefined ? response : { ...response, body: answer };
}

function mistakesOf(shape: DescribedShapes['body'], bytes: Buffer | undefined): readonly string[] {
  if (shape === undefined || bytes === undefined || bytes.length === 0) return [];
  return mistakesIn(shape, JSON.parse(bytes.toString()));
}

function isJson({ headers }: HttpResponse): boolean {
  const type = headers?.['content-type'];
  return typeof type === 'string' && /json|^\*/.test(type);
}

async function wholeBody({ body = '' }: HttpResponse): Promise<Buffer> {
  if (body instanceof Readable) return await buffer(body);
  return typeof body === 'string' ? Buffer.from(body) : body;
}
