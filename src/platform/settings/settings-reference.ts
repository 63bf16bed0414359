/** The reference page of all settings. */

import { allSettings } from './all-settings.ts';
import type { Setting } from './setting.ts';

/** @returns Markdown, the same for the same definitions */
export function renderSettingsReference(): string {
  const sections = Map.groupBy(
    allSettings.definitions.map(([, setting]) => setting),
    ({ section }) => section,
  );
  const parts = Array.from(sections, ([name, settings]) =>
    [`## ${name}`, ...settings.map(renderSetting)].join('\n\n'),
  );
  return `${introduction}\n${parts.join('\n\n')}\n`;
}

const introduction = `# Settings

This page is generated from the definitions in \`src/platform/settings/\`; do not edit it.

A value is taken from the first of these that has it:

1. flags: \`--ca-ttl 5y\`; a switch is \`--storeconfigs\` or \`--no-storeconfigs\`
2. environment variables: \`BUNRAKU_CA_TTL=5y\`
3. the configuration file in HOCON or YAML: \`ca_ttl = 5y\` or \`ca-ttl: 5y\`
4. \`puppet.conf\`, sections \`server\`, \`master\` (its old name) and \`main\`, for the settings marked so
5. the default

Durations are written as in Puppet: \`90\` or \`90s\`, \`30m\`, \`12h\`, \`7d\`, \`5y\`; a time to live may also be
\`unlimited\`. Sizes are bytes, or \`512k\`, \`32m\`, \`1g\`. \`$name\` in a value stands for another setting. Everything is
checked before any port opens.
`;

function renderSetting(setting: Setting<unknown>): string {
  const facts = [
    `- Type: ${setting.type.name}`,
    `- Default: ${setting.default === '' ? 'none' : `\`${setting.default}\``}`,
    ...(setting.dataDefault === undefined ? [] : [`- Default with \`--data\`: \`${setting.dataDefault}\``]),
    ...(setting.aliases === undefined ? [] : [`- Also understood: \`${setting.aliases.join('`, `')}\``]),
    ...(setting.inPuppetConf ? ['- Read from `puppet.conf`'] : []),
  ];
  return `### ${setting.name}\n\n${setting.doc}\n\n${facts.join('\n')}`;
}
