/** Commands and queries of PuppetDB. */

import { PatternError } from '../../src/lib/posix-pattern/pattern-error.ts';
import { PosixPattern } from '../../src/lib/posix-pattern/posix-pattern.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { decodedPath } from '../../src/platform/http/request-path.ts';
import { BadCommand } from '../../src/services/puppetdb/commands/bad-command.ts';
import { decodeCommand } from '../../src/services/puppetdb/commands/decode-command.ts';
import { headOf } from '../../src/services/puppetdb/commands/submission.ts';
import { readAdminCommand } from '../../src/services/puppetdb/http/admin-command.ts';
import { readCommandParameters, readOldForm } from '../../src/services/puppetdb/http/command-forms.ts';
import { readParameters, rowNames } from '../../src/services/puppetdb/http/query-parameters.ts';
import { readQueryPath } from '../../src/services/puppetdb/http/query-path.ts';
import { parsePql } from '../../src/services/puppetdb/pql/parse-pql.ts';
import { type Clause, isClause } from '../../src/services/puppetdb/query/ast.ts';
import { QueryCompiler } from '../../src/services/puppetdb/query/compile-query.ts';
import { entitiesOf } from '../../src/services/puppetdb/query/entities/index.ts';
import { postgresQueryDialect } from '../../src/services/puppetdb/query/postgres-query-dialect.ts';
import { QueryError } from '../../src/services/puppetdb/query/query-error.ts';
import { sqliteQueryDialect } from '../../src/services/puppetdb/query/sqlite-query-dialect.ts';
import type { Parser } from './fuzz.ts';
import { astWords, jsonWords, pathWords, patternWords, pqlWords } from './words.ts';

const time = '2026-11-24T00:00:00.000Z';
const payloads = {
  'replace facts': `{"certname":"a","environment":"p","producer_timestamp":"${time}","producer":"m","values":{"a":{"b":[1,2.50]},"c":null},"package_inventory":[["a","1","apt"]]}`,
  'replace catalog': `{"certname":"a","version":"1","environment":"p","transaction_uuid":null,"catalog_uuid":null,"code_id":null,"producer_timestamp":"${time}","producer":"m","edges":[{"source":{"type":"Class","title":"main"},"target":{"type":"File","title":"/a"},"relationship":"contains"}],"resources":[{"type":"Class","title":"main","tags":["class"],"exported":false,"parameters":{}},{"type":"File","title":"/a","tags":[],"exported":true,"file":"x","line":1,"parameters":{"mode":"0644"}}]}`,
  'store report': `{"certname":"a","puppet_version":"7","report_format":12,"configuration_version":"1","start_time":"${time}","end_time":"${time}","producer_timestamp":"${time}","producer":"m","environment":"p","status":"changed","noop":false,"noop_pending":false,"corrective_change":null,"transaction_uuid":"u","catalog_uuid":null,"code_id":null,"job_id":null,"cached_catalog_status":"not_used","type":"agent","metrics":[{"category":"a","name":"b","value":1}],"logs":[{"level":"info","message":"m","source":"s","tags":[],"time":"${time}","file":null,"line":null}],"resources":[{"resource_type":"File","resource_title":"/a","file":null,"line":null,"containment_path":[],"skipped":false,"timestamp":"${time}","corrective_change":null,"events":[{"status":"success","timestamp":"${time}","property":"p","name":"n","new_value":"1","old_value":null,"message":"m","corrective_change":null}]}]}`,
  'deactivate node': `{"certname":"a","producer_timestamp":"${time}"}`,
  'configure expiration': `{"certname":"a","expire":{"facts":true},"producer_timestamp":"${time}"}`,
} as const;
const versions = {
  'replace facts': 5,
  'replace catalog': 9,
  'store report': 8,
  'deactivate node': 3,
  'configure expiration': 1,
} as const;

const compilers = [sqliteQueryDialect(), postgresQueryDialect()].map((dialect) => {
  const entities = entitiesOf(dialect);
  return { entities, compiler: new QueryCompiler(entities, dialect) };
});

const call = {
  method: 'GET',
  path: '/pdb/query/v4',
  search: '',
  body: undefined,
  accept: undefined,
  contentType: undefined,
  host: 'x',
};

function text(input: Buffer): string {
  return input.toString('utf8');
}

function command(name: keyof typeof payloads): Parser {
  return {
    name: `command: ${name}`,
    isJson: true,
    seeds: [payloads[name]],
    words: jsonWords,
    refusals: [BadCommand],
    parse(input) {
      const head = headOf({ command: name, version: versions[name], certname: 'a', payload: input });
      return decodeCommand({ id: 'id', ...head, payload: input }, time);
    },
  };
}

