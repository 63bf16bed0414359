/** What classes there are, for whoever makes groups. */

import { type Access, type HttpResponse, type Route, route } from '../../../platform/http/index.ts';
import { json } from '../json-answer.ts';
import { prefix } from '../paths.ts';
import type { ClassList } from './class-list.ts';

/** @see PE, "Classes endpoint", "Environments endpoint", "Update classes endpoint", "Last class update endpoint" */
export function classRoutes(
  list: ClassList,
  { modify, view }: { readonly view: Access; readonly modify: Access },
): readonly Route[] {
  const environment = `${prefix}/environments/:environment`;
  return [
    get(`${prefix}/classes`, view, async () => json(await list.classes())),
    get(`${prefix}/environments`, view, async () => json((await list.environments()).map(renderEnvironment))),
    get(environment, view, async ({ environment: name }) => {
      const found = (await list.environments()).find((each) => each.name === name);
      return found === undefined ? notFound : json(renderEnvironment(found));
    }),
    get(`${environment}/classes`, view, async ({ environment: name }) => json(await list.classes(name))),
    get(`${environment}/classes/:class`, view, async ({ class: wanted, environment: name }) => {
      const found = (await list.classes(name)).find((each) => each.name === wanted);
      return found === undefined ? notFound : json(found);
    }),
    get(`${prefix}/last-class-update`, view, () =>
      json({ last_update: list.lastUpdate?.toISOString() ?? null }),
    ),
    route({
      method: 'POST',
      path: `${prefix}/update-classes`,
      allow: modify,
      async handle() {
        await list.update();
        return { status: 201 };
      },
    }),
  ];
}

type Params = Readonly<Record<string, string>>;

function get(
  path: string,
  allow: Access,
  answer: (params: Params) => HttpResponse | Promise<HttpResponse>,
): Route {
  return route({ method: 'GET', path, allow, handle: ({ params }) => answer(params) });
}

const notFound: HttpResponse = { status: 404 };

function renderEnvironment({ isWhole, name }: { readonly name: string; readonly isWhole: boolean }) {
  return { name, sync_succeeded: isWhole };
}
