import { expect, test } from 'vitest';
import { Beans } from '../metrics/beans.ts';
import { answerJolokia } from './jolokia.ts';

const mbean = 'a.b:name=c';

function ask(body: unknown): Promise<unknown> {
  const beans = new Beans();
  beans.define(mbean, () => ({ Count: 1, Inner: { used: 2 } }));
  return answerJolokia(beans, body, 0);
}

const refused = (what: string) => ({
  error_type: 'java.lang.IllegalArgumentException',
  error: `java.lang.IllegalArgumentException : ${what}`,
  status: 400,
});

test.each([
  [{ type: 'read', mbean: 5 }, 'The mbean must be a String (and not class java.lang.Long)'],
  [{ type: 'search', mbean: [] }, 'The mbean must be a String (and not class org.json.simple.JSONArray)'],
  [{ type: 'list', path: 1.5 }, 'The path must be a String (and not class java.lang.Double)'],
  [
    { type: 'read', mbean, attribute: 'Inner', path: true },
    'The path must be a String (and not class java.lang.Boolean)',
  ],
  [
    { type: 'exec', operation: {} },
    'The operation must be a String (and not class org.json.simple.JSONObject)',
  ],
  [
    { type: 'read', mbean, attribute: { a: 1 } },
    'Attribute names must be either a String, Collection or Array (and not class org.json.simple.JSONObject)',
  ],
  [
    { type: 'read', mbean: 'a.b:*', attribute: 5 },
    'Attribute names must be either a String, Collection or Array (and not class java.lang.Long)',
  ],
  [{ type: 'read', mbean, attribute: ['Count', null] }, 'Attribute names must be Strings (and not null)'],
  [
    { type: 'read', mbean, attribute: [[[]]] },
    'Attribute names must be Strings (and not class org.json.simple.JSONArray)',
  ],
  [{ type: 7 }, 'Invalid JSON request'],
  [null, 'Invalid JSON request'],
])('a request of a wrong form is refused: %j', async (body, what) => {
  expect(await ask(body)).toEqual(refused(what));
  expect(await ask([body])).toEqual([refused(what)]);
});

test.each([null, [null], undefined])('without an attribute all are read: %j', async (attribute) => {
  expect(await ask({ type: 'read', mbean, attribute, path: null })).toEqual({
    request: { mbean, type: 'read' },
    value: { Count: 1, Inner: { used: 2 } },
    timestamp: 0,
    status: 200,
  });
});

test('names that every object has are no domains', async () => {
  expect(await ask({ type: 'list', path: '__proto__' })).toMatchObject({ status: 404 });
  expect(await ask({ type: 'list', path: 'a.b/__proto__' })).toMatchObject({ status: 404 });
});
