/** Directories: the only one as `ds`, several as `ldap`. */

import { type Access, type HttpResponse, json, type Route, route } from '../../../platform/http/index.ts';
import { actorOf, noContent, parameter } from '../actor.ts';
import { type NewId, NewIdWire } from '../answers/wire.ts';
import { rbacError } from '../rbac-error.ts';
import { decodeBody } from '../wire.ts';
import {
  DirectoriesWire,
  DirectoryAnswerWire,
  type DirectoryTest,
  DirectoryTestWire,
  OnlyDirectoryWire,
} from './answers/wire.ts';
import { type Directories, demandEdit, type TestRun } from './directories.ts';
import {
  asksToDisconnect,
  DirectoryIdWire,
  DirectoryWire,
  OnlyDirectoryBodyWire,
  renderDirectory,
  renderSettings,
} from './directory-wire.ts';

const ds = '/rbac-api/v1/ds';
const command = '/rbac-api/v1/command/ldap';

export function directoryRoutes(directories: Directories, allow: Access): readonly Route[] {
  return [
    ...onlyDirectoryRoutes(directories, allow),
    ...listRoutes(directories, allow),
    ...commandRoutes(directories, allow),
  ];
}

function onlyDirectoryRoutes(directories: Directories, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: ds,
      allow,
      shapes: { answer: OnlyDirectoryWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        const directory = await directories.only();
        return json(directory === undefined ? {} : renderSettings(directory.settings));
      },
    }),
    route({
      method: 'PUT',
      path: ds,
      allow,
      shapes: { body: OnlyDirectoryBodyWire, answer: OnlyDirectoryWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        const bytes = await body();
        if (asksToDisconnect(bytes)) {
          await directories.disconnectOnly(actor);
          return json({});
        }
        const { submitted } = decodeBody(DirectoryWire, bytes);
        return json(renderSettings((await directories.replaceOnly(submitted, actor)).settings));
      },
    }),
    route({
      method: 'GET',
      path: `${ds}/test`,
      allow,
      shapes: { answer: DirectoryTestWire },
      async handle({ identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const directory = await directories.only();
        if (directory === undefined)
          throw rbacError('bad-request', 'directory-not-configured', 'No directory is connected');
        return tested(await directories.testStored(directory, actor));
      },
    }),
    route({
      method: 'PUT',
      path: `${ds}/test`,
      allow,
      shapes: { body: DirectoryWire, answer: DirectoryTestWire },
      async handle({ body, identity }) {
        const { submitted } = decodeBody(DirectoryWire, await body());
        return tested(await directories.test(submitted, await directories.only(), actorOf(identity)));
      },
    }),
  ];
}

function listRoutes(directories: Directories, allow: Access): readonly Route[] {
  const list = (path: string) =>
    route({
      method: 'GET',
      path,
      allow,
      shapes: { answer: DirectoriesWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        return json((await directories.connected()).map(renderDirectory));
      },
    });
  return [
    list('/rbac-api/v2/ds'),
    list('/rbac-api/v2/ldap'),
    route({
      method: 'GET',
      path: '/rbac-api/v2/ldap/:id',
      allow,
      shapes: { answer: DirectoryAnswerWire },
      async handle(request) {
        demandEdit(actorOf(request.identity));
        return json(renderDirectory(await directories.get(parameter(request, 'id'))));
      },
    }),
  ];
}

function commandRoutes(directories: Directories, allow: Access): readonly Route[] {
  const named = async (id: string | undefined) => {
    if (id !== undefined) return await directories.get(id);
    const directory = await directories.only();
    if (directory === undefined)
      throw rbacError('bad-request', 'directory-not-configured', 'No directory is connected');
    return directory;
  };
  return [
    route({
      method: 'POST',
      path: `${command}/create`,
      allow,
      shapes: { body: DirectoryWire, answer: NewIdWire },
      async handle({ body, identity }) {
        const { submitted } = decodeBody(DirectoryWire, await body());
        const { id } = await directories.create(submitted, actorOf(identity));
        return json({ id } satisfies NewId);
      },
    }),
    route({
      method: 'POST',
      path: `${command}/update`,
      allow,
      shapes: { body: DirectoryWire, answer: DirectoryAnswerWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        const { id, submitted } = decodeBody(DirectoryWire, await body());
        demandEdit(actor);
        return json(renderDirectory(await directories.update((await named(id)).id, submitted, actor)));
      },
    }),
    route({
      method: 'POST',
      path: `${command}/delete`,
      allow,
      shapes: { body: DirectoryIdWire },
      async handle({ body, identity }) {
        await directories.remove(decodeBody(DirectoryIdWire, await body()).id, actorOf(identity));
        return noContent;
      },
    }),
    route({
      method: 'POST',
      path: `${command}/test`,
      allow,
      shapes: { body: DirectoryWire, answer: DirectoryTestWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        const { id, submitted } = decodeBody(DirectoryWire, await body());
        demandEdit(actor);
        const stored = id === undefined ? undefined : await named(id);
        return tested(await directories.test(submitted, stored, actor));
      },
    }),
  ];
}

function tested({ elapsedMs: elapsed, error }: TestRun): HttpResponse {
  return error === undefined ? json({ elapsed } satisfies DirectoryTest) : json({ elapsed, error }, 400);
}
