import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { isArray, type Value } from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { isTruthy } from '../arguments.ts';
import type { Code, Run } from '../run.ts';
import { GiveUp, giveUp, Jump, RubyFailure } from '../signals.ts';
import { isCase } from '../values/comparison.ts';
import { RubyMatch } from '../values/ruby-values.ts';
import { lowerItems } from './literals.ts';
import type { Lowerer } from './lowerers.ts';
import type { Lowering } from './lowering.ts';
import { field, list, needed, numberOf } from './node.ts';
import { targetOf } from './variables.ts';

/** Loops that go on longer are left to Ruby, which can be stopped. */
const MAX_TURNS = 1_000_000;
const BEGIN_MODIFIER = 4;

export const controls: Readonly<Record<string, Lowerer>> = {
  ProgramNode: (node, lowering) =>
    lowering.within(node, () => lowering.lower(needed(node, 'statements'))).result,
  StatementsNode: (node, lowering) =>
    sequence(list(node, 'body').map((statement) => lowering.lower(statement))),
  ParenthesesNode: (node, lowering) => lowering.lowerOptional(field(node, 'body')),
  ElseNode: (node, lowering) => lowering.lowerOptional(field(node, 'statements')),
  AndNode: (node, lowering) => {
    const [left, right] = [lowering.lower(needed(node, 'left')), lowering.lower(needed(node, 'right'))];
    return (run) => {
      const value = left(run);
      return isTruthy(value) ? right(run) : value;
    };
  },
  OrNode: (node, lowering) => {
    const [left, right] = [lowering.lower(needed(node, 'left')), lowering.lower(needed(node, 'right'))];
    return (run) => {
      const value = left(run);
      return isTruthy(value) ? value : right(run);
    };
  },
  IfNode: (node, lowering) => branches(node, 'subsequent', lowering, true),
  UnlessNode: (node, lowering) => branches(node, 'elseClause', lowering, false),
  CaseNode: caseOf,
  WhileNode: (node, lowering) => loop(node, lowering, true),
  UntilNode: (node, lowering) => loop(node, lowering, false),
  ForNode: forLoop,
  BeginNode: beginOf,
  RescueModifierNode: (node, lowering) => rescued(lowering.lower(needed(node, 'expression'))),
  NextNode: (node, lowering) => jump('next', node, lowering),
  BreakNode: (node, lowering) => jump('break', node, lowering),
  ReturnNode: (node, lowering) => jump('return', node, lowering),
};

/** `begin ... rescue ... else ... ensure ... end`, as long as nothing has to be rescued. */
function beginOf(node: RubyNode, lowering: Lowering): Code {
  const written = lowering.lowerOptional(field(node, 'statements'));
  const body = field(node, 'rescueClause') === undefined ? written : rescued(written);
  const otherwise = field(node, 'elseClause');
  const code = otherwise === undefined ? body : sequence([body, lowering.lower(otherwise)]);
  const last = field(node, 'ensureClause');
  return last === undefined ? code : ensured(code, lowering.lowerOptional(field(last, 'statements')));
}

/** Of which class an error would be is not known here. */
function rescued(code: Code): Code {
  return (run) => {
    try {
      return code(run);
    } catch (error) {
      if (error instanceof RubyFailure || error instanceof PuppetError) giveUp('an error that is rescued');
      throw error;
    }
  };
}

function ensured(code: Code, last: Code): Code {
  return (run) => {
    let value: Value;
    try {
      value = code(run);
    } catch (error) {
      // What is given up has done nothing.
      if (!(error instanceof GiveUp)) last(run);
      throw error;
    }
    last(run);
    return value;
  };
}

function sequence(codes: readonly Code[]): Code {
  const [only] = codes;
  if (only === undefined) return () => null;
  if (codes.length === 1) return only;
  return (run) => {
    let value: Value = null;
    for (const code of codes) value = code(run);
    return value;
  };
}

