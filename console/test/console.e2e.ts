/** People who use the console in a browser, on a real primary with simulated nodes. */

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { chromium, isPresent } from '../../scripts/debian-packages.ts';
import { scenariosUnless } from '../../test/e2e/support/requirements.ts';
import { actPages, actScenarios } from './act-scenarios.ts';
import { causePages, causeScenarios } from './cause-scenarios.ts';
import { identityScenarios } from './identity-scenarios.ts';
import { inspectPages, inspectScenarios } from './inspect-scenarios.ts';
import { keyboardScenarios } from './keyboard-scenarios.ts';
import { adminPages, adminScenarios } from './support/admin-scenarios.ts';
import {
  chromiumProblem,
  logIn,
  looks,
  openChromium,
  overflows,
  patienceMs,
  settled,
  type Visitor,
  violations,
  visit,
} from './support/browser.ts';
import {
  changeGroup,
  connectNode,
  consoleSite,
  createUsers,
  fleet,
  hostileFact,
  origin,
  password,
  pictureDirectory,
  requestCertificate,
  runCommand,
  runFleet,
  runNode,
} from './support/console-site.ts';
import { connectProviders } from './support/identity-providers.ts';
import { consoleSizes } from './support/sizes.ts';

const patience = { timeout: patienceMs };
const obstacle = isPresent(chromium) ? '' : 'Debian package chromium is missing';
const problem = obstacle === '' ? await chromiumProblem() : '';
if (problem !== '')
  console.warn(`SKIPPED: Console: Chromium is installed, and does not start here: ${problem}`);

describe.skipIf(problem !== '')('In a browser', () => scenariosUnless(obstacle, 'Console', consoleScenarios));

