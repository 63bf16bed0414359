import { describe, expect, test } from 'vitest';
import { protocol } from './protocol.ts';
import { type ListedServer, statusEntries } from './status-entries.ts';
import { CheckInWire } from './wire.ts';

const lastContactAt = new Date('2026-01-01T00:00:00Z');

function server(report: object | undefined, changes: Partial<ListedServer> = {}): ListedServer {
  const whole = {
    state: 'running',
    version: '8.0.0',
    protocol,
    url: 'https://compile1.test:8141',
    started_at: '2026-01-01T00:00:00Z',
    services: { master: { state: 'running' } },
    code: {},
    load: { workers: 1, busy_workers: 0, queued: 0, load_average: 0, cores: 1, resident_bytes: 1 },
  };
  return {
    certname: 'compile1.test',
    role: 'compile server',
    state: 'running',
    joinedAt: lastContactAt,
    lastContactAt,
    report: report === undefined ? undefined : CheckInWire.parse({ ...whole, ...report }),
    ...changes,
  };
}

const shown = (listed: ListedServer) => statusEntries(listed).map(({ service, url }) => `${service} ${url}`);

describe('services are shown', () => {
  test('at their own port and path, or at the one that they report', () => {
    const running = { state: 'running' };
    const services = {
      ca: running,
      'rbac-service': running,
      'code-manager-service': running,
      'puppetdb-status': { ...running, port: 18081 },
      'broker-service': running,
    };

    expect(shown(server({ services }))).toEqual([
      'certificate-authority-service https://compile1.test:8141/',
      'rbac-service https://compile1.test:4433/rbac-api',
      'code-manager-service https://compile1.test:8170/',
      'puppetdb-status https://compile1.test:18081/pdb',
      'broker-service https://compile1.test:8141/',
    ]);
  });

  test('without other names of the same, and disks only when they are full', () => {
    const services = {
      master: { state: 'running' },
      server: { state: 'running' },
      'status-service': { state: 'running' },
    };
    const disk = (state: string) => ({ ...services, 'disk-service': { state } });

    expect(shown(server({ services: disk('running') }))).toEqual(['pe-master https://compile1.test:8141/']);
    expect(shown(server({ services: disk('error') }))).toEqual([
      'pe-master https://compile1.test:8141/',
      'disk-service https://compile1.test:8141/',
    ]);
  });

  test('as expected of a server that has joined and said nothing yet', () => {
    const joining = statusEntries(server(undefined, { state: 'joining', lastContactAt: undefined }));

    expect(joining.map(({ service, state, status, url }) => [service, state, status, url])).toEqual([
      ['pe-master', 'joining', null, 'https://compile1.test:8140/'],
      ['file-sync-client-service', 'joining', null, 'https://compile1.test:8140/'],
    ]);
  });
});

test('a service that a server no longer names is unknown, and keeps its own status', () => {
  const services = {
    ca: { state: 'running', status: { a: 1 } },
    master: { state: 'running', status: ['odd'] },
  };

  const [ca, master] = statusEntries(server({ services, undelivered: 3 }));

  expect(ca).toMatchObject({ state: 'running', status: { a: 1 } });
  expect(master?.status).toMatchObject({
    0: 'odd',
    role: 'compile server',
    undelivered: 3,
    load: { workers: 1 },
  });
});

describe('alerts', () => {
  const alerts = (report: object, changes: Partial<ListedServer> = {}) =>
    statusEntries(server(report, changes)).flatMap((entry) => entry.alerts.map(({ message }) => message));

  test.each([
    ['2026-01-15T00:00:00Z', []],
    ['2026-01-14T23:59:59Z', ['Its certificate ends in 13 days']],
    ['2025-12-31T00:00:00Z', ['Its certificate ended on 2025-12-31T00:00:00Z']],
  ])('about a certificate that ends at %s', (certificateEnd, expected) => {
    expect(alerts({ certificate_ends_at: certificateEnd })).toEqual(expected);
  });

  test('of a server itself come first; none are shown of one that is away', () => {
    const own = [{ severity: 'warning', message: 'the disk is slow' }];
    const report = { services: { master: { state: 'running', active_alerts: own } }, protocol: protocol + 1 };

    expect(alerts(report)).toEqual([
      'the disk is slow',
      `It speaks protocol ${protocol + 1}, the primary ${protocol}: update the older of the two`,
    ]);
    expect(alerts(report, { state: 'unreachable' })).toEqual([]);
  });
});
