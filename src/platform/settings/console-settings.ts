/** Settings of the console. A pure table. */

import { setting } from './setting.ts';
import { duration, portOrAuto, text } from './setting-types.ts';

const section = 'Console';

export const consoleSettings = {
  consolePort: setting({
    name: 'console_port',
    type: portOrAuto,
    default: 'auto',
    doc: "The port of the primary's console, the pages for browsers; 0 for none. `auto` is 443 where the primary itself listens on 8140, or 8443 where it may not have 443.",
    section,
  }),
  consoleUrl: setting({
    name: 'console_url',
    type: text,
    default: '',
    doc: 'How browsers reach the console: `https://console.example.com`. An identity provider that speaks SAML knows it by this URL. `https://` with the certname of the primary and, unless it is `auto`, `console_port` when empty.',
    section,
  }),
  consoleSessionTimeoutSeconds: setting({
    name: 'console_session_timeout',
    type: duration,
    default: '60m',
    doc: 'How long somebody who does nothing in the console stays logged in.',
    section,
  }),
  consoleSessionLifetimeSeconds: setting({
    name: 'console_session_lifetime',
    type: duration,
    default: '12h',
    doc: 'After how long somebody has to log in to the console again.',
    section,
  }),
  noLongerReportingCutoffSeconds: setting({
    name: 'no_longer_reporting_cutoff',
    type: duration,
    default: '1h',
    doc: 'A node whose last report is older than this is shown as unresponsive in the console.',
    section,
  }),
} as const;
