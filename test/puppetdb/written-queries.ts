/** Queries written by hand for the comparison with a real PuppetDB, bad ones included. */

import type { Json } from '../../src/lib/json.ts';

export const certname: Json = ['=', 'certname', 'exp1.bench.test'];

/** A path with its parameters, encoded. */
export function query(entity: string, clause: Json, more: Readonly<Record<string, Json>> = {}): string {
  const parameters = new URLSearchParams({ query: JSON.stringify(clause) });
  for (const [name, value] of Object.entries(more)) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return `/pdb/query/v4/${entity}?${parameters}`;
}

function pql(text: string): string {
  return `/pdb/query/v4?${new URLSearchParams({ query: text })}`;
}

export function writtenQueries(): readonly string[] {
  return [
    ...byPath(),
    ...ofProbe(),
    ...extracts(),
    ...subqueries(),
    ...counts(),
    ...bad(),
    ...nestedValues(),
    ...badParameters(),
    ...pqlQueries().map(pql),
  ];
}

/** Whose keys are ordered differently from answer to answer. */
function ofProbe(): readonly string[] {
  const probe: Json = ['=', 'certname', 'probe.test'];
  const entities = [
    'facts',
    'factsets',
    'inventory',
    'resources',
    'catalogs',
    'edges',
    'events',
    'reports',
    'catalog-inputs',
  ];
  const extracted: readonly (readonly [string, readonly Json[]])[] = [
    ['facts', ['value', 'name']],
    ['resources', ['parameters', 'title', 'parameters.big']],
    ['inventory', ['facts.big', 'facts.small', 'trusted.extensions']],
    ['reports', ['logs', 'metrics', 'resource_events']],
    [
      'events',
      [
        'status',
        'property',
        'message',
        'certname',
        'line',
        'file',
        'name',
        'report',
        'timestamp',
        'run_end_time',
      ],
    ],
  ];
  return [
    '/pdb/query/v4/catalogs/probe.test',
    '/pdb/query/v4/factsets/probe.test',
    ...entities.map((entity) => query(entity, probe)),
    ...extracted.map(([entity, fields]) => query(entity, ['extract', fields, probe])),
    query('facts', ['extract', [['function', 'count'], 'value'], probe, ['group_by', 'value']]),
    query('resources', [
      'extract',
      ['type', ['function', 'max', 'line'], ['function', 'count']],
      ['group_by', 'type'],
    ]),
    pql('inventory[facts.big.nest]{ certname = "probe.test" }'),
  ];
}

function byPath(): readonly string[] {
  return [
    '/nodes/exp1.bench.test',
    '/nodes/exp2.bench.test',
    '/nodes/nosuch',
    '/nodes/exp1.bench.test/facts',
    '/nodes/exp2.bench.test/facts',
    '/nodes/exp1.bench.test/facts/kernel',
    '/nodes/exp1.bench.test/facts/kernel/Linux',
    '/nodes/exp1.bench.test/resources',
    '/nodes/exp1.bench.test/resources/Host',
    '/nodes/exp1.bench.test/resources/Host/exp1.bench.test',
    '/nodes/exp1.bench.test/nosuch',
    '/facts/kernel',
    '/facts/kernel/Linux',
    '/facts/nosuch',
    '/resources/Class/main',
    '/resources/class/main',
    '/factsets/exp1.bench.test',
    '/factsets/nosuch',
    '/catalogs/exp1.bench.test',
    '/catalogs/exp2.bench.test',
    '/catalogs/nosuch',
    '/environments',
    '/environments/exports',
    '/environments/nosuch',
    '/environments/exports/facts/kernel',
    '/environments/exports/events',
    '/environments/exports/resources',
    '/producers',
    '/producers/puppet.bench.test',
    '/producers/nosuch',
    '/fact-names?limit=3',
    '/package-inventory/exp1.bench.test',
    '/catalog-inputs',
    '/catalog-input-contents',
    '/reports/8acd64a4cf0a058620e01da72a7d6b2664a476f2/logs',
    '/reports/8acd64a4cf0a058620e01da72a7d6b2664a476f2/metrics',
    '/reports/nosuch/logs',
    '/catalogs/exp1.bench.test/resources/Host',
    '/environments/exports/facts/kernel/Linux',
    '/environments/nosuch/facts/kernel',
    '/producers/puppet.bench.test/catalogs/exp1.bench.test/resources/Class/main',
    '/nodes?include_facts_expiration=true',
    '/fact_names',
    '/nodes/exp1.bench.test/reports',
    '/event-counts?summarize_by=resource&order_by=[{"field":"resource_title"}]&limit=5',
    '/event-counts?summarize_by=certname&distinct_resources=true&distinct_start_time=2026-01-01&distinct_end_time=2030',
    '/event-counts?summarize_by=certname&counts_filter=["and"]',
  ].map((path) => `/pdb/query/v4${path}`);
}

