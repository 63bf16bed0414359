/** People who use the console in a browser, on a real primary with simulated nodes. */

import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { chromium, isPresent } from '../../scripts/debian-packages.ts';
import { scenariosUnless } from '../../test/e2e/support/requirements.ts';
import { actScenarios } from './act-scenarios.ts';
import { adminScenarios } from './admin-scenarios.ts';
import { apiScenario } from './api-scenarios.ts';
import { causeScenarios } from './cause-scenarios.ts';
import { certificateScenarios } from './certificate-scenarios.ts';
import { classificationScenarios } from './classification-scenarios.ts';
import { classifyScenarios } from './classify-scenarios.ts';
import { countScenario } from './count-scenarios.ts';
import { everyPage } from './every-page.ts';
import { explainScenarios } from './explain-scenarios.ts';
import { fleetScenarios } from './fleet-scenarios.ts';
import { groupRightsScenario } from './group-rights-scenarios.ts';
import { identityScenarios } from './identity-scenarios.ts';
import { inspectScenarios } from './inspect-scenarios.ts';
import { jobScenarios, liveScenarios } from './job-scenarios.ts';
import { keyboardScenarios } from './keyboard-scenarios.ts';
import { loginScenarios } from './login-scenarios.ts';
import { nodeScenarios } from './node-scenarios.ts';
import { chromiumProblem, logIn, openChromium } from './support/browser.ts';
import { consoleSite, createUsers, origin, password, runFleet } from './support/console-site.ts';
import { consoleWindow, type Running } from './support/console-window.ts';
import { consoleSizes } from './support/sizes.ts';

const obstacle = isPresent(chromium) ? '' : 'Debian package chromium is missing';
const problem = obstacle === '' ? await chromiumProblem() : '';
if (problem !== '')
  console.warn(`SKIPPED: Console: Chromium is installed, and does not start here: ${problem}`);

describe.skipIf(problem !== '')('In a browser', () => scenariosUnless(obstacle, 'Console', consoleScenarios));

function consoleScenarios(): void {
  const site = consoleSite();
  const running: Running = {};
  const window = consoleWindow(site, running);
  const { newVisitor, page, visitor } = window;

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

  // One after another in the same fleet: what one leaves, the next may find.
  loginScenarios(window);
  nodeScenarios(window);
  classificationScenarios(window);
  certificateScenarios(window);
  jobScenarios(window);
  actScenarios(window);
  inspectScenarios(window);
  liveScenarios(window);
  adminScenarios(window);
  causeScenarios(window);
  explainScenarios(window);
  classifyScenarios(window);
  groupRightsScenario(window);
  keyboardScenarios(window);
  identityScenarios(window);
  fleetScenarios(window);

  countScenario(window);
  apiScenario(window);

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

  everyPage(window);
}
