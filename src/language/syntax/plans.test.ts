/** Plans, as `puppet parser validate --tasks` (7.23) finds them. */

import { expect, test } from 'vitest';
import { PuppetError } from './diagnostic.ts';
import { parseManifest } from './parse/parse.ts';
import { parseAndValidatePlan } from './parse-and-validate.ts';

function findings(text: string): readonly string[] {
  try {
    parseAndValidatePlan({ file: '/m/plans/p.pp', text }, { log: () => {} });
    return [];
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return error.all.map(({ column, message }) =>
      column === undefined ? message : `${message} (${column})`,
    );
  }
}

const whole = `plan m::a(TargetSpec $targets, String $x = 'y') {
  $r = run_task('m::t', $targets, 'desc', { 'x' => $x, '_catch_errors' => true })
  $results = apply($targets, _noop => true) {
    file { '/tmp/x': ensure => file, }
    -> package { 'a': }
    include foo
    node default { notify { 'x': } }
    File <| title == 'x' |>
    File { mode => '0644' }
    File['/tmp/x'] { owner => 'x' }
  }
  $r.each |$e| { out::message($e.target.name) }
  apply($targets) { }
  return $results.map |$x| { $x.report }
}`;

test.each([
  whole,
  'function m::u() { apply($t) { } }',
  'plan m::w { return apply("all") { include x }.first }',
])('is a plan: %s', (text) => {
  expect(findings(text)).toEqual([]);
});

const only = 'is only available when compiling a catalog';

test.each([
  ['plan m::b { file { "/x": } }', [`A Resource Statement ${only} (13)`]],
  [
    'plan m::c { notify { x: } -> notify { y: } }',
    [
      `A '->' expression ${only} (27)`,
      `A Resource Statement ${only} (13)`,
      `A Resource Statement ${only} (30)`,
    ],
  ],
  ['class m::d { }', [`A Host Class Definition ${only} (1)`]],
  ['define m::e { }', [`A 'define' expression ${only} (1)`]],
  ['node default { }', [`A Node Definition ${only} (1)`]],
  ['plan m::g { File { mode => "1" } }', [`A Resource Defaults Expression ${only} (13)`]],
  ['plan m::h { File <| |> }', [`A Virtual Query ${only} (13)`]],
  ['plan m::p { File["x"] { a => 1 } }', [`A Resource Override ${only} (13)`]],
  [
    'plan m::i { apply($t) { File <<| |>> } }',
    ['An Exported Query is not available when compiling a catalog (25)'],
  ],
  [
    'plan m::j { apply($t) { apply($u) { } } }',
    ["An 'apply' expression is not available when compiling a catalog (25)"],
  ],
  ['plan m::k { apply($t) { class x { } } }', [`A Host Class Definition ${only} (25)`]],
  ['plan m::l { $x = { plan => 1, apply => 2 } }', ["Syntax error at '=>' (25)"]],
  ['plan m::m($a, $a) { 1 }', ["The parameter 'a' is declared more than once in the parameter list (15)"]],
  ['plan { }', ["Syntax error at '{' (6)"]],
  [
    'plan M::X { }',
    ["Unacceptable name. The name 'M::X' is unacceptable as the name of a Plan Definition (1)"],
  ],
  ['plan m::q { run_plan("x") ', ['Syntax error at end of input']],
  ['plan m::r { apply { } }', ["Syntax error at '{' (19)"]],
  ['plan m::s { $x.apply($y) }', ["Syntax error at 'apply' (16)"]],
  ['plan m::v { plan m::w { } }', ['A Plan Definition may only appear at toplevel (13)']],
])('is no plan: %s', (text, expected) => {
  expect(findings(text)).toEqual(expected);
});

test('in manifests the words are names', () => {
  expect(parseManifest({ file: 'a.pp', text: '$x = { plan => 1, apply => 2 }' }).definitions).toEqual([]);
});
