/** The classes of environments, for clients that edit groups. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, type HttpResponse, json, type Route, route } from '../../../platform/http/index.ts';
import { type ClassAnswer, ClassesWire, EnvironmentsWire } from '../answers/wire.ts';
import { prefix } from '../paths.ts';
import type { ClassList, ListedClass } from './class-list.ts';

/** Environments that somebody has told of. */
interface DeclaredEnvironments {
  environments(): Promise<readonly string[]>;
  declareEnvironment(name: string): Promise<void>;
}

/** @see PE, "Classes endpoint", "Environments endpoint", "Update classes endpoint", "Last class update endpoint" */
export function classRoutes(
  list: ClassList,
  { modify, view }: { readonly view: Access; readonly modify: Access },
  declared: DeclaredEnvironments,
): readonly Route[] {
  const environments = () => allEnvironments(list, declared);
  const environment = `${prefix}/environments/:environment`;
  return [
    get(`${prefix}/classes`, view, async (_, query) => json(rendered(await list.classes(), query))),
    route({
      ...get(`${prefix}/environments`, view, async () => json((await environments()).map(renderEnvironment))),
      shapes: { answer: EnvironmentsWire },
    }),
    get(environment, view, async ({ environment: name }) => {
      const found = (await environments()).find((each) => each.name === name);
      return found === undefined ? notFound : json(renderEnvironment(found));
    }),
    route({
      method: 'PUT',
      path: environment,
      allow: modify,
      async handle({ params }) {
        const name = environmentName(params['environment'] ?? '');
        const known = (await environments()).find((each) => each.name === name);
        if (known !== undefined) return json(renderEnvironment(known));
        await declared.declareEnvironment(name);
        return json(renderEnvironment({ name, isWhole: false }), 201);
      },
    }),
    route({
      ...get(`${environment}/classes`, view, async ({ environment: name }, query) =>
        json(rendered(await list.classes(name), query)),
      ),
      shapes: { answer: ClassesWire },
    }),
    get(`${environment}/classes/:class`, view, async ({ class: wanted, environment: name }, query) => {
      const [found] = rendered(
        (await list.classes(name)).filter((each) => each.name === wanted),
        query,
      );
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

/** Puppet Enterprise's answer; comments and types with `?details=true`. */
function rendered(classes: readonly ListedClass[], query: URLSearchParams): readonly ClassAnswer[] {
  if (query.get('details') === 'true') return classes;
  return classes.map((each) => {
    const { details: _, ...rest } = each;
    return rest;
  });
}

/** Those that are served, and those that are only known by name. */
async function allEnvironments(list: ClassList, declared: DeclaredEnvironments) {
  const served = await list.environments();
  const names = new Set(served.map(({ name }) => name));
  const others = (await declared.environments()).filter((name) => !names.has(name));
  return [...served, ...others.map((name) => ({ name, isWhole: false }))].sort((a, b) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  );
}

/** @throws ServiceError `bad-request` for what no environment can be called */
function environmentName(name: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return name;
  throw new ServiceError('bad-request', `"${name}" is not a valid name of an environment.`, {
    kind: 'schema-violation',
    details: { submitted: name },
  });
}

type Params = Readonly<Record<string, string>>;

function get(
  path: string,
  allow: Access,
  answer: (params: Params, query: URLSearchParams) => HttpResponse | Promise<HttpResponse>,
): Route {
  return route({ method: 'GET', path, allow, handle: ({ params, query }) => answer(params, query) });
}

const notFound: HttpResponse = { status: 404 };

function renderEnvironment({ isWhole, name }: { readonly name: string; readonly isWhole: boolean }) {
  return { name, sync_succeeded: isWhole };
}
