/** Users made on the command line, who log in and show their tokens to each port; also after a restart, and not when taken back. */

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../../src/platform/x509/index.ts';
import { codeAt } from '../../src/services/rbac/second-factor/one-time-code.ts';
import { isSlapdInstalled, slapdManager, slapdSuffix, startSlapd } from '../support/running-slapd.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';

const [usersPort, puppetDbPort, codePort] = [await freePort(), await freePort(), await freePort()];
const password = 'correct horse';

scenarios('Users', () => {
  const settings = {
    node_terminus: 'classifier',
    console_services_port: usersPort,
    puppetdb_port: puppetDbPort,
    code_manager_port: codePort,
  };
  const site = runningSite({ compileServers: 0, settings }, ({ installation }) => {
    mkdirSync(installation.primaryDirectory, { recursive: true });
    writeFileSync(join(installation.primaryDirectory, 'r10k.yaml'), '---\nsources: {}\n');
  });
  const caFile = () => join(site().installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem');
  const service = () => ['--service-url', `https://localhost:${usersPort}/rbac-api`];

  /** @returns what the command prints @throws Error with its complaint */
  const bunraku = async (args: readonly string[], input = ''): Promise<string> => {
    const { node, project } = site().installation.options;
    const child = spawn(node, [join(project, 'dist', 'main.js'), ...args], {
      env: { ...process.env, HOME: site().directory },
    });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    });
    const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code !== 0) throw new Error(complaint);
    return output.trim();
  };
  const onPrimary = (args: readonly string[], input = '') =>
    bunraku([...args, '--data', site().installation.primaryDirectory], input);
  const logIn = (login: string) =>
    bunraku(['access', 'login', login, '--print', '--ca-cert', caFile(), ...service()], `${password}\n`);

  const send = async (port: number, path: string, token: string, posted?: unknown) => {
    const client = new HttpClient({ ca: readFileSync(caFile(), 'utf8') });
    try {
      const { body: answer, status } = await client.send({
        method: posted === undefined ? 'GET' : 'POST',
        url: `https://localhost:${port}${path}`,
        headers: { 'content-type': 'application/json', 'x-authentication': token },
        ...(posted === undefined ? {} : { body: JSON.stringify(posted) }),
      });
      return { status, text: answer.toString('utf8') };
    } finally {
      client.close();
    }
  };
  /** The status of a question and of a change on each port. */
  const mayDo = async (token: string) => {
    const rename = { name: 'All Nodes', classes: {}, parent: '00000000-0000-4000-8000-000000000000' };
    const answers = {
      query: send(puppetDbPort, '/pdb/query/v4/nodes', token),
      exportAll: send(puppetDbPort, '/pdb/admin/v1/archive', token),
      deploy: send(codePort, '/code-manager/v1/deploys', token, { environments: ['production'] }),
      viewGroups: send(usersPort, '/classifier-api/v1/groups', token),
      changeGroups: send(usersPort, '/classifier-api/v1/groups', token, { ...rename, id: 'none' }),
      createUser: send(usersPort, '/rbac-api/v1/users', token, { login: 'olga' }),
    };
    const statuses = await Promise.all(
      Object.entries(answers).map(async ([name, answer]) => [name, (await answer).status] as const),
    );
    return Object.fromEntries(statuses);
  };

  test('are made on the primary, and do what their roles allow on each port', async () => {
    for (const [login, role] of [
      ['olga', 'operators'],
      ['vera', 'viewers'],
      ['ada', 'administrators'],
    ] as const)
      await onPrimary(['user', 'create', login, '--role', role], password);

    // 400 and 409 say that somebody may, and that what is asked for makes no sense.
    expect(await mayDo(await logIn('olga'))).toEqual({
      query: 200,
      exportAll: 403,
      deploy: 200,
      viewGroups: 200,
      changeGroups: 400,
      createUser: 403,
    });
    expect(await mayDo(await logIn('vera'))).toEqual({
      query: 200,
      exportAll: 403,
      deploy: 403,
      viewGroups: 200,
      changeGroups: 403,
      createUser: 403,
    });
    expect(await mayDo(await logIn('ada'))).toMatchObject({ exportAll: 200, createUser: 409 });
    expect(await mayDo('0'.repeat(44))).toEqual({
      query: 401,
      exportAll: 401,
      deploy: 401,
      viewGroups: 401,
      changeGroups: 401,
      createUser: 401,
    });
    await expect(
      bunraku(['access', 'login', 'olga', '--print', '--ca-cert', caFile(), ...service()], 'wrong'),
    ).rejects.toThrow('The login or the password is incorrect');
  });

  test('sign requests and see servers, where their roles permit it', async () => {
    const agentsPort = site().installation.options.ports.primary;
    const certname = 'signed-by-ada.example';
    const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
    const altNames = 'DNS:puppet';
    const request = encodeCertificateRequest(await createCertificateRequest({ certname, altNames }, keys));
    const client = new HttpClient({ ca: readFileSync(caFile(), 'utf8') });
    const ask = async (token: string | undefined, method: string, path: string, body?: string) => {
      const headers = { 'content-type': 'application/json', 'x-authentication': token ?? '' };
      const url = `https://localhost:${agentsPort}${path}`;
      const answer = await client.send({ method, url, headers, ...(body === undefined ? {} : { body }) });
      return { status: answer.status, text: answer.body.toString('utf8') };
    };
    const status = `/puppet-ca/v1/certificate_status/${certname}`;
    const signed = (consent: object) => JSON.stringify({ desired_state: 'signed', ...consent });
    const [ada, olga] = [await logIn('ada'), await logIn('olga')];

    await ask(undefined, 'PUT', `/puppet-ca/v1/certificate_request/${certname}`, request);
    const list = await ask(ada, 'GET', '/puppet-ca/v1/certificate_statuses/any?q=signed-by&limit=10');
    const [{ fingerprint } = {}] = JSON.parse(list.text) as readonly { readonly fingerprint?: string }[];
    const answers = [
      await ask(undefined, 'PUT', status, signed({})),
      await ask(olga, 'PUT', status, signed({})),
      await ask(ada, 'PUT', status, signed({})),
      await ask(ada, 'PUT', status, signed({ allow_subject_alt_names: true, fingerprint })),
      await ask(olga, 'GET', '/infrastructure/v1/status'),
      await ask(ada, 'GET', '/infrastructure/v1/status'),
    ];
    client.close();
    const activity = ['--service-url', `https://localhost:${usersPort}/activity-api`, '--format', 'csv'];
    const recorded = await onPrimary(['activity', '--service', 'ca', '--limit', '1', ...activity]);

    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 409, 204, 403, 200]);
    expect(recorded).toMatch(new RegExp(`,ada,[^,]+,certificates ${certname},"?Signed the certificate`));
  });

  test('have tokens that outlive the server, and that are gone when they are taken back', async () => {
    await bunraku(['access', 'login', 'vera', '--ca-cert', caFile(), ...service()], password);
    const query = [
      'query',
      'nodes[certname]{ }',
      '--format',
      'json',
      '--url',
      `https://localhost:${puppetDbPort}`,
    ];
    const asVera = [...query, '--cacert', caFile(), '--hostprivkey', '/nowhere', '--hostcert', '/nowhere'];

    const before = await bunraku(asVera);
    await site().installation.primary?.stop();
    await site().installation.startPrimary();
    const after = await bunraku(asVera);
    await onPrimary(['user', 'token', 'vera', '--revoke']);

    expect(JSON.parse(before)).toEqual(JSON.parse(after));
    await expect(bunraku(asVera)).rejects.toThrow('Authentication token has been revoked.');
    expect(await onPrimary(['user', 'list'])).toMatch(/^vera {2,}Viewers/m);
    const log = JSON.stringify(site().logOf('primary'));
    expect(log).not.toContain(await bunraku(['access', 'show']));
    expect(log).not.toContain(password);
  });

  test('leave a record of what they and others changed', async () => {
    const primary = 'primary.bunraku.test';
    await bunraku(['access', 'login', 'olga', '--ca-cert', caFile(), ...service()], password);
    const token = await bunraku(['access', 'show']);
    const group = { name: 'Web', classes: {}, parent: '00000000-0000-4000-8000-000000000000' };
    await send(usersPort, '/classifier-api/v1/groups', token, group);
    const url = ['--service-url', `https://localhost:${usersPort}/activity-api`];
    const activity = async (...args: readonly string[]) =>
      (await onPrimary(['activity', ...args, ...url, '--format', 'csv'])).split('\n').slice(1);

    const [groups, users, deploys] = await Promise.all([
      activity('--service', 'classifier', '--limit', '1'),
      activity('--service', 'rbac', '--limit', '200'),
      activity('--service', 'code-manager'),
    ]);

    expect(groups).toEqual([
      expect.stringMatching(/,olga,[^,]+,node_groups Web,"Created the ""Web"" group with id /),
    ]);
    expect(users.some((row) => row.includes(`,${primary},`) && row.includes('Created the user vera'))).toBe(
      true,
    );
    expect(users.some((row) => row.includes(',olga,') && row.includes('The user olga logged in'))).toBe(true);
    expect(deploys).toEqual([
      expect.stringMatching(/,ada,.*Could not deploy the environment production/),
      expect.stringMatching(/,olga,.*Could not deploy the environment production/),
    ]);
  });

  test.skipIf(!isSlapdInstalled)(
    'log in with the passwords of a directory, and do what its groups may',
    async () => {
      const entries = [
        `dn: ${slapdSuffix}\nobjectClass: dcObject\nobjectClass: organization\no: example\ndc: example\n`,
        `dn: uid=dora,${slapdSuffix}\nobjectClass: inetOrgPerson\nuid: dora\ncn: Dora\nsn: D\nuserPassword: ${password}\n`,
        `dn: cn=ops,${slapdSuffix}\nobjectClass: groupOfNames\ncn: ops\nmember: uid=dora,${slapdSuffix}\n`,
      ];
      const slapd = await startSlapd({ ldif: entries.join('\n') });
      try {
        const directory = ['access', 'directory'];
        const plain = ['--security', 'none', '--set', `port=${slapd.port}`];
        const more = [
          '--kind',
          'openldap',
          '--base-dn',
          slapdSuffix,
          '--lookup-user',
          slapdManager.dn,
          ...plain,
        ];
        const set = [...directory, 'set', 'Company', '--host', '127.0.0.1', ...more];
        await expect(onPrimary(set, 'wrong')).rejects.toThrow('the lookup user cn=manager');
        await onPrimary(set, slapdManager.password);
        expect(await onPrimary([...directory, 'test'])).toMatch(/^Company answers \(\d+ ms\)$/);
        expect(await onPrimary([...directory, 'show'])).toMatch(/Company +127.0.0.1:\d+ +none +dc=example/);
        await onPrimary([...directory, 'set', 'company', '--set', 'search_nested_groups=true']);
        const shown = await onPrimary([...directory, 'show', 'company']);
        expect(shown).toMatch(/search_nested_groups +true/);
        expect(shown).not.toContain(slapdManager.password);
        const group = ['access', 'group'];
        await onPrimary([...group, 'import', 'ops', '--role', 'viewers']);

        const token = await logIn('dora');

        expect(await mayDo(token)).toMatchObject({ query: 200, deploy: 403 });
        expect(await onPrimary(['user', 'list'])).toMatch(/dora +dora +Viewers +\S+ +elsewhere/i);
        expect(await onPrimary([...group, 'list'])).toMatch(/ops +ops +Viewers +dora/);
        expect(await onPrimary([...group, 'roles', 'ops', '--add', 'operators'])).toBe('Operators\nViewers');
        expect(await mayDo(token)).toMatchObject({ query: 200, deploy: 200 });
        await onPrimary([...group, 'delete', 'ops']);
        expect(await mayDo(token)).toMatchObject({ query: 403, deploy: 403 });
        await onPrimary([...directory, 'delete', 'Company']);
        expect(await mayDo(token)).toMatchObject({ query: 401 });
      } finally {
        await slapd.remove();
      }
    },
  );

  test('show one-time codes beside the password, until an operator says otherwise', async () => {
    await onPrimary(['user', 'create', 'otto', '--role', 'viewers'], password);
    const token = await logIn('otto');
    const file = join(site().directory, 'otto.token');
    writeFileSync(file, token);
    const path = '/rbac-api/v1/users/current/second-factor';
    const begun = await send(usersPort, path, token, { current_password: password });
    const { uri } = JSON.parse(begun.text) as { readonly uri: string };
    const secret = secretIn(uri);
    const client = new HttpClient({ ca: readFileSync(caFile(), 'utf8') });
    const confirmed = await client.send({
      method: 'PUT',
      url: `https://localhost:${usersPort}${path}`,
      headers: { 'content-type': 'application/json', 'x-authentication': token },
      body: JSON.stringify({ one_time_code: codeAt(secret, Date.now()) }),
    });
    client.close();
    expect(confirmed.status).toBe(200);
    const asOtto = ['--token-file', file, '--cacert', caFile(), ...service()];

    expect(await bunraku(['access', 'second-factor', 'show', ...asOtto])).toBe(
      'enabled, 10 recovery codes left',
    );
    await expect(logIn('otto')).rejects.toThrow('A one-time code is needed');
    // The code of the next half minute counts already, and that of this one was used.
    const login = ['access', 'login', 'otto', '--print', '--ca-cert', caFile(), ...service()];
    const code = codeAt(secret, Date.now() + 30_000);
    expect(await bunraku([...login, '--code', code], password)).toMatch(/^[\w-]{44}$/);
    await expect(bunraku([...login, '--code', code], password)).rejects.toThrow('incorrect');
    await onPrimary(['user', 'remove-second-factor', 'otto']);
    await logIn('otto');
    expect(await bunraku(['access', 'second-factor', 'show', ...asOtto])).toBe('not enabled');
  });
});

/** Of an `otpauth` URI: base 32 without padding, of whole bytes. */
function secretIn(uri: string): Buffer {
  const text = new URL(uri).searchParams.get('secret') ?? '';
  const bits = Array.from(text, (each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
