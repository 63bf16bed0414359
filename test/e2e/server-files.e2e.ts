/** What a compile server needs besides code: it comes with the joining, follows each change, and goes when the server leaves. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { fetchCatalog, notifications } from './support/catalog-request.ts';
import { encrypted, makeEyamlKeys } from './support/eyaml.ts';
import { JoiningServer, run, stateOf } from './support/joining.ts';
import { lackObstacle } from './support/machine-without.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const node = 'secret.e2e.test';
/** On the primary's machine alone. */
const only = mkdtempSync(join(tmpdir(), 'bunraku-primary-only-'));
const at = (name: string) => join(only, name);

afterAll(() => rmSync(only, { recursive: true }));

const obstacle = lackObstacle();
if (obstacle !== '') scenariosUnless(obstacle, 'Files of compile servers', () => {});
else
  scenarios('Files of compile servers', () => {
    const site = runningSite(
      {
        compileServers: 0,
        settings: {
          node_terminus: 'exec',
          external_nodes: at('bin/enc'),
          trusted_external_command: at('bin/trusted'),
          hiera_config: at('hiera.yaml'),
          compile_server_files: `auto, ${at('site')}, ${at('data')}`,
        },
      },
      (prepared) => {
        makeFiles();
        stageCode(prepared, 'first');
      },
    );

    test('a new server compiles as the primary does, which alone had them, and follows each change', async () => {
      const server = await JoiningServer.create(site(), 'keyed.example.test');
      const joined = await server.join('--token', await tokenOf(site()));
      expect(joined.exitCode, joined.output).toBe(0);
      const agent = site().agent(node, server.port);
      await site().agent(node, site().installation.options.ports.primary).run();
      const client = agent.client();

      const launchedMs = performance.now();
      server.lacks(only).launch();
      await until('it listens', () => isReady(server.url));
      const catalog = await fetchCatalog(client, server.url, node);
      console.info(`first catalog ${Math.round(performance.now() - launchedMs)} ms after launch`);
      const run = await agent.runsCleanly(2);

      expect(Object.keys(notifications(catalog))).toEqual(expected('first'));
      for (const message of expected('first')) expect(run.output).toContain(message);

      // Another key and data for it: the key first, as there is no other order in which both exist.
      makeKeys();
      stageCode(site(), 'second');
      await site().installation.deploy();
      const second = await agent.runsCleanly(2);
      expect(second.output).toContain('secret: second');

      writeFileSync(at('site/service.conf'), 'from = changed\n');
      await until('the change has arrived', async () =>
        Object.hasOwn(notifications(await fetchCatalog(client, server.url, node)), 'ruby: changed'),
      );
      client.close();

      const files = join(server.data, 'state', 'server-files');
      expect(readdirSync(files)).toContain('payloads');
      expect(logOf(site(), server.certname)).not.toMatch(/PRIVATE KEY|secret: /);
      const left = await server.leave();
      expect(left.exitCode, left.output).toBe(0);
      await until('it has ended', () => !server.isRunning);
      expect(existsSync(files)).toBe(false);
    });

    test('a server does not serve without a file that settings name, and says which', async () => {
      rmSync(at('site'), { recursive: true });
      await until('the primary has noticed', async () =>
        (await statusText(site())).includes('Compile servers do not get'),
      );
      const server = await JoiningServer.create(site(), 'waiting.example.test');
      await server.join('--token', await tokenOf(site()));
      server.lacks(only, { isReadOnly: true }).launch();

      const told = await until('it says what it lacks', async () => {
        const text = await statusText(site());
        return text.includes('waiting.example.test does not serve') ? text : undefined;
      });
      const before = await stateOf(site(), server.certname);
      mkdirSync(at('site'));
      writeFileSync(at('site/service.conf'), 'from = file\n');
      await until('it serves', async () => (await stateOf(site(), server.certname)) === 'running');

      expect(told).toContain(
        `waiting.example.test does not serve: it lacks ${at('site')}, which compile_server_files names: there is no such file`,
      );
      expect(before).toBe('starting');

      // Where it may not make links, all readers of its own find the files all the same; a program does not.
      const client = site().agent(node).client();
      const catalog = await fetchCatalog(client, server.url, node);
      client.close();
      expect(Object.keys(notifications(catalog))).toEqual(expected('second', 'without its file'));
      await server.leave();
    });
  });

