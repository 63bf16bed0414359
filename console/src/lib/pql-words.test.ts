import { expect, test } from 'vitest';
import { mistakeOffset, mistakeText, pqlPlace, pqlToken } from './pql-words.ts';

function tokens(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const { kind, length } = pqlToken(rest);
    if (kind !== undefined) found.push(`${kind} ${rest.slice(0, length)}`);
    rest = rest.slice(length);
  }
  return found;
}

test('words have kinds', () => {
  expect(tokens('nodes[certname] { facts.os.name = "a\\"b" and n >= -1.5 }')).toEqual([
    'entity nodes',
    'bracket [',
    'field certname',
    'bracket ]',
    'bracket {',
    'field facts.os.name',
    'operator =',
    'string "a\\"b"',
    'keyword and',
    'field n',
    'operator >=',
    'number -1.5',
    'bracket }',
  ]);
});

test.each([
  ['', 'entity', 0],
  ['no', 'entity', 0],
  ['nodes[cert', 'field', 6],
  ['nodes[certname] { latest', 'field', 18],
  ['nodes { certname in facts[cert', 'field', 26],
  ['inventory { facts.os.na', 'fact', 21],
  ['inventory { trusted.', 'fact', 20],
])('after %j comes a word of the kind %s', (before, kind, from) => {
  expect(pqlPlace(before)).toMatchObject({ kind, from });
});

test('fields are those of the entity that is open', () => {
  expect(pqlPlace('nodes { certname in facts[cert')?.fields).toContain('value');
  expect(pqlPlace('nodes { certname in facts[certname] { name = "a" } and ')?.fields).toContain(
    'latest_report_status',
  );
  expect(pqlPlace('inventory { facts.os.release.fu')?.factPrefix).toBe('os.release.');
});

test('nothing is offered within a string', () => {
  expect(pqlPlace('nodes { certname = "we')).toBeUndefined();
});

test('a mistake has a place', () => {
  expect(mistakeOffset('PQL parse error at line 2, column 3:\n\n', 'nodes {\n  x }')).toBe(10);
  expect(mistakeOffset('something else', 'nodes {}')).toBeUndefined();
});

test('a mistake is said on one line', () => {
  const message =
    'PQL parse error at line 1, column 6:\n\nnodes\n     ^\n\nExpected one of:\n\n{\n#"\\s+"\n[\n';

  expect(mistakeText(message)).toBe('At line 1, column 6: expected {, [');
  expect(mistakeText("Can't extract 'x'")).toBe("Can't extract 'x'");
});