const entityNames = ['nodes', 'facts', 'resources', 'reports', 'inventory'];

/** What a query becomes for one of the databases, of one entity. @param choice - which of them */
function compile(query: Clause, choice: number): void {
  const { compiler, entities } = compilers[choice % compilers.length] ?? {};
  const entity = entities?.get(entityNames[choice % entityNames.length] ?? '');
  if (entity === undefined) throw new Error('no such entity');
  compiler?.compile({ entity, query, paging: {} });
}

export const puppetDbParsers: readonly Parser[] = [
  ...(Object.keys(payloads) as (keyof typeof payloads)[]).map(command),
  {
    name: 'parameters of a command',
    seeds: [`command=replace_facts&version=5&certname=a&producer-timestamp=${time}`],
    words: [...pathWords, 'command=', 'version=', 'certname=', 'producer-timestamp='],
    refusals: [ServiceError],
    parse: (input) => readCommandParameters(new URLSearchParams(text(input))),
  },
  {
    name: 'command in the old form',
    isJson: true,
    seeds: [
      `{"command":"replace facts","version":5,"payload":${payloads['replace facts']}}`,
      '{"command":{"toString":1},"version":5,"payload":{"certname":"a"}}',
    ],
    words: jsonWords,
    refusals: [ServiceError, BadCommand],
    parse: (input) => decodeCommand({ id: 'id', ...readOldForm(input) }, time),
  },
  {
    name: 'administrative command',
    isJson: true,
    seeds: ['{"command":"clean","version":1,"payload":["expire_nodes",["purge_nodes",{"batch_limit":5}]]}'],
    words: jsonWords,
    refusals: [QueryError, ServiceError],
    parse: (input) => readAdminCommand(text(input)),
  },
  {
    name: 'path of a query',
    seeds: [
      '/nodes/a/facts/os',
      '/resources/File/%2Fetc%2Fmotd',
      '/reports/abc/logs',
      '/fact-contents',
      '/event-counts',
    ],
    words: [...pathWords, '/nodes', '/facts', '/environments/', '/factsets'],
    refusals: [QueryError],
    // The server refuses others before it looks for their route.
    parse: (input) => (decodedPath(text(input)) === undefined ? undefined : readQueryPath(text(input))),
  },
  {
    name: 'PQL',
    seeds: [
      'nodes[certname, count()] { facts.os.family = "Debian" and certname ~ "^web" group by certname }',
      'inventory { resources { type = "Class" and title in ["A", \'B\'] } or not facts.a.b[0] is null }',
      'facts[name, value] { certname in nodes[certname] { report_timestamp > "2026-11-24" } }',
      'nodes { certname ~ "a" order by certname desc limit 5 offset 1 }',
      'reports { latest_report? = true and (status = "failed" or noop = false) }',
    ],
    words: pqlWords,
    refusals: [QueryError],
    parse: (input) => parsePql(text(input)),
  },
  {
    name: 'AST query',
    isJson: true,
    seeds: [
      '["and",["=","certname","a"],["not",["~","certname","D.*"]]]',
      '["and",["=",["fact","os"],"a"],["~",["fact","os"],"D.*"]]',
      '["extract",["certname",["function","count"]],["in","certname",["extract","certname",["select_facts",["=","name","x"]]]],["group_by","certname"]]',
      '["in","certname",["from","resources",["extract","certname",["and",["=","type","Class"],["=",["parameter","y"],1]]]]]',
      '["subquery","facts",["or",["null?","environment",true],["not",["<","value",3]]]]',
    ],
    words: astWords,
    refusals: [QueryError],
    parse(input) {
      const parameters = readParameters(
        { ...call, method: 'POST', body: Buffer.from(`{"query":${text(input)}}`) },
        { optional: rowNames },
      );
      const query = parameters.get('query');
      if (isClause(query)) compile(query, input.length);
    },
  },
  {
    name: 'parameters of a query',
    seeds: [
      'query=["=","certname","a"]&limit=5&offset=1&order_by=[{"field":"certname","order":"desc"}]&include_total=true&pretty=true',
    ],
    words: [...pathWords, ...astWords, 'limit=', 'order_by=', 'query='],
    refusals: [QueryError],
    parse: (input) => readParameters({ ...call, search: text(input) }, { optional: rowNames }),
  },
  {
    name: 'regular expression of a query',
    seeds: ['(.*a){25}$', '^[[:alpha:]]+(web|db)\\d{1,3}\\.example$', '(?i)x|\\mword\\M'],
    words: patternWords,
    refusals: [PatternError],
    parse(input) {
      const pattern = new PosixPattern(text(input));
      for (const value of ['web01.example', 'a'.repeat(500)]) pattern.test(value);
    },
  },
];
