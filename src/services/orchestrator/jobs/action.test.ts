import { describe, expect, test } from 'vitest';
import {
  type Action,
  type ActionContext,
  type ActionEffect,
  type ActionEvent,
  advanceAction,
  newAction,
} from './action.ts';

const policy = {
  disconnectedMs: 1000,
  disconnectedAfterRestartMs: 9000,
  answerMs: 100,
  quietMs: 500,
  silentMs: 2000,
  mostDeliveries: 2,
  reportRetryMs: 10,
  mostReportTries: 2,
};

/** An action of a node, played event by event at a time that the test sets. */
class Play {
  action: Action = newAction('web1', 0);
  effects: readonly ActionEffect[] = [];
  now = 0;
  isConnected = true;
  expectedUntil = 0;
  isFollowed = false;
  private ids = 0;

  on(event: ActionEvent): this {
    const context: ActionContext = {
      now: this.now,
      isConnected: this.isConnected,
      expectedUntil: this.expectedUntil,
      isFollowed: this.isFollowed,
      freshId: () => `id${(this.ids += 1)}`,
      policy,
      interpret: (results) => ({ state: 'finished', result: results }),
    };
    ({ action: this.action, effects: this.effects } = advanceAction(this.action, event, context));
    return this;
  }

  at(now: number): this {
    this.now = now;
    return this;
  }

  get shown() {
    const { deliveries, outcome, state } = this.action;
    return { state, deliveries, effects: this.effects.map(({ kind }) => kind), detail: outcome?.detail };
  }
}

const granted = () => new Play().on({ kind: 'begin' }).on({ kind: 'grant' });
const accepted = { kind: 'answer', answer: { kind: 'accepted' } } as const;
const unknown = (queryId: string, isUnheardOf = true) =>
  ({
    kind: 'answer',
    answer: { kind: 'unknown', queryId, isUnheardOf, detail: 'never heard of it' },
  }) as const;

test('a node is asked once for its turn, however often it is granted', () => {
  const play = granted();
  const { transactionId } = play.action;

  expect(play.shown).toMatchObject({ state: 'ready', deliveries: 1, effects: ['request'] });
  expect(play.on({ kind: 'grant' }).shown).toMatchObject({ deliveries: 1, effects: [] });
  expect(play.action.transactionId).toBe(transactionId);
});

test('a node that waits for its turn may be connected as long as it likes, and disconnected only for a while', () => {
  const connected = new Play().on({ kind: 'begin' }).at(5000).on({ kind: 'tick' });
  const away = new Play();
  away.isConnected = false;
  away.on({ kind: 'begin' }).at(999).on({ kind: 'tick' });

  expect(connected.shown.state).toBe('new');
  expect(away.shown.state).toBe('new');
  expect(away.at(1000).on({ kind: 'tick' }).shown).toMatchObject({
    state: 'errored',
    detail: 'web1 is not connected to the PCP broker',
  });
});

test.each([
  ['at work', () => granted().on({ kind: 'sent' }).on(accepted), { kind: 'lost' }],
  ['that waits for its turn', () => new Play(), { kind: 'begin' }],
] as const)('a node %s whose broker was lost may take longer to be connected again', (_, started, event) => {
  const play = started();
  play.isConnected = false;
  play.expectedUntil = 1500;

  play.on(event).at(1499).on({ kind: 'tick' });

  expect(play.action.outcome).toBeUndefined();
  expect(play.at(1500).on({ kind: 'tick' }).shown.state).toBe('errored');
});

describe('an agent that does not answer', () => {
  test('is asked for the status when the time for an answer is over, and given up after a while', () => {
    const play = granted().on({ kind: 'sent' });

    expect(play.at(99).on({ kind: 'tick' }).shown.effects).toEqual([]);
    expect(play.at(100).on({ kind: 'tick' }).shown).toMatchObject({ state: 'running', effects: ['query'] });
    expect(play.at(2000).on({ kind: 'tick' }).shown).toMatchObject({
      state: 'errored',
      detail: 'web1 is connected but has not answered for 2 s',
    });
  });

  test('has that time again after each word', () => {
    const play = granted().on({ kind: 'sent' }).at(1900).on(accepted);

    expect(play.at(2300).on({ kind: 'tick' }).shown.effects).toEqual([]);
    expect(play.at(2400).on({ kind: 'tick' }).shown.effects).toEqual(['query']);
    expect(play.at(3799).on({ kind: 'tick' }).shown.state).toBe('running');
    expect(play.at(3900).on({ kind: 'tick' }).shown.state).toBe('errored');
  });
});

describe('an agent that never heard of the request', () => {
  test('gets it again under the same id, a limited number of times', () => {
    const play = granted().at(100).on({ kind: 'tick' });
    const { transactionId } = play.action;

    expect(play.on(unknown('id2')).shown).toMatchObject({ deliveries: 2, effects: ['request'] });
    expect(play.effects).toEqual([{ kind: 'request', transactionId }]);
    play.at(200).on({ kind: 'tick' });
    expect(play.on(unknown('id3')).shown).toMatchObject({ state: 'errored', detail: 'never heard of it' });
  });

  test('is not believed when it says so of an earlier question', () => {
    const play = granted().at(100).on({ kind: 'tick' }).at(200).on({ kind: 'tick' });

    expect(play.on(unknown('id2')).shown).toMatchObject({ state: 'ready', deliveries: 1, effects: [] });
  });

  test('has lost the run when it had acknowledged it, or knew it once', () => {
    const acknowledged = granted().on(accepted).at(500).on({ kind: 'tick' }).on(unknown('id2'));
    const forgotten = granted().at(100).on({ kind: 'tick' }).on(unknown('id2', false));

    expect([acknowledged.shown.state, forgotten.shown.state]).toEqual(['errored', 'errored']);
  });
});