function extracts(): readonly string[] {
  const order = (field: string, direction = 'asc'): Json => [{ field, order: direction }];
  return [
    query('nodes', ['extract', 'certname']),
    query('nodes', ['extract', []]),
    query('nodes', ['extract', ['certname', 'report_timestamp'], ['~', 'certname', 'exp']]),
    query('nodes', ['extract', [['function', 'count']]]),
    query('nodes', ['extract', [['function', 'count', 'deactivated']]]),
    query('nodes', [
      'extract',
      [['function', 'count'], 'report_environment'],
      ['group_by', 'report_environment'],
    ]),
    query('nodes', ['extract', [['function', 'max', 'report_timestamp']]]),
    query('nodes', ['extract', [['function', 'min', 'certname']]]),
    query('nodes', ['extract', 'certname', ['=', 'node_state', 'any']]),
    query('nodes', ['extract', 'certname', ['=', 'node_state', 'inactive']]),
    query('nodes', ['extract', 'certname', ['=', ['node', 'active'], false]]),
    query('nodes', ['extract', 'certname', ['=', 'node_state', 'nosuch']]),
    query('nodes', ['extract', 'certname', ['=', ['fact', 'kernel'], 'Linux']]),
    query('nodes', ['extract', 'certname', ['not', ['=', ['fact', 'nosuch'], 'x']]]),
    query('nodes', ['extract', 'certname', ['>', ['fact', 'processorcount'], 1]]),
    query('nodes', ['extract', 'certname', ['~', ['fact', 'kernel'], 'L']]),
    query('nodes', ['extract', 'certname', ['in', ['fact', 'kernel'], ['array', ['Linux']]]]),
    ...[
      'FMDay',
      'Day',
      'DAY',
      'YYYY-MM-DD HH24:MI:SS',
      'Mon',
      'FMMonth',
      'DDD',
      'Q',
      'YY',
      'HH12:MI AM',
      'ID',
      'D',
      'WW',
      'IW',
      'MS',
      'month',
    ].map((format) =>
      query('reports', ['extract', [['function', 'to_string', 'producer_timestamp', format]], certname]),
    ),
    query('facts', [
      'extract',
      [['function', 'to_string', 'value', '999999']],
      ['=', 'name', 'processorcount'],
    ]),
    query('facts', ['extract', [['function', 'avg', 'value']], ['=', 'name', 'processorcount']]),
    query('facts', ['extract', [['function', 'sum', 'value']], ['=', 'name', 'memorysize_mb']]),
    query('facts', ['extract', [['function', 'max', 'value']], ['=', 'name', 'memorysize_mb']]),
    query('facts', ['extract', ['name', ['function', 'count']], ['~', 'name', '^m'], ['group_by', 'name']]),
    query('facts', [
      'extract',
      ['value', ['function', 'count']],
      ['=', 'name', 'kernel'],
      ['group_by', 'value'],
    ]),
    query('inventory', ['extract', ['certname', 'facts.os', 'trusted.certname', 'facts.nosuch']]),
    query('inventory', ['extract', ['facts.kernel', ['function', 'count']], ['group_by', 'facts.kernel']]),
    query('inventory', ['extract', 'certname', ['=', 'facts.processors.models[0]', 'AMD EPYC']]),
    query('inventory', ['extract', 'certname', ['=', 'facts."kernel"', 'Linux']]),
    query('inventory', ['extract', 'certname', ['=', 'facts.match("ker.*")', 'Linux']]),
    query('inventory', ['extract', 'certname', ['=', 'facts.os.match("fam.*")', 'Debian']]),
    query('inventory', ['extract', 'certname', ['=', 'facts.match("^os$").family', 'Debian']]),
    query('inventory', ['extract', 'certname', ['=', 'facts.match("^os").match("family")', 'Debian']]),
    query('inventory', ['extract', 'certname', ['=', 'trusted.match("auth")', 'remote']]),
    query('inventory', ['extract', 'certname', ['~', 'facts.match("kernel")', '^6']]),
    query('inventory', ['extract', 'certname', ['>', 'facts.match("processors")', 1]]),
    query('inventory', ['extract', 'certname', ['not', ['=', 'facts.match("nosuch")', 1]]]),
    query('inventory', ['extract', 'certname', ['=', 'trusted.authenticated', 'remote']]),
    query('inventory', ['extract', 'certname', ['null?', 'facts.nosuch', true]]),
    query('inventory', ['extract', 'certname', ['null?', 'facts.kernel', false]]),
    query('inventory', ['extract', 'certname', ['=', 'facts.selinux', false]]),
    query('inventory', ['extract', 'certname', ['>=', 'facts.load_averages.1m', 0.5]]),
    query('resources', ['extract', ['title', 'parameters.ensure'], ['and', certname, ['=', 'type', 'File']]]),
    query('resources', [
      'extract',
      ['title'],
      ['and', certname, ['=', ['parameter', 'tag'], ['fleet', 'web']]],
    ]),
    query('resources', ['extract', ['title'], ['and', certname, ['=', 'parameters.tag', ['fleet', 'web']]]]),
    query('resources', [
      'extract',
      ['title'],
      ['and', certname, ['not', ['=', ['parameter', 'ensure'], 'file']]],
    ]),
    query('resources', ['extract', ['title'], ['and', certname, ['~', ['parameter', 'ip'], '^192']]]),
    query('resources', ['extract', ['type', 'title'], ['and', certname, ['~', 'tag', '^fl']]]),
    query('resources', ['extract', ['type', 'title'], ['and', certname, ['=', 'tag', 'FLEET']]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['networking', '.*', 'lo', '.*']]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['processors', 'models', '.*']]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['processors', 'models', 0]]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['processors', 'models', '0']]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['kern']]]),
    query('fact-contents', ['and', certname, ['~>', 'path', ['os|kernel', '^fam']]]),
    query('fact-contents', ['and', certname, ['=', 'path', ['processors', 'models', 0]]]),
    query('fact-contents', ['and', certname, ['>', 'value', 1000]]),
    query('fact-contents', ['and', certname, ['~', 'value', '^Deb']]),
    query('fact-contents', ['and', certname, ['=', 'value', true]]),
    query('nodes', ['extract', ['certname']], { order_by: order('certname'), limit: '2', offset: '1' }),
    query('nodes', ['extract', ['certname']], { order_by: order('certname', 'desc') }),
    query('nodes', ['extract', ['certname', 'deactivated']], {
      order_by: [{ field: 'deactivated' }, { field: 'certname' }],
    }),
    query('resources', ['extract', ['type', 'title'], certname], {
      order_by: [{ field: 'type' }, { field: 'title' }],
    }),
    query('facts', ['extract', ['name'], certname], { order_by: order('name') }),
    query('reports', ['extract', ['hash']], { order_by: order('producer_timestamp', 'desc'), limit: '3' }),
    query('fact-paths', ['~', 'name', '^(os|net)'], { order_by: order('path') }),
    query('nodes', ['=', 'certname', 'x'], { order_by: order('nosuch') }),
    query('nodes', ['=', 'certname', 'x'], { order_by: 'x' }),
    query('nodes', ['=', 'certname', 'x'], { order_by: order('certname', 'x') }),
    query('nodes', ['=', 'certname', 'x'], { limit: '0' }),
    query('nodes', ['=', 'certname', 'x'], { limit: '-1' }),
    query('nodes', ['=', 'certname', 'x'], { offset: 'x' }),
    query('nodes', ['=', 'certname', 'x'], { nosuch: 'x' }),
  ];
}

