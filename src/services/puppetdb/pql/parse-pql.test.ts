import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueryError } from '../query/query-error.ts';
import { parsePql } from './parse-pql.ts';

/** What a real PuppetDB 7.12.1 answers with `ast_only`. */
test.each([
  ['nodes{}', ['from', 'nodes']],
  [' nodes { } ', ['from', 'nodes']],
  ['nodes[]{}', ['from', 'nodes', ['extract', []]]],
  [
    'nodes [certname]{certname = "x" and certname ~ \'y\' or !(certname="z")}',
    [
      'from',
      'nodes',
      [
        'extract',
        ['certname'],
        ['or', ['and', ['=', 'certname', 'x'], ['~', 'certname', 'y']], ['not', ['=', 'certname', 'z']]],
      ],
    ],
  ],
  [
    'reports[status, count()]{ group by status }',
    ['from', 'reports', ['extract', ['status', ['function', 'count']], ['group_by', 'status']]],
  ],
  [
    'reports[count(), to_string(receive_time, "DAY")]{group by to_string(receive_time, "DAY")}',
    [
      'from',
      'reports',
      [
        'extract',
        [
          ['function', 'count'],
          ['function', 'to_string', 'receive_time', 'DAY'],
        ],
        ['group_by', ['function', 'to_string', 'receive_time', 'DAY']],
      ],
    ],
  ],
  ['nodes{certname in ["a","b"]}', ['from', 'nodes', ['in', 'certname', ['array', ['a', 'b']]]]],
  [
    'facts{[certname,name] in fact_contents[certname,name]{value > 1.5}}',
    [
      'from',
      'facts',
      [
        'in',
        ['certname', 'name'],
        ['from', 'fact_contents', ['extract', ['certname', 'name'], ['>', 'value', 1.5]]],
      ],
    ],
  ],
  [
    'nodes{deactivated is not null limit 5 offset 2 order by certname desc, report_timestamp}',
    [
      'from',
      'nodes',
      ['null?', 'deactivated', false],
      ['limit', 5],
      ['offset', 2],
      ['order_by', [['certname', 'desc'], 'report_timestamp']],
    ],
  ],
  ['resources{parameters."a.b" = "x" }', ['from', 'resources', ['=', 'parameters."a.b"', 'x']]],
  [
    'nodes{certname = -10 or certname = 4.1E3}',
    ['from', 'nodes', ['or', ['=', 'certname', -10], ['=', 'certname', 4100]]],
  ],
  [
    'nodes{facts{name="a"} and resources{type="X"}}',
    [
      'from',
      'nodes',
      ['and', ['subquery', 'facts', ['=', 'name', 'a']], ['subquery', 'resources', ['=', 'type', 'X']]],
    ],
  ],
  ['nodes{certname !="x"}', ['from', 'nodes', ['not', ['=', 'certname', 'x']]]],
  ['inventory{facts.a[0].b = 1}', ['from', 'inventory', ['=', 'facts.a[0].b', 1]]],
  ['nodes{certname = "a\\n\\u0041"}', ['from', 'nodes', ['=', 'certname', 'a\nA']]],
])('%s', (text, ast) => {
  expect(parsePql(text)).toEqual(ast);
});

test.each([
  ['nodes', 'PQL parse error at line 1, column 6:\n\nnodes\n     ^\n\nExpected one of:\n\n{\n#"\\s+"\n[\n'],
  [
    'nodes{certname="x" and}',
    'PQL parse error at line 1, column 23:\n\nnodes{certname="x" and}\n                      ^\n\nExpected:\n#"\\s+"\n',
  ],
  [
    'nodes[certname { }',
    'PQL parse error at line 1, column 16:\n\nnodes[certname { }\n               ^\n\nExpected one of:\n\n]\n,\n',
  ],
])('%s is refused as the reference does', (text, message) => {
  expect(() => parsePql(text)).toThrow(message);
});

test('whatever comes, it is a query or refused', () => {
  const piece = fc.constantFrom(
    ...'nodes facts { } [ ] ( ) ! = ~> < "a" \'b\' and or in is null limit 1 , . certname'.split(' '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.constantFrom('', ' '), (pieces, separator) => {
      try {
        expect(Array.isArray(parsePql(pieces.join(separator)))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
      }
    }),
  );
});