function consoleScenarios(): void {
  const site = consoleSite();
  const running: { browser?: Browser; visitor?: Visitor } = {};
  const visitor = (): Visitor => {
    if (running.visitor === undefined) throw new Error('no window is open');
    return running.visitor;
  };
  const page = (): Page => visitor().page;
  const open = async (address: string) => {
    await page().goto(origin + address);
    await settled(page());
  };
  const rows = () =>
    page()
      .getByRole('row')
      .filter({ has: page().getByRole('cell') });
  const newVisitor = async () => {
    if (running.browser === undefined) throw new Error('no browser runs');
    return await visit(running.browser, origin);
  };

  beforeAll(async () => {
    await Promise.all([createUsers(site()), runFleet(site())]);
    running.browser = await openChromium();
    running.visitor = await newVisitor();
    await page().goto(origin);
    await logIn(page(), 'admin', password);
    await page().waitForURL(`${origin}/`);
  });
  afterAll(async () => await running.browser?.close());
  beforeEach(() => () => expect(visitor().complaints.splice(0)).toEqual([]));

  test('G0: log in', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/nodes?q=web`);
    await other.page.waitForURL(/\/login\?next=/);
    await logIn(other.page, 'admin', 'wrong');
    await other.page.waitForURL(`${origin}/auth/login`);
    expect(await other.page.getByRole('alert').textContent()).not.toBe('');

    // After a wrong password the next attempt has to wait a second.
    const goOn = async () => {
      await logIn(other.page, 'admin', password);
      await settled(other.page);
      return other.page.url();
    };
    await expect.poll(goOn, patience).toBe(`${origin}/nodes?q=web`);

    await other.page.getByRole('heading', { name: 'Nodes' }).waitFor();
    await other.page.getByRole('link', { name: 'Overview' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.context.close();
  });

  test('G0: log in by identity providers, which send the browser back from another site', async () => {
    const providers = await connectProviders(site());
    const other = await newVisitor();
    try {
      for (const [link, login] of Object.entries(providers.logins)) {
        await other.page.goto(`${origin}/nodes?q=web`);
        await other.page.getByRole('link', { name: link }).click();
        await other.page.waitForURL(`${origin}/nodes?q=web`);
        await other.page.getByRole('heading', { name: 'Nodes' }).waitFor();
        const session = `fetch('/console-api/v1/session').then((answer) => answer.json())`;
        expect(await other.page.evaluate(session)).toMatchObject({ user: { login } });
        await other.context.clearCookies();
      }
      expect(other.complaints.filter((each) => !each.startsWith('request to http://127.0.0.1'))).toEqual([]);
    } finally {
      await other.context.close();
      await providers.stop();
    }
  });

  test('each number of the overview leads to as many nodes', async () => {
    await open('/');
    const links = await page().locator('main a[href^="/nodes?q="]').all();
    const counts = await Promise.all(
      links.map(async (link) => ({
        href: (await link.getAttribute('href')) ?? '',
        count: Number(/\d+/.exec((await link.textContent()) ?? '')?.[0]),
      })),
    );
    expect(counts.map(({ count }) => count)).toContain(2);
    expect(counts.length).toBeGreaterThan(10);

    for (const { count, href } of counts) {
      await open(href);
      expect(await rows().count(), href).toBe(count);
    }
  });

  test('from the overview to the failure of a node', async () => {
    await open('/');
    await page()
      .getByRole('link', { name: /^Failed\s*2$/ })
      .click();
    await expect.poll(() => rows().count(), patience).toBe(2);
    await page().getByRole('link', { name: 'db01.e2e.test' }).click();
    await page().getByRole('heading', { name: 'db01.e2e.test' }).waitFor();
    await page().getByText('No space left on device').waitFor();
    await page().getByRole('tab', { name: 'Reports' }).click();
    await expect.poll(() => rows().count(), patience).toBe(fleet['db01.e2e.test']?.length);
    await page().getByRole('link', { name: 'Failed' }).click();
    await page().getByRole('heading', { name: 'Run of db01.e2e.test' }).waitFor();
    await page().getByText('No space left on device').waitFor();
    await page().getByRole('tab', { name: 'Log' }).click();
    await page().getByLabel('Level').selectOption('Errors');
    await page().getByText('1 of 4 lines').waitFor();
    await page().getByRole('link', { name: 'Previous run' }).click();
    await page().getByText('The run found every resource as it should be').waitFor();
  });

  test('an address shows the same to somebody else', async () => {
    await open('/nodes');
    await page().getByRole('searchbox').fill('status:failed fact.os.name=Debian');
    await expect.poll(() => page().url(), patience).toContain('fact.os.name');
    await settled(page());
    const names = await rows().allTextContents();
    expect(names.length).toBe(1);

    const other = await newVisitor();
    await other.page.goto(page().url());
    await logIn(other.page, 'admin', password);
    await other.page.waitForURL(page().url());
    await settled(other.page);

    const seen = await other.page
      .getByRole('row')
      .filter({ has: other.page.getByRole('cell') })
      .allTextContents();
    expect(seen).toEqual(names);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test('a filter that says nothing names its mistake, and each term can be removed', async () => {
    await open('/nodes?q=colour:red web');
    await page().getByText('colour: is not known').waitFor();
    visitor().complaints.splice(0); // the answer was 400
    await page().getByRole('button', { name: 'Remove colour:red' }).click();
    await expect.poll(() => page().url(), patience).toBe(`${origin}/nodes?q=web`);
    await expect.poll(() => rows().count(), patience).toBe(4);
  });

  test('facts, catalog and groups of a node', async () => {
    await open('/nodes/web01.e2e.test');
    await page().getByRole('tab', { name: 'Facts' }).click();
    await page().getByLabel('Search facts').fill('os.name');
    await page().getByRole('link', { name: 'Find nodes with this value of os.name' }).click();
    await page().waitForURL(/\/nodes\?q=fact\.os\.name/);
    await page().goBack();
    await page().getByRole('tab', { name: 'Catalog' }).click();
    await page().getByLabel('Search resources').fill('sitemap');
    await page()
      .getByRole('link', { name: /^File\[.*sitemap\.txt\]$/ })
      .click();
    await page().getByRole('heading', { name: 'Comes after' }).waitFor();
    await page().getByRole('tab', { name: 'Groups' }).click();
    await page().getByRole('region', { name: 'Matching groups' }).getByText('PE Agent').waitFor();
  });

  test('what nodes say is text', async () => {
    await open('/nodes/db01.e2e.test?tab=facts&find=hostile');
    await page().getByText(hostileFact).waitFor();
    expect(await page().locator('main img').count()).toBe(0);
  });

  test('by keyboard alone: to the nodes, filter, open one', async () => {
    await open('/');
    await page().keyboard.press('g');
    await page().keyboard.press('n');
    await page().waitForURL(`${origin}/nodes`);
    await page().getByRole('row').nth(1).waitFor();
    await page().keyboard.press('/');
    await page().keyboard.type('web02');
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().keyboard.press('Tab');
    await page().getByRole('link', { name: 'web02.e2e.test' }).focus();
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { name: 'web02.e2e.test' }).waitFor();
  });

  test('a session that ends: the page stays, and goes on after a new log-in', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/nodes`);
    await logIn(other.page, 'admin', password);
    await other.page.getByRole('link', { name: 'web01.e2e.test' }).waitFor();
    await other.context.clearCookies();
    await other.page.getByRole('button', { name: 'Refresh' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.waitFor();

    expect(await other.page.getByText('web01.e2e.test').count()).toBe(1);
    await dialog.getByLabel('Login').fill('admin');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Log in' }).click();

    await dialog.waitFor({ state: 'hidden' });
    await other.page.getByRole('link', { name: 'web01.e2e.test' }).waitFor();
    await other.page.getByRole('button', { name: /^Account of/ }).click();
    await other.page.getByRole('menuitem', { name: 'Log out' }).click();
    await other.page.getByText('You are logged out').waitFor();
    await other.context.close();
  });

  test('somebody without the permission for the console is told so', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/`);
    await logIn(other.page, 'nobody', password);
    await other.page.getByText('nobody may not use the console').waitFor();
    expect(new URL(other.page.url()).pathname).toBe('/auth/login');
    await other.context.close();
  });

  const classify = async (...groups: readonly string[]) => {
    await open('/');
    await page().getByRole('link', { name: 'Classification' }).click();
    for (const group of groups)
      await page()
        .getByRole('navigation', { name: 'Node groups' })
        .getByRole('link', { name: linkTo(group) })
        .click();
  };
  const tab = (name: string) => page().getByRole('tab', { name, exact: true }).click();
  const commit = async (label: string, effect: RegExp) => {
    await page().getByRole('button', { name: label, exact: true }).click();
    await page().getByText(effect).waitFor();
    await page().getByRole('button', { name: 'Commit changes' }).click();
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
  };

  test('G2: pin a node to PE Master', async () => {
    await classify('PE Infrastructure', 'PE Master');
    await tab('Rules');
    await page().getByLabel('Certname').fill('web01.e2e.test');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await commit('Commit 1 change', /1 node gained/);
    await tab('Matching nodes');
    await page().getByRole('table').getByText('web01.e2e.test').waitFor();
  });

  test('G3: the address of the pool, as data', async () => {
    await classify('PE Master');
    await tab('Configuration');
    const data = page().getByRole('region', { name: 'Data' });
    await data.getByLabel('Class').fill('pe_repo');
    await data.getByLabel('Parameter').fill('compile_master_pool_address');
    await data.getByLabel('Value').fill('puppet.example.com');
    await data.getByRole('button', { name: 'Add data' }).click();
    await commit('Commit 1 change', /2 nodes changed/);
    await data.getByText('puppet.example.com').waitFor();
  });

  test('G6 and G7: brokers and servers of agents, several changes in one commit', async () => {
    await classify('PE Agent');
    await tab('Configuration');
    const agent = page().getByRole('region', { name: 'Class puppet_enterprise::profile::agent' });
    const values = {
      pcp_broker_list: '["balancer.example.com:8142"]',
      master_uris: '["balancer.example.com"]',
    };
    for (const [parameter, value] of Object.entries(values)) {
      await agent.getByLabel('Parameter').fill(parameter);
      await agent.getByLabel('Value').fill(value);
      await agent.getByRole('button', { name: 'Add parameter' }).click();
    }
    await page().getByRole('button', { name: 'Commit 2 changes' }).waitFor();
    await agent.getByRole('button', { name: 'Remove master_uris' }).click();
    await commit('Commit 1 change', /7 nodes changed/);
  });

  test('G9 and G8: a new group below PE Master with pinned nodes, a class and a parameter', async () => {
    await classify();
    await page().getByLabel('Node group name').fill('Compile Masters');
    await page().getByLabel('Parent name').selectOption('PE Master');
    await page().getByRole('button', { name: 'Add group' }).click();
    await page().getByRole('heading', { name: 'Compile Masters' }).waitFor();
    await page().getByLabel('Certname').fill('web01.e2e.test');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await tab('Classes');
    await page().getByLabel('Add new class').fill('pe_repo');
    await page().getByRole('button', { name: 'Add class' }).click();
    const repository = page().getByRole('region', { name: 'Class pe_repo' });
    await repository.getByLabel('Parameter').fill('master');
    await repository.getByLabel('Value').fill('master.example.com');
    await repository.getByRole('button', { name: 'Add parameter' }).click();
    await page().reload();
    await commit('Commit 4 changes', /1 node gained/);
    await tab('Matching nodes');
    await page().getByRole('table').getByText('web01.e2e.test').waitFor();
  });

  test('G10: lists of who is allowed, and a rule on a fact that certificates prove', async () => {
    await classify('PE Certificate Authority');
    await tab('Configuration');
    const data = page().getByRole('region', { name: 'Data' });
    await data.getByLabel('Class').fill('puppet_enterprise::profile::certificate_authority');
    await data.getByLabel('Parameter').fill('client_whitelist');
    await data.getByLabel('Value').fill('["aws-lambda.example.com"]');
    await data.getByRole('button', { name: 'Add data' }).click();
    await page()
      .getByRole('navigation', { name: 'Node groups' })
      .getByRole('link', { name: 'PE Master' })
      .click();
    await tab('Rules');
    const rule = page().getByRole('region', { name: 'Rule' });
    await rule.getByLabel('Fact').fill('pp_role');
    await rule.getByLabel('Value').fill('awsloadbalancer');
    await rule.getByRole('button', { name: 'Add rule' }).click();
    await rule.getByText('Nodes can claim this').waitFor();
    await rule.getByRole('button', { name: 'Remove pp_role = awsloadbalancer' }).click();
    await rule.getByLabel('Fact').fill('trusted.extensions.pp_role');
    await rule.getByLabel('Value').fill('awsloadbalancer');
    await rule.getByRole('button', { name: 'Add rule' }).click();
    await rule.getByText('Matches 1 node').waitFor();
    await commit('Commit 2 changes', /were looked at/);
  });

  test('a group that somebody else has changed is not overwritten', async () => {
    await classify('PE Agent');
    await page().getByLabel('Certname').fill('new.example.com');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await page().getByRole('button', { name: 'Commit 1 change' }).waitFor();
    await changeGroup(site(), 'PE Agent', { description: 'changed by somebody else' });

    await page().getByRole('button', { name: 'Commit 1 change' }).click();
    await page().getByText('This can’t be committed').waitFor();
    expect(await page().getByRole('button', { name: 'Commit changes' }).isDisabled()).toBe(true);
    await page().getByRole('button', { name: 'Go on editing' }).click();
    await page().getByRole('button', { name: 'Discard' }).click();
    visitor().complaints.splice(0); // the preview was refused
  });

  test('G1: accept an agent with alternative names; reject, revoke and clean others', async () => {
    await open('/');
    await page().getByRole('link', { name: 'Certificates' }).click();
    await page().getByText('No node waits for its certificate').waitFor();
    await requestCertificate(site(), 'add.master.example.com', ['puppet.example.com']);
    await requestCertificate(site(), 'plain.example.com');
    await requestCertificate(site(), 'stranger.example.com');
    await page().getByText('DNS:puppet.example.com').waitFor();

    await page().getByRole('button', { name: 'Accept plain.example.com' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await page().getByRole('button', { name: 'Reject stranger.example.com' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().getByRole('button', { name: 'Accept add.master.example.com' }).click();
    const accept = page().getByRole('button', { name: 'Accept with alternative names' });
    expect(await accept.isDisabled()).toBe(true);
    await page().getByLabel('Type the certname').fill('add.master.example.com');
    await accept.click();
    await page().getByText('No node waits for its certificate').waitFor();

    await tab('Signed');
    await page().getByLabel('Search certificates').fill('puppet.example.com');
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().getByLabel('Search certificates').fill('plain');
    await page().getByRole('button', { name: 'Revoke plain.example.com' }).click();
    await page().getByLabel('Type the certname').fill('plain.example.com');
    await page().getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await tab('Revoked');
    await page().getByRole('button', { name: 'Clean plain.example.com' }).click();
    await page().getByLabel('Type the certname').fill('plain.example.com');
    await page().getByRole('dialog').getByRole('button', { name: 'Clean' }).click();
    await page().getByText('Nothing matches').waitFor();
  });

  test('run Puppet on a node as a job, which leads to its report', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await open('/nodes/web01.e2e.test');
    await page().getByRole('button', { name: 'Run Puppet' }).click();
    await page()
      .getByLabel(/^No-op/)
      .check();
    await page().getByRole('button', { name: 'Run on 1 node' }).click();
    await page()
      .getByRole('heading', { name: /^Run Puppet, no-op \(job \d+\)$/ })
      .waitFor();

    const run = await node.next();
    const [report] = await site().puppetDb(
      'reports[transaction_uuid] { certname = "web01.e2e.test" limit 1 }',
    );
    run.end({ kind: 'apply_result', status: 'unchanged', exitcode: 0, environment: 'production', ...report });

    expect(run.params).toMatchObject({ flags: expect.arrayContaining(['--noop']) });
    await page().getByRole('link', { name: 'Report', exact: true }).click();
    await page().getByRole('heading', { name: 'Run of web01.e2e.test' }).waitFor();
    node.close();
  });

  test('follow a job, stop it, and run it again where it failed', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    const nodes = ['web01.e2e.test', 'web02.e2e.test', 'web03.e2e.test'];
    await open('/');
    await page().getByRole('link', { name: 'Jobs' }).click();
    await page().getByText('Live', { exact: true }).waitFor();
    const command = 'df -h /srv';
    const job = await runCommand(site(), { command, scope: { nodes }, batch: 1, max_failures: 3 });
    await page()
      .getByRole('link', { name: `${job} ${command}` })
      .click();
    const doing = await node.next();
    doing.write('half of it\n');
    await page().getByText('half of it').waitFor();

    await page().getByRole('button', { name: 'Stop' }).click();
    await page().getByText('2 nodes still to run are skipped').waitFor();
    await page().getByRole('button', { name: 'Stop the job' }).click();
    await page().getByText('Stopping').waitFor();
    doing.end({ exitcode: 3, stdout: 'tried\n', stderr: 'no such disk\n' });
    await page().getByText('no such disk').waitFor();
    await page().getByRole('link', { name: 'Skipped 2' }).click();
    await page().getByText('web03.e2e.test').waitFor();
    await page().getByRole('button', { name: 'Run again on failed nodes' }).click();
    await page().getByRole('button', { name: 'Run on 3 nodes' }).click();
    await expect.poll(() => page().url(), patience).toBe(`${origin}/jobs/${Number(job) + 1}`);
    (await node.next()).end({ exitcode: 0, stdout: 'enough room\n', stderr: '' });
    await page().getByText('enough room').waitFor();

    await page().getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await page().getByLabel('State', { exact: true }).selectOption('Stopped');
    await expect.poll(() => rows().count(), patience).toBe(1);
    node.close();
  });

  actScenarios({ site, page, open });
  inspectScenarios({ open, visitor });

  test('a run shows in every open tab, without a reload', async () => {
    await open('/');
    const second = await visitor().context.newPage();
    await second.goto(`${origin}/nodes/web03.e2e.test`);
    await settled(second);
    await page().getByText('Live', { exact: true }).waitFor();
    await second.getByText('Live', { exact: true }).waitFor();

    await runNode(site(), 'web03.e2e.test', ['failed']);

    await page()
      .getByRole('link', { name: /^Failed\s*3$/ })
      .waitFor();
    await second.getByText('No space left on device').waitFor();
    await second.close();
  });

  adminScenarios({ page, visitor, newVisitor, open, site });
  causeScenarios({ page, open });
  keyboardScenarios({ page, open, site });
  identityScenarios({ page, visitor, newVisitor, open });

  test('the files are within their budgets', () => {
    const sizes = consoleSizes(join(inject('program'), 'dist', 'console'));

    expect(sizes.firstScripts).toBeLessThan(260_000);
    expect(sizes.largestPage).toBeLessThan(25_000);
    expect(sizes.editor).toBeGreaterThan(50_000);
    expect(sizes.editor).toBeLessThan(130_000);
    expect(sizes.styles).toBeLessThan(15_000);
    expect(sizes.fonts).toBeLessThan(50_000);
    expect(sizes.login).toBeLessThan(70_000);
  });

  test('every page, in both themes, wide and narrow', async () => {
    const report = await firstReport(page(), open);
    const group = await groupAddress(page(), open, 'PE Master');
    const pages: Readonly<Record<string, string>> = {
      overview: '/',
      nodes: '/nodes',
      'nodes-filtered': '/nodes?q=status:failed+colour:red&facts=os.name',
      'nodes-none': '/nodes?q=nothing-has-this-name',
      'node-summary': '/nodes/web01.e2e.test',
      'node-facts': '/nodes/web01.e2e.test?tab=facts&find=os',
      'node-catalog': '/nodes/web01.e2e.test?tab=catalog',
      'node-resource': '/nodes/web01.e2e.test?tab=catalog&find=motd&resource=Class[Profile::Base]',
      'node-groups': '/nodes/web01.e2e.test?tab=groups',
      'node-reports': '/nodes/web01.e2e.test?tab=reports',
      'node-unknown': '/nodes/web77.e2e.test',
      classification: '/groups',
      'group-rules': group,
      'group-nodes': `${group}?tab=nodes`,
      'group-configuration': `${group}?tab=configuration`,
      'group-variables': `${group}?tab=variables`,
      'certificates-requested': '/certificates',
      'certificates-signed': '/certificates?state=signed',
      reports: '/reports',
      'report-changes': report,
      'report-log': `${report}?tab=log`,
      'report-metrics': `${report}?tab=metrics`,
      jobs: '/jobs',
      'job-stopped': `/jobs/${await stoppedJob(page(), open)}`,
      ...inspectPages,
      ...adminPages,
      ...causePages,
      missing: '/no-such-page',
      ...(await actPages(page(), open)),
    };
    await requestCertificate(site(), 'waiting.example.com', ['puppet.example.com', 'compile.example.com']);
    const directory = pictureDirectory();
    const found: Record<string, readonly string[]> = {};
    for (const [name, address] of Object.entries(pages)) {
      await open(address);
      for (const look of name in adminPages ? looks.filter(({ hasAxe }) => hasAxe) : looks) {
        await page().emulateMedia({ colorScheme: look.theme });
        await page().setViewportSize(look.size);
        await page().screenshot({
          path: join(directory, `${name}-${look.name}.png`),
          animations: 'disabled',
        });
        const wrong = look.hasAxe ? await violations(visitor()) : [];
        if (await overflows(page())) found[`${name} ${look.name} overflows`] = [];
        if (wrong.length > 0) found[`${name} ${look.name}`] = wrong;
      }
    }
    await page().emulateMedia({ colorScheme: 'light' });
    await page().setViewportSize({ width: 1280, height: 800 });
    visitor().complaints.splice(0); // a filter was refused

    expect(found).toEqual({});
  });
}

async function firstReport(page: Page, open: (address: string) => Promise<void>): Promise<string> {
  await open('/reports?status=failed');
  const href = await page.locator('a[href^="/reports/"]').first().getAttribute('href');
  if (href === null) throw new Error('the list of reports has no link');
  return href;
}

async function stoppedJob(page: Page, open: (address: string) => Promise<void>): Promise<string> {
  await open('/jobs?state=stopped');
  const href = await page.locator('main a[href^="/jobs/"]').first().getAttribute('href');
  if (href === null) throw new Error('no job was stopped');
  return href.slice('/jobs/'.length);
}

/** Links of groups say when a group is edited, or decides on environments. */
function linkTo(group: string): RegExp {
  return new RegExp(`^${group}( edited| environment)*$`);
}

async function groupAddress(
  page: Page,
  open: (address: string) => Promise<void>,
  name: string,
): Promise<string> {
  await open('/groups');
  const href = await page.getByRole('link', { name: linkTo(name) }).getAttribute('href');
  if (href === null) throw new Error(`the tree of groups has no ${name}`);
  return href;
}