function branches(node: RubyNode, otherwise: string, lowering: Lowering, wanted: boolean): Code {
  const predicate = lowering.lower(needed(node, 'predicate'));
  const yes = lowering.lowerOptional(field(node, 'statements'));
  const no = lowering.lowerOptional(field(node, otherwise));
  return (run) => (isTruthy(predicate(run)) === wanted ? yes(run) : no(run));
}

function caseOf(node: RubyNode, lowering: Lowering): Code {
  const subject = field(node, 'predicate');
  const value = lowering.lowerOptional(subject);
  const whens = list(node, 'conditions').map((when) => ({
    patterns: lowerItems(list(when, 'conditions'), lowering),
    single: list(when, 'conditions').map((pattern) =>
      isRubyNode(pattern, 'SplatNode') ? undefined : lowering.lower(pattern),
    ),
    body: lowering.lowerOptional(field(when, 'statements')),
  }));
  const otherwise = lowering.lowerOptional(field(node, 'elseClause'));
  const isMatch = (pattern: Value, tested: Value, run: Run) =>
    subject === undefined ? isTruthy(pattern) : matches(pattern, tested, run);
  return (run) => {
    const tested = value(run);
    for (const { body, patterns, single } of whens) {
      const isFound = single.includes(undefined)
        ? patterns(run).some((pattern) => isMatch(pattern, tested, run))
        : single.some((pattern) => pattern !== undefined && isMatch(pattern(run), tested, run));
      if (isFound) return body(run);
    }
    return otherwise(run);
  };
}

function matches(pattern: Value, tested: Value, run: Run): boolean {
  return isCase(pattern, tested, (found) => {
    run.match = found === null ? null : new RubyMatch(found);
  });
}

function loop(node: RubyNode, lowering: Lowering, wanted: boolean): Code {
  if ((numberOf(node, 'flags') & BEGIN_MODIFIER) !== 0) return giveUp('a loop that tests at its end');
  const predicate = lowering.lower(needed(node, 'predicate'));
  const { result: body, target } = lowering.targeted('loop', () =>
    lowering.lowerOptional(field(node, 'statements')),
  );
  const turn = target.uses.has('next') ? catching('next', body) : body;
  const all: Code = (run) => {
    for (let turns = 0; isTruthy(predicate(run)) === wanted; turns += 1) {
      if (turns > MAX_TURNS) giveUp('a loop that does not end');
      turn(run);
    }
    return null;
  };
  return target.uses.has('break') ? catching('break', all) : all;
}

function forLoop(node: RubyNode, lowering: Lowering): Code {
  const collection = lowering.lower(needed(node, 'collection'));
  const assign = targetOf(needed(node, 'index'), lowering);
  const { result: body, target } = lowering.targeted('loop', () =>
    lowering.lowerOptional(field(node, 'statements')),
  );
  const turn = target.uses.has('next') ? catching('next', body) : body;
  const all: Code = (run) => {
    const items = collection(run);
    if (!isArray(items)) return giveUp('a for over something else');
    for (const item of items) {
      assign(run, item);
      turn(run);
    }
    return items;
  };
  return target.uses.has('break') ? catching('break', all) : all;
}

/** Runs code that a jump may end with its value. */
export function catching(kind: Jump['kind'], code: Code): Code {
  return (run) => {
    try {
      return code(run);
    } catch (error) {
      if (error instanceof Jump && error.kind === kind) return error.value;
      throw error;
    }
  };
}

function jump(kind: Jump['kind'], node: RubyNode, lowering: Lowering): Code {
  lowering.noteJump(kind);
  const given = field(node, 'arguments');
  const values = given === undefined ? [] : list(given, 'arguments');
  if (values.length > 1 || values.some((value) => value.kind === 'SplatNode'))
    return giveUp(`${kind} with values`);
  const value = lowering.lowerOptional(values[0]);
  return (run) => {
    throw new Jump(kind, value(run));
  };
}
