/** Functions that read what the server has: files, variables of its environment, PuppetDB. */

import { isArray, PuppetHash, plainText, textOf, type Value } from '../../pcore/index.ts';
import { jsonOfData, valueOfJson } from '../plan-data.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { findModulePath, getModulePath } from './module-path.ts';

const FILE = [{ type: 'String[1]', name: 'filename' }] as const;

function isThere(name: 'file::exists' | 'file::readable'): PlanFunction {
  return ({ environment }) => ({
    name,
    dispatches: [
      {
        parameters: FILE,
        returns: 'Boolean',
        call: (_context, [file = '']) => findModulePath(String(file), environment) !== undefined,
      },
    ],
  });
}

const readFile: PlanFunction = ({ environment, run }) => ({
  name: 'file::read',
  dispatches: [
    {
      parameters: FILE,
      returns: 'String',
      call: (context, [file = '']) => {
        const path = getModulePath(String(file), environment, context.position);
        return run.once(() => environment.files.readText(path) ?? '');
      },
    },
  ],
});

const joinPaths: PlanFunction = () => ({
  name: 'file::join',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'paths', arity: 'required-repeated' }],
      returns: 'String',
      call: (_context, paths) =>
        paths
          .map((path) => textOf(path) ?? '')
          .join('/')
          .replace(/\/{2,}/g, '/'),
    },
  ],
});

const children: PlanFunction = ({ environment, run }) => ({
  name: 'dir::children',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'dirname' }],
      returns: 'Array',
      call: (context, [name = '']) => {
        const [module = '', ...rest] = String(name).split('/');
        const directory = environment.modules.get(module)?.directory;
        const path =
          directory === undefined
            ? getModulePath(String(name), environment, context.position)
            : [directory, ...rest].join('/');
        return run.once(() => (environment.files.list(path) ?? []).map((entry) => entry.name).toSorted());
      },
    },
  ],
});

const environmentVariable: PlanFunction = ({ host, run }) => ({
  name: 'system::env',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'name' }],
      returns: 'Optional[String]',
      call: (_context, [name = '']) => run.once(() => host.environmentVariable(String(name))) ?? null,
    },
  ],
});

function query(world: PlanWorld, what: Value): Value {
  return valueOfJson(world.run.once(() => world.host.queryPuppetdb(jsonOfData(what))));
}

const puppetdbQuery: PlanFunction = (world) => ({
  name: 'puppetdb_query',
  dispatches: [
    {
      parameters: [{ type: 'Variant[String, Array[Data]]', name: 'query' }],
      returns: 'Array[Data]',
      call: (_context, [what = null]) => query(world, what),
    },
  ],
});

const puppetdbFact: PlanFunction = (world) => ({
  name: 'puppetdb_fact',
  dispatches: [
    {
      parameters: [{ type: 'Array[String]', name: 'certnames' }],
      returns: 'Hash[String, Data]',
      call: (_context, [names = []]) => {
        if (!isArray(names) || names.length === 0) return new PuppetHash();
        const certnames = [...new Set(names.map(plainText))];
        const found = query(world, [
          'from',
          'inventory',
          ['extract', ['certname', 'facts'], ['or', ...certnames.map((name) => ['=', 'certname', name])]],
        ]);
        const rows = isArray(found) ? found.filter((row) => row instanceof PuppetHash) : [];
        return new PuppetHash(
          rows.map((row) => [row.get('certname') ?? '', row.get('facts') ?? null] as const),
        );
      },
    },
  ],
});

export const serverFunctions: readonly PlanFunction[] = [
  isThere('file::exists'),
  isThere('file::readable'),
  readFile,
  joinPaths,
  children,
  environmentVariable,
  puppetdbQuery,
  puppetdbFact,
];