describe('a lost connection', () => {
  test('ends the action only when it lasts, and is settled by a question when it comes back', () => {
    const play = granted().on(accepted).at(10);
    play.isConnected = false;
    play.on({ kind: 'lost' });
    play.isConnected = true;

    expect(play.at(900).on({ kind: 'connected' }).shown).toMatchObject({
      state: 'running',
      effects: ['query'],
    });
    play.isConnected = false;
    play.on({ kind: 'lost' }).at(1500).on({ kind: 'lost' });
    expect(play.at(1899).on({ kind: 'tick' }).shown.state).toBe('running');
    expect(play.at(1900).on({ kind: 'tick' }).shown).toMatchObject({
      state: 'errored',
      detail: 'web1 was disconnected from the PCP broker before it reported a result',
    });
  });

  test('does not count when a new one is there already', () => {
    const play = granted().on({ kind: 'lost' });

    expect(play.action.watch.disconnectedAt).toBeUndefined();
  });

  test('before the request was sent takes the delivery back', () => {
    const play = granted();
    play.isConnected = false;

    expect(play.on({ kind: 'not-sent' }).shown).toMatchObject({ state: 'ready', deliveries: 0 });
  });
});

test('a job that starts nothing more skips nodes whose turn has not come, and lets others go on', () => {
  const waiting = new Play().on({ kind: 'begin' }).on({ kind: 'skip', detail: 'stopped' });
  const running = granted().on({ kind: 'skip', detail: 'stopped' });

  expect(waiting.shown).toMatchObject({ state: 'skipped', detail: 'stopped' });
  expect(running.shown.state).toBe('ready');
});

test('output is asked for once over each connection, where somebody wants to see it', () => {
  const play = granted();
  play.isFollowed = true;

  expect(play.on(accepted).shown.effects).toEqual(['follow']);
  expect(play.on(accepted).shown.effects).toEqual([]);
  play.on({ kind: 'connected' });
  expect(play.on({ kind: 'answer', answer: { kind: 'running' } }).shown.effects).toEqual(['follow']);
});

test('a restart of the server asks agents that are there, and waits longer for the others', () => {
  const there = granted().on(accepted).on({ kind: 'resume' });
  const away = granted().on(accepted);
  away.isConnected = false;
  away.expectedUntil = 9000;
  away.on({ kind: 'resume' }).at(8999).on({ kind: 'tick' });

  expect(there.shown.effects).toEqual(['query']);
  expect(away.shown.state).toBe('running');
  expect(away.at(9000).on({ kind: 'tick' }).shown.state).toBe('errored');
});

describe('the report of a run', () => {
  const ran = () => {
    const play = granted();
    const context: ActionContext = {
      now: 0,
      isConnected: true,
      expectedUntil: 0,
      isFollowed: false,
      freshId: () => 'x',
      policy,
      interpret: () => ({ state: 'finished', result: { status: 'changed' }, reportOf: 'u1' }),
    };
    const answer = { kind: 'results', results: {} } as const;
    const step = advanceAction(play.action, { kind: 'answer', answer }, context);
    [play.action, play.effects] = [step.action, step.effects];
    return play;
  };

  test('is looked for, and added to the result', () => {
    const play = ran();

    expect(play.effects).toEqual([{ kind: 'find-report', transactionUuid: 'u1' }]);
    play.on({ kind: 'report', report: undefined }).on({ kind: 'lost' }).on({ kind: 'connected' });
    expect(play.action.state).toBe('running');
    play.on({ kind: 'report', report: { events: 3 } });
    expect(play.action.outcome).toMatchObject({
      state: 'finished',
      result: { status: 'changed', events: 3 },
    });
    expect(play.action.pending).toBeUndefined();
  });

  test('is looked for again after ever longer pauses, and then done without', () => {
    const play = ran();

    expect(play.at(9).on({ kind: 'tick' }).effects).toEqual([]);
    expect(play.at(10).on({ kind: 'tick' }).shown.effects).toEqual(['find-report']);
    expect(play.at(29).on({ kind: 'tick' }).effects).toEqual([]);
    expect(play.at(30).on({ kind: 'tick' }).action.outcome).toMatchObject({ result: { status: 'changed' } });
  });

  test('is looked for after a restart, too', () => {
    expect(ran().on({ kind: 'resume' }).shown.effects).toEqual(['find-report']);
  });
});

test('nothing happens to an action that has ended, and answers before a request belong to something else', () => {
  const ended = granted().on({ kind: 'answer', answer: { kind: 'error', description: 'no' } });
  const early = new Play().on({ kind: 'begin' }).on(accepted);

  expect(ended.shown).toMatchObject({ state: 'errored', detail: 'no' });
  expect(ended.on(accepted).shown.state).toBe('errored');
  expect(early.shown).toMatchObject({ state: 'new', effects: [] });
});