function subqueries(): readonly string[] {
  const all = [
    'nodes',
    'facts',
    'factsets',
    'inventory',
    'fact_contents',
    'catalogs',
    'resources',
    'edges',
    'reports',
    'events',
    'environments',
    'producers',
    'fact_paths',
    'fact_names',
  ];
  const condition = (entity: string): Json =>
    /environments|producers|fact_names|fact_paths/.test(entity) ? ['~', 'name', '^ex|^pu|^os'] : certname;
  const implicit = all.flatMap((entity) =>
    all.map((other) =>
      query(entity.replace('_', '-'), [
        'extract',
        [['function', 'count']],
        ['subquery', other, condition(other)],
      ]),
    ),
  );
  return [
    ...implicit,
    query('nodes', [
      'extract',
      'certname',
      ['in', 'certname', ['extract', 'certname', ['select_resources', ['=', 'title', 'Apache']]]],
    ]),
    query('nodes', [
      'extract',
      'certname',
      ['in', 'certname', ['extract', 'certname', ['select_nodes', ['=', 'node_state', 'inactive']]]],
    ]),
    query('reports', [
      'extract',
      'hash',
      ['in', 'certname', ['extract', 'certname', ['select_nodes', ['=', 'certname', 'exp2.bench.test']]]],
    ]),
    query('facts', [
      'extract',
      ['certname', 'name'],
      [
        'in',
        ['certname', 'name'],
        [
          'extract',
          ['certname', 'name'],
          ['select_fact_contents', ['and', ['~>', 'path', ['up.*']], ['>', 'value', 0]]],
        ],
      ],
    ]),
    query('nodes', [
      'extract',
      'certname',
      [
        'in',
        'certname',
        ['from', 'reports', ['extract', 'certname'], ['limit', 2], ['order_by', [['certname', 'desc']]]],
      ],
    ]),
    query('nodes', [
      'extract',
      'certname',
      ['in', 'certname', ['from', 'facts', ['extract', 'certname', ['=', 'name', 'kernel']]]],
    ]),
    query('events', [
      'extract',
      [['function', 'count']],
      ['in', 'report', ['extract', 'hash', ['select_reports', certname]]],
    ]),
  ];
}

