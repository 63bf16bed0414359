import { describe, expect, test } from 'vitest';
import { loadSettings, parseFlags } from './index.ts';
import { parseWebserverConf } from './webserver-conf.ts';

const file = '/etc/puppetlabs/puppetserver/conf.d/webserver.conf';

function load(text: string, flags: readonly string[] = []) {
  const files: Readonly<Record<string, string>> = {
    [file]: text,
    '/etc/puppetlabs/puppet/puppet.conf': '[main]\nserverport = 8150\nhostcert = /other.pem\n',
  };
  return loadSettings({
    flags: parseFlags(flags).values,
    environment: {},
    hostname: 'primary.example.net',
    readFile: (path) => files[path],
  });
}

describe('webserver.conf', () => {
  // As Debian's and Puppet's own packages bring it.
  const packaged = `webserver: {
    access-log-config: /etc/puppetlabs/puppetserver/request-logging.xml
    client-auth: want
    ssl-host: 0.0.0.0
    ssl-port: 8140
}
`;

  test('says what is listened on, whatever puppet.conf says, and flags say otherwise', () => {
    const read = load(packaged);
    const overridden = load(packaged, ['--serverport', '8141']);

    expect(read.settings).toMatchObject({ serverPort: 8140, listen: '0.0.0.0', hostCert: '/other.pem' });
    expect(read.origins).toMatchObject({ serverPort: `${file}:5`, listen: `${file}:4` });
    expect(read.warnings).toEqual([]);
    expect(overridden.settings).toMatchObject({ serverPort: 8141, listen: '0.0.0.0' });
  });

  test('names certificates of its own, a plain port and how long connections are kept', () => {
    const text = `webserver {
      ssl-cert: /c.pem, ssl-key: /k.pem, ssl-ca-cert: /ca.pem, ssl-crl-path: /crl.pem
      host: 10.0.0.1
      idle-timeout-milliseconds: 10500
    }`;

    expect(load(text).settings).toMatchObject({
      hostCert: '/c.pem',
      hostPrivKey: '/k.pem',
      localCaCert: '/ca.pem',
      hostCrl: '/crl.pem',
      httpHost: '10.0.0.1',
      httpPort: 8080,
      keepAliveTimeoutSeconds: 11,
    });
  });

  test('takes the server for agents when the file describes several', () => {
    const text =
      'webserver: {\n ssl-host: 10.0.0.1\n console: { ssl-port: 443 }\n puppet-server: { ssl-port: 8143 }\n}';

    const { settings, warnings } = load(text);

    expect(settings).toMatchObject({ listen: '10.0.0.1', serverPort: 8143 });
    expect(warnings).toEqual([`${file}:3: console has no effect here`]);
  });

  test.each([
    ['max-threads: 100', ['max-threads has no effect here']],
    [
      'client-auth: need',
      ['client-auth has no effect here: certificates are asked for, and not demanded (want)'],
    ],
    ['ssl-protocols: [TLSv1.2, TLSv1.3]', []],
    [
      'ssl-protocols: [TLSv1.1, TLSv1.2]',
      ['ssl-protocols has no effect here: TLSv1.2 and TLSv1.3 are served'],
    ],
    ['access-log-config: /own.xml', ['access-log-config has no effect here: see puppetserver_access_log']],
  ])('warns about settings without an effect: %s', (line, problems) => {
    const { warnings } = parseWebserverConf(`webserver: {\n${line}\n}`, file);

    expect(warnings).toEqual(problems.map((problem) => `${file}:2: ${problem}`));
  });

  test.each([
    ['webserver: { ssl-cert: /c.pem }', `${file}: ssl-cert without ssl-key, ssl-ca-cert: all are needed`],
    ['webserver: {\n ssl-port: [1] }', `${file}:2: ssl-port should be a text or a number`],
    [
      'webserver: {\n idle-timeout-milliseconds: soon }',
      `${file}:2: idle-timeout-milliseconds: 'soon' is not`,
    ],
    ['webserver: 1', `${file}: webserver should have settings by name`],
    ['webserver: {', `Could not parse ${file}: `],
    ['webserver: {\n ssl-port: 99999 }', `${file}:2: `],
  ])('is refused with its place: %s', (text, problem) => {
    expect(() => load(text)).toThrow(problem);
  });
});
