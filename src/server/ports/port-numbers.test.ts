import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  consoleServicesPort,
  controllerUrl,
  listenBeside,
  pcpBrokerPort,
  puppetDbPort,
} from './port-numbers.ts';

function confDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-ports-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('the ports that clients know go with the one that agents know, unless they are named', () => {
  const confDir = confDirectory();
  const ports = (serverPort: number, named: number | 'auto') => [
    puppetDbPort({ confDir, puppetDbPort: named, serverPort }),
    consoleServicesPort({ consoleServicesPort: named, serverPort }),
    pcpBrokerPort({ pcpBrokerPort: named, serverPort }),
  ];

  expect(ports(8140, 'auto')).toEqual([8081, 4433, 8142]);
  expect(ports(18_140, 'auto')).toEqual([0, 0, 0]);
  expect(ports(18_140, 9000)).toEqual([9000, 9000, 9000]);
  expect(ports(8140, 0)).toEqual([0, 0, 0]);
});

test('a primary that uses another PuppetDB opens no port for one of its own, unless it is named', () => {
  const confDir = confDirectory();
  writeFileSync(join(confDir, 'puppetdb.conf'), '[main]\nserver_urls = https://puppetdb.test:8081\n');

  expect(puppetDbPort({ confDir, puppetDbPort: 'auto', serverPort: 8140 })).toBe(0);
  expect(puppetDbPort({ confDir, puppetDbPort: 8081, serverPort: 8140 })).toBe(8081);
});

test('a broker finds the orchestrator beside the primary, at the known port or at the one that is named', () => {
  const urls = (primaryUrl: string) =>
    (['auto', 9143, 0] as const).map((port) => controllerUrl(primaryUrl, { orchestratorPort: port }));

  expect(urls('https://primary.test:8140')).toEqual([
    'wss://primary.test:8143/server',
    'wss://primary.test:9143/server',
    undefined,
  ]);
  expect(urls('https://primary.test:18140')).toEqual([
    undefined,
    'wss://primary.test:9143/server',
    undefined,
  ]);
});

test('whose port is taken is told which setting names it', async () => {
  const server = () =>
    createHttpServer({
      routes: [],
      authorization: { rules: [], allowHeaderCertInfo: false },
      log: silentLogger,
    });
  const [first, second] = [server(), server()];
  const place = { listen: '127.0.0.1' };
  const port = await listenBeside(first, 0, place, 'puppetdb_port');
  onTestFinished(() => first.drain(0));

  await expect(listenBeside(second, port, place, 'puppetdb_port')).rejects.toThrow(
    `Port ${port} is in use by another program; the setting puppetdb_port names another one, or 0 for none`,
  );
});