function counts(): readonly string[] {
  const latest: Json = ['=', 'latest_report?', true];
  return ['resource', 'containing_class', 'certname', 'nosuch'].flatMap((by) => [
    query('event-counts', latest, { summarize_by: by }),
    query('event-counts', latest, { summarize_by: by, count_by: 'certname' }),
    query('event-counts', latest, { summarize_by: by, counts_filter: ['>', 'successes', 0] }),
    query('aggregate-event-counts', latest, { summarize_by: by }),
    query('aggregate-event-counts', latest, { summarize_by: by, count_by: 'certname' }),
    query('aggregate-event-counts', certname, { summarize_by: by, counts_filter: ['>', 'successes', 0] }),
  ]);
}

/** Conditions on what is in facts and parameters: contained, of another kind, missing, and the opposite. */
function nestedValues(): readonly string[] {
  const probe: Json = ['=', 'certname', 'probe.test'];
  const conditions: readonly Json[] = [
    ['=', 'facts.small', { zz: 1 }],
    ['=', 'facts.small', { bbb: { x: 2 } }],
    ['=', 'facts.list', [{ a: 2 }]],
    ['=', 'facts.list[0].zz', 1],
    ['=', 'facts.small.nosuch', 1],
    ['>', 'facts.small', 1],
    ['<', 'facts.small.zz', 'a'],
    ['>=', 'facts.small.zz', 'a'],
    ['<', 'facts.small.nosuch', 1],
    ['<', 'facts.nosuch', 1],
    ['~', 'facts.n.z', '^4'],
    ['~', 'facts.nosuch', 'x'],
    ['null?', 'facts.small.zz', false],
    ['null?', 'facts.nosuch', false],
    ['null?', 'facts.nosuch', true],
    ['=', 'facts.nosuch', null],
  ];
  return [
    ...conditions.flatMap((condition) =>
      [condition, ['not', condition] satisfies Json].map((each) =>
        query('inventory', ['extract', 'certname', ['and', probe, each]]),
      ),
    ),
    ...['2026', '2026-11', '2026-325', '2026-W47', '20261121', '2026-11-21T10', '2026-11-21 10:50', 5].map(
      (time) => query('reports', ['extract', 'hash', ['and', certname, ['>', 'start_time', time]]]),
    ),
    query('nodes', ['extract', 'certname', ['=', 'deactivated', null]], {
      order_by: [{ field: 'certname', order: null }],
    }),
    query('fact-names', [
      'extract',
      [['function', 'count'], 'name'],
      ['=', 'name', 'os'],
      ['group_by', 'name'],
    ]),
    pql('nodes[certname]{ certname in [["a"], "exp1.bench.test"] }'),
    pql('reports[status]{ group by status limit 1 }'),
    pql('nodes{ certname ~ 5 }'),
  ];
}

