import { describe, expect, test } from 'vitest';
import type { AgentRunRecord } from './agent-run.ts';
import { judgeCluster } from './verdict.ts';

const kill = { host: 'compile3.site.test', at: 100_000 };
const lost = 'Error: Could not retrieve catalog from remote server: Connection reset by peer';
const skipping = 'Error: Could not retrieve catalog; skipping run';

function faultsOf(run: Partial<AgentRunRecord>): readonly string[] {
  const record = {
    certname: 'web1',
    kind: 'simulated',
    began: 99_000,
    ended: 100_500,
    putOff: 0,
    ...run,
  } as const;
  return judgeCluster({ runs: [record], events: [], deploys: [], kills: [kill] }).faults;
}

function real(...complaints: readonly (readonly [text: string, at: number])[]): Partial<AgentRunRecord> {
  const said = complaints.map(([text, at]) => ({ text, at }));
  return { kind: 'real', ended: 130_000, failure: 'exit code 1', complaints: said };
}

describe('A simulated agent', () => {
  const failure = 'Error: read ECONNRESET';

  test('may lose the request that was in flight at the server that was killed', () => {
    expect(faultsOf({ failure, server: kill.host })).toEqual([]);
    expect(faultsOf({ failure })).toEqual([]);
  });

  test.each([
    ['at another server', { failure, server: 'compile4.site.test' }],
    ['in a run that began when it was gone', { failure, began: 100_100 }],
    ['before the kill', { failure, ended: 99_900 }],
    ['long after the kill', { failure, ended: 111_000 }],
    ['for another reason', { failure: 'Error: status 500' }],
  ])('fails %s', (_when, run) => {
    expect(faultsOf(run)).toHaveLength(1);
  });
});

describe('A simulated agent at a server whose disk is full', () => {
  const failure = 'Error: socket hang up';
  const hindrance = { host: 'compile1.site.test', began: 200_000, ended: 260_000 };
  const faults = (run: Partial<AgentRunRecord>) =>
    judgeCluster({
      runs: [
        { certname: 'web1', kind: 'simulated', began: 203_000, ended: 203_200, putOff: 0, failure, ...run },
      ],
      events: [],
      deploys: [],
      kills: [],
      hindrances: [hindrance],
    }).faults;

  test('may lose its connection when HAProxy takes the server out', () => {
    expect(faults({ server: hindrance.host })).toEqual([]);
  });

  test.each([
    ['at another server', { server: 'compile4.site.test' }],
    [
      'in a run that began when it should have been out',
      { server: hindrance.host, began: 211_000, ended: 211_100 },
    ],
    ['before the disk was full', { server: hindrance.host, began: 198_000, ended: 199_000 }],
  ])('fails %s', (_when, run) => {
    expect(faults(run)).toHaveLength(1);
  });
});

describe('A real agent', () => {
  test('may lose the request that was in flight, however long its run goes on', () => {
    expect(faultsOf(real([lost, 100_200], [skipping, 100_300]))).toEqual([]);
  });

  test('may say twice that a file could not be fetched, once for its resource', () => {
    const request =
      'Request to https://puppet:8140/one failed after 0.001 seconds: SSL_read: unexpected eof while reading';
    const resource = `Error: /Stage[main]/Main/File[/tmp/one]/content: change from '{md5}1' to '{md5}2' failed: ${request}`;

    expect(faultsOf(real([`Error: ${request}`, 100_200], [resource, 100_250]))).toEqual([]);
    expect(
      faultsOf(real([`Error: ${request}`, 100_200], [resource.replace('/one f', '/two f'), 100_250])),
    ).toHaveLength(1);
  });

  test.each([
    ['when a second request is lost', real([lost, 100_200], [lost, 100_400])],
    ['when the request is lost at another time', real([lost, 120_000])],
    ['when something else goes wrong besides', real([lost, 100_200], ['Error: checksums differ', 100_300])],
    ['without having lost anything', real([skipping, 100_300])],
    ['when it says nothing', real()],
  ])('fails %s', (_when, run) => {
    expect(faultsOf(run)).toHaveLength(1);
  });
});

test('what went well is no fault', () => {
  expect(faultsOf({ version: '1' })).toEqual([]);
});
