import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  defaultLanguageSettings,
  Environment,
  type EnvironmentConfig,
  MemoryFileTree,
  ParseCache,
} from '../environment/index.ts';
import {
  ByteString,
  Float,
  inspect,
  isArray,
  isInteger,
  PuppetHash,
  parseType,
  plainText,
  type Value,
} from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import facts from './fixture/facts.json' with { type: 'json' };
import { fixtureFunctions } from './fixture/fixture-functions.ts';
import recorded from './fixture/recorded.json' with { type: 'json' };
import { Explainer, HieraLookup, LookupError, type LookupInvocation, type LookupRequest } from './index.ts';

interface RecordedRequest {
  readonly names: readonly string[];
  readonly merge?: unknown;
  readonly type?: string;
  readonly default?: unknown;
  readonly override?: Readonly<Record<string, unknown>>;
  readonly default_values?: Readonly<Record<string, unknown>>;
  readonly block?: boolean;
}
interface Recorded {
  readonly request: RecordedRequest;
  readonly value?: unknown;
  readonly error?: { readonly class: string; readonly message: string };
  readonly explain?: string;
  readonly logs?: readonly string[];
}

/** What needs the keys of eyaml, and the wording of a parser's own error. */
const notComparable: ReadonlySet<string> = new Set(['encrypted', 'opts::convert_type']);
const cases = (recorded as readonly Recorded[]).filter(
  ({ request }) => !notComparable.has(request.names.join()),
);

const config: EnvironmentConfig = {
  name: 'production',
  directory: '/environment',
  modulepath: ['/environment/modules'],
  manifest: '/environment/manifests',
  configVersion: 1,
  codeId: null,
  globalHieraConfig: '/global/hiera.yaml',
  settings: defaultLanguageSettings,
};

describe('lookups of the fixture', () => {
  const environment = fixtureEnvironment();

  test.each(cases)('$request', ({ request, value, error, explain, logs }) => {
    const log: string[] = [];
    const explainer = explain === undefined ? undefined : new Explainer();
    const lookup = new HieraLookup(environment, invocation(log, explainer));

    const outcome = outcomeOf(() => lookup.lookup(decodeRequest(request)));

    expect(outcome).toEqual(error === undefined ? { value } : { error: error.message });
    if (explain !== undefined) expect(explainer?.render()).toBe(explain);
    if (explain !== undefined) expect([...new Set(log)]).toEqual(logs ?? []);
  });
});

describe('HieraLookup', () => {
  test('gives class parameters, or nothing', () => {
    const lookup = new HieraLookup(fixtureEnvironment(), invocation([]));

    expect(lookup.lookupClassParameter('fix', 'simple')).toBe('module value');
    expect(lookup.lookupClassParameter('fix', 'missing')).toBeUndefined();
  });

  test('sees the variables of the scope that it is given', () => {
    const lookup = new HieraLookup(fixtureEnvironment(), invocation([]));
    const scope = {
      findVariable: (name: string): Value | undefined => (name === 'nope' ? 'there' : undefined),
    };

    expect(lookup.lookup({ names: ['i_unknown'] }, scope)).toBe('<><there><>');
  });

  test('takes the data of a file once for all compiles of a version', () => {
    const environment = fixtureEnvironment();

    const first = new HieraLookup(environment, invocation([])).lookup({ names: ['hash'] });
    const second = new HieraLookup(environment, invocation([])).lookup({ names: ['hash'] });

    expect(second).toBe(first);
  });

  test('confines hiera() to the global layer where the environment has no hiera.yaml', () => {
    const environment = environmentWith({ '/environment/data/common.yaml': 'a: 1' });
    const lookup = new HieraLookup(environment, invocation([]));

    expect(() => lookup.lookup({ names: ['a'], isHieraFunction: true })).toThrow('did not find a value');
  });

  test('refuses a directory in the place of a file as Ruby does, which is no failed lookup', () => {
    const files = {
      '/environment/hiera.yaml': 'version: 5\nhierarchy: [{name: a, path: role}]',
      '/environment/data/role/a.yaml': 'a: 1',
    };
    const lookup = new HieraLookup(environmentWith(files), invocation([]));

    const run = () => lookup.lookup({ names: ['a'] });

    expect(run).toThrow('Is a directory @ io_fread - /environment/data/role');
    expect(run).not.toThrow(LookupError);
  });

  test('follows two dots only through directories that exist', () => {
    const files = {
      '/environment/hiera.yaml':
        'version: 5\nhierarchy: [{name: a, paths: [x/../../other/a.yaml, role/../../other/a.yaml]}]',
      '/environment/data/role/a.yaml': '',
      '/environment/other/a.yaml': 'a: 1',
    };
    const explainer = new Explainer('data');
    const lookup = new HieraLookup(environmentWith(files), invocation([], explainer));

    expect(lookup.lookup({ names: ['a'] })).toBe(1);
    expect(explainer.render()).toContain('Path "/environment/data/role/../../other/a.yaml"');
    expect(explainer.render()).toMatch(/data\/x\/\.\..*\n.*\n *Path not found/);
  });

  test('reads the default hierarchy of the global layer without a file', () => {
    const environment = environmentWith({ '/global/data/common.yaml': 'a: 1' });

    expect(new HieraLookup(environment, invocation([])).lookup({ names: ['a'] })).toBe(1);
  });
});

