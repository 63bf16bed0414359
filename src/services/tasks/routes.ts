/** `GET /puppet/v3/tasks`, `/plans` and one of each: decode, call, encode. */

import { ServiceError } from '../../lib/service-error.ts';
import { type HttpResponse, json, type Route, route } from '../../platform/http/index.ts';
import { environmentParameter } from '../../platform/indirection/index.ts';
import type { TaskAnswer, TaskCatalogue, TaskDetails } from './task-catalogue.ts';
import { fullName } from './task-sources.ts';

export function tasksRoutes(catalogue: TaskCatalogue): readonly Route[] {
  const get = (path: string, handle: Route['handle']) =>
    route({ method: 'GET', path, allow: { kind: 'rules' }, handle: refusingInText(handle) });
  return [
    get('/puppet/v3/tasks', async ({ query }) => {
      const environment = environmentParameter(query);
      const tasks = await catalogue.tasks(environment);
      if (tasks === undefined) return missing(`environment '${environment}'`);
      return json(
        tasks.map(({ metadata, name }) => ({
          name,
          private: metadata['private'] ?? false,
          description: metadata['description'] ?? '',
          environment: [{ name: environment, code_id: null }],
        })),
      );
    }),
    get('/puppet/v3/tasks/:module/:name', async ({ params, query }) => {
      const { module = '', name = '' } = params;
      const environment = environmentParameter(query);
      const answer = await catalogue.task(environment, fullName(module, name));
      return respond(answer, { environment, module, item: `task '${name}'` }, encodeTask);
    }),
    get('/puppet/v3/plans', async ({ query }) => {
      const environment = environmentParameter(query);
      const plans = await catalogue.plans(environment);
      if (plans === undefined) return missing(`environment '${environment}'`);
      return json(plans.map((name) => ({ name, environment: [{ name: environment, code_id: null }] })));
    }),
    get('/puppet/v3/plans/:module/:name', async ({ params, query }) => {
      const { module = '', name = '' } = params;
      const environment = environmentParameter(query);
      const answer = await catalogue.plan(environment, fullName(module, name));
      return respond(answer, { environment, module, item: `plan '${name}'` }, (found) => ({
        metadata: {},
        name: found,
      }));
    }),
  ];
}

/** Puppet Server answers a wrong parameter in plain text here. */
function refusingInText(handle: Route['handle']): Route['handle'] {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.reason !== 'bad-request') throw error;
      return { status: 400, headers: { 'content-type': 'text/plain;charset=utf-8' }, body: error.message };
    }
  };
}

/** The texts are the reference's. */
function respond<T>(
  answer: TaskAnswer<T>,
  names: { readonly environment: string; readonly module: string; readonly item: string },
  encode: (value: T) => unknown,
): HttpResponse {
  switch (answer.kind) {
    case 'found':
      return json(encode(answer.value));
    case 'invalid': {
      const { details, kind, message } = answer.issue;
      return json({ kind, msg: message, details }, 500);
    }
    case 'no-environment':
      return missing(`environment '${names.environment}'`);
    case 'no-module':
      return missing(`module '${names.module}'`);
    case 'not-in-module':
      return missing(names.item);
  }
}

function missing(what: string): HttpResponse {
  return { status: 404, body: `Could not find ${what}` };
}

function encodeTask({ files, metadata, name }: TaskDetails) {
  return {
    metadata,
    name,
    files: files.map(({ filename, sha256, sizeBytes, uri }) => ({
      filename,
      sha256,
      size_bytes: sizeBytes,
      uri,
    })),
  };
}