function makeFiles(): void {
  for (const name of ['bin', 'data', 'site', 'keys']) mkdirSync(at(name), { recursive: true });
  const program = (name: string, text: string) => writeFileSync(at(`bin/${name}`), text, { mode: 0o755 });
  const answer = `enc=answered; cat ${at('site/service.conf')} >/dev/null 2>&1 || enc='without its file'`;
  program('enc', `#!/bin/sh\n${answer}\necho "parameters: {enc: $enc}"\n`);
  program('trusted', `#!/bin/sh\necho '{"site": "known"}'\n`);
  writeFileSync(at('site/service.conf'), 'from = file\n');
  writeFileSync(at('keys/token'), 'state: opened\n');
  writeFileSync(at('data/global.yaml'), 'global: from the global layer\n');
  const hierarchy = `[{name: global, data_hash: yaml_data, datadir: ${at('data')}, path: global.yaml}]`;
  writeFileSync(at('hiera.yaml'), `version: 5\nhierarchy: ${hierarchy}\n`);
  makeKeys();
}

function makeKeys(): void {
  makeEyamlKeys(at('keys'));
}

/** Data that only the key of this moment opens, and code that shows all that comes from outside of the code. */
function stageCode(site: Site, secret: string): void {
  const block = encrypted({ publicKey: at('keys/public.pem') }, secret);
  site.stage({
    'hiera.yaml': `
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options:
      pkcs7_private_key: ${at('keys/private.pem')}
      pkcs7_public_key: ${at('keys/public.pem')}
  - name: backend
    lookup_key: site_backend
    options: {token_file: ${at('keys/token')}}
`,
    'lib/puppet/functions/site_backend.rb': `require 'yaml'
Puppet::Functions.create_function(:site_backend) do
  dispatch :find do
    param 'Variant[String, Numeric]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def find(key, options, context)
    return context.not_found unless key == 'backend'
    YAML.load_file(options['token_file'])['state']
  end
end
`,
    'data/secrets.eyaml': `secret: ${block}\n`,
    'lib/puppet/functions/service_conf.rb': `Puppet::Functions.create_function(:service_conf) do
      def service_conf
        File.read('${at('site/service.conf')}')[/from = (.*)/, 1]
      end
    end\n`,
    'manifests/site.pp': `
notify { "secret: \${lookup('secret')}": }
notify { "global: \${lookup('global')}": }
notify { "backend: \${lookup('backend')}": }
notify { "enc: \${enc}": }
notify { "trusted: \${trusted['external']['site']}": }
notify { "file: \${file('${at('site/service.conf')}').split('= ')[1].strip}": }
notify { "ruby: \${service_conf()}": }
`,
  });
}

function expected(secret: string, enc = 'answered'): readonly string[] {
  return [
    `secret: ${secret}`,
    'global: from the global layer',
    'backend: opened',
    `enc: ${enc}`,
    'trusted: known',
    'file: file',
    'ruby: file',
  ];
}

function logOf(site: Site, certname: string): string {
  return readFileSync(join(site.directory, 'log', `${certname}.log`), 'utf8');
}

async function tokenOf(site: Site): Promise<string> {
  const { output } = await run(site, [
    'infrastructure',
    'token',
    '--data',
    site.installation.primaryDirectory,
  ]);
  return output.trim();
}

async function statusText(site: Site): Promise<string> {
  const { output } = await run(site, [
    'infrastructure',
    'status',
    '--data',
    site.installation.primaryDirectory,
  ]);
  return output;
}