describe('hiera.yaml', () => {
  test.each([
    ['version: 9', 'This runtime does not support hiera.yaml version 9 (file: /environment/hiera.yaml)'],
    [
      'version: 5\nhierarchy:\n  - name: a\n    path: x\n  - name: a\n    path: y\n',
      "Hierarchy name 'a' defined more than once. First defined at (line: 3) (file: /environment/hiera.yaml, line: 5)",
    ],
    [
      'version: 5\nhierarchy:\n  - name: a\n    path: x\n    glob: y\n',
      "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'a' (file: /environment/hiera.yaml)",
    ],
    [
      'version: 5\ndefault_hierarchy: []\n',
      "'default_hierarchy' is only allowed in the module layer (file: /environment/hiera.yaml, line: 2)",
    ],
    [
      'version: 5\nhierarchy:\n  - name: a\n    lookup_key: no::such\n',
      "Unable to find 'lookup_key' function named 'no::such' (file: /environment/hiera.yaml)",
    ],
    [
      'version: 5\nhierarchy: x\n',
      "The Lookup Configuration at '/environment/hiera.yaml' has wrong type, entry 'hierarchy'",
    ],
    ['version: 5\nhierarchy: [\n', '(/environment/hiera.yaml): did not find expected'],
  ])('%j is refused', (text, message) => {
    const lookup = new HieraLookup(environmentWith({ '/environment/hiera.yaml': text }), invocation([]));

    expect(() => lookup.lookup({ names: ['a'] })).toThrow(message);
  });

  test('of version 3 is ignored in an environment, with a warning, and refused with advice as the global one', () => {
    const log: string[] = [];
    const text = '---\n:backends: [yaml]\n';
    const local = new HieraLookup(environmentWith({ '/environment/hiera.yaml': text }), invocation(log));
    const global = new HieraLookup(environmentWith({ '/global/hiera.yaml': text }), invocation([]));

    expect(() => local.lookup({ names: ['a'] })).toThrow('did not find a value');
    expect(log.join()).toContain('hiera.yaml version 3 found at the environment root was ignored');
    expect(() => global.lookup({ names: ['a'] })).toThrow('Convert it to version 5');
  });
});

function fixtureEnvironment(): Environment {
  const root = fileURLToPath(new URL('./fixture', import.meta.url));
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map((entry): [string, string] => {
    const path = `${entry.parentPath}/${entry.name}`;
    return [path.slice(root.length), readFileSync(path, 'utf8')];
  });
  return environmentWith(Object.fromEntries(files));
}

function environmentWith(files: Readonly<Record<string, string>>): Environment {
  return new Environment(config, new MemoryFileTree(files), new ParseCache());
}

function invocation(log: string[], explainer?: Explainer): LookupInvocation {
  const warned = new Set<string>();
  const variables = new Map<string, Value>([
    ['facts', toValue(facts)],
    ['trusted', toValue({ certname: 'fix.example.com' })],
    ['environment', 'production'],
    ...Object.entries(facts).map(([name, value]): [string, Value] => [name, toValue(value)]),
  ]);
  return {
    findVariable: (name) => variables.get(name.replace(/^::/, '')),
    callFunction: (name, args) => fixtureFunctions.get(name)?.(args) ?? null,
    callBackend: (name, args) => fixtureFunctions.get(name)?.(args) ?? null,
    isFunctionKnown: (name) => fixtureFunctions.has(name),
    returnTypesOf: () => [],
    resolveType: parseType,
    log: (level, message) => log.push(`${level}: ${message}`),
    warnOnce: (key, message) => {
      if (!warned.has(key)) log.push(`warning: ${message}`);
      warned.add(key);
    },
    ...(explainer === undefined ? {} : { explainer }),
  };
}

function decodeRequest(request: RecordedRequest): LookupRequest {
  const { names, merge, type, override, default_values: defaults } = request;
  return {
    names,
    ...(merge === undefined ? {} : { merge: toValue(merge) }),
    ...(type === undefined ? {} : { valueType: parseType(type) }),
    ...('default' in request ? { defaultValue: toValue(request.default) } : {}),
    ...(override === undefined ? {} : { override: toHash(override) }),
    ...(defaults === undefined ? {} : { defaultValuesHash: toHash(defaults) }),
    ...(request.block === true ? { block: { call: ([name = null]) => `block ${plainText(name)}` } } : {}),
  };
}

function outcomeOf(run: () => Value): unknown {
  try {
    return { value: plain(run()) };
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.message };
    throw error;
  }
}

function toHash(data: Readonly<Record<string, unknown>>): PuppetHash {
  return new PuppetHash(Object.entries(data).map(([key, item]) => [key, toValue(item)] as const));
}

function toValue(data: unknown): Value {
  if (Array.isArray(data)) return data.map(toValue);
  if (typeof data === 'object' && data !== null) return toHash(data as Record<string, unknown>);
  return data as Value;
}

function plain(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (isInteger(value)) return { integer: String(value) };
  if (value instanceof Float) return { float: inspect(value) };
  if (isArray(value)) return value.map(plain);
  if (value instanceof PuppetHash)
    return { map: Array.from(value, ([key, item]) => [plain(key), plain(item)]) };
  // Ruby has no other type for it than String.
  if (value instanceof ByteString) return value.toString();
  return { other: plainText(value) };
}