function badParameters(): readonly string[] {
  const search = [
    'order_by=[{"field":"facts.kernel"}]',
    'order_by=["certname"]',
    'order_by=[{"order":"asc"}]',
    'order_by=[{"field":"certname","x":1}]',
    'order_by=5',
    'query=[]',
    'query=["=","certname","x"] 5',
    'query=nodes{}',
    'query=["AND",["=","certname","x"]]',
    'query=["extract",["function","count"]]',
    'query=["and",["=","nosuch","x"],["=","none",1]]',
    'query=["extract","nosuch",["subquery","facts",["=","none",1]]]',
    'limit=1.5',
    'explain=x',
    'distinct_resources=true',
  ];
  const encoded = search.map((text) =>
    text.replace(/=([^&]*)/g, (_, value: string) => `=${encodeURIComponent(value)}`),
  );
  return ['inventory', 'nodes/exp1.bench.test', 'environments/exports', 'events'].flatMap((path) =>
    encoded.map((text) => `/pdb/query/v4/${path}?${text}`),
  );
}

function bad(): readonly string[] {
  const clauses: readonly Json[] = [
    ['='],
    ['=', 'certname', 'a', 'b'],
    ['=', 'certname', null],
    ['=', 5, 5],
    ['and'],
    ['or'],
    ['not'],
    ['not', certname, certname],
    ['null?', 'certname'],
    ['null?', 'certname', 'x'],
    ['in', 'certname'],
    ['in', 'certname', 'x'],
    ['in', 'certname', ['array', 'x']],
    ['in', 'certname', ['array', []]],
    ['in', 'nosuch', ['from', 'nodes', ['extract', 'certname']]],
    ['in', 'certname', ['extract', 'nosuch', ['select_facts', certname]]],
    ['in', 'certname', ['extract', 'certname', ['select_nosuch', certname]]],
    ['subquery', 'nodes'],
    ['subquery', 'nosuch', certname],
    ['subquery', 'packages', certname],
    ['extract'],
    ['extract', 'nosuch'],
    ['nosuch', 'certname', 'x'],
    ['group_by', 'certname'],
    ['limit', 1],
    ['~', 'certname', '('],
    ['~', 'certname', '['],
    ['~', 'certname', '*'],
    ['~', 'certname', 'a{2,1}'],
    ['~', 'certname', '^(?i)EXP'],
    ['~', 'certname', '(?i)EXP'],
    ['~', 'certname', '\\mexp'],
    ['~', 'certname', '[[:alpha:]]+1'],
    ['<', 'report_timestamp', 'garbage'],
    [['=', 'certname', 'x']],
  ];
  const texts = ['["=", "certname"', '["=" "certname"]', '{"a":', 'x', '[1,]', '["a'];
  return [
    ...clauses.map((clause) => query('nodes', clause)),
    ...texts.map((text) => `/pdb/query/v4/nodes?${new URLSearchParams({ query: text })}`),
    '/pdb/query/v4/event-counts',
    '/pdb/query/v4/nosuch',
    pql('["from","nosuch"]'),
    pql('["from"]'),
    pql('["from","nodes",["limit",1],["limit",2]]'),
    pql('["from","nodes",["=","certname","x"],["=","certname","y"]]'),
    pql('["=","certname","x"]'),
  ];
}

function pqlQueries(): readonly string[] {
  return [
    'nodes[certname]{}',
    'nodes[count()]{ certname ~ "exp" }',
    'nodes[certname]{ certname = "exp1.bench.test" or certname ~ \'agent\' and !(certname = "x") }',
    'nodes[certname]{ certname in ["exp1.bench.test", "x"] }',
    'nodes[certname]{ certname in facts[certname]{ name = "kernel" and value = "Linux" } }',
    'facts[certname, name]{ [certname, name] in fact_contents[certname, name]{ value > 60000 } }',
    'nodes[certname]{ deactivated is null order by certname desc limit 2 offset 1 }',
    'nodes[certname]{ deactivated is not null }',
    'nodes[certname]{ facts{ name = "kernel" } and resources{ type = "Host" } }',
    'reports[status, count()]{ group by status }',
    'reports[count(), to_string(producer_timestamp, "FMDay")]{ group by to_string(producer_timestamp, "FMDay") }',
    'reports[hash]{ latest_report? = true and certname = "exp1.bench.test" }',
    'reports[hash]{ noop = false order by producer_timestamp }',
    'resources[type, title]{ certname = "exp1.bench.test" and parameters.ensure = "file" }',
    'inventory[certname]{ facts.os.family = "Debian" and trusted.authenticated = "remote" }',
    'inventory[certname, facts.kernel]{ facts.processors.count >= 2 }',
    'fact_contents[certname, value]{ path ~> ["os", "fam.*"] }',
    'events[certname]{ status = "success" and report_receive_time > "2020-01-01" }',
    'edges[target_title]{ certname = "exp1.bench.test" }',
    'environments{}',
    'catalogs[version]{}',
    'factsets[certname]{}',
    'packages{}',
    'package_inventory{}',
    'fact_paths[path]{ name = "os" order by path }',
    'nodes[certname]{ certname != "exp1.bench.test" }',
    'nodes[certname]{ certname !~ "exp" }',
    'nodes[certname]{ certname ~ "a\\\\." }',
    'nodes[certname { }',
    'nodes[nosuch]{ }',
    'nosuch{}',
    'nodes',
    'nodes{',
    'nodes{certname}',
    'nodes{certname = }',
    'nodes{certname ? 1}',
    'nodes{not certname = "x"}',
    'nodes{certname = "x" and}',
    'nodes{certname = "x" limit 1, offset 2}',
    'nodes[certname]{} extra',
    'nodes{certname = null}',
    'nodes{limit x}',
    'nodes{order by}',
    'nodes{certname in []}',
    'producers{}',
    '',
  ];
}
