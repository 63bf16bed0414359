/** Modules with tasks and plans, good and bad, and what is asked about them. */

const modules: Readonly<Record<string, string>> = {
  'first/tasks/init.sh': '#!/bin/sh\necho first\n',
  'first/tasks/init.json':
    '{"description":"The first","supports_noop":true,"parameters":{"b":{"type":"String"},"a":{"type":"Optional[Integer[1, 3]]","description":"A number"}}}',
  'first/tasks/plain.rb': 'puts "plain"\n',
  'first/tasks/hidden.sh': 'true\n',
  'first/tasks/hidden.json': '{"private":true,"description":"Not shown to people"}',
  'first/tasks/empty.sh': '',
  'first/tasks/empty.json': '',
  'first/tasks/null.sh': 'true\n',
  'first/tasks/null.json': 'null',
  'first/tasks/multi.json':
    '{"implementations":[{"name":"multi_linux.sh","requirements":["shell"],"files":["second/scripts/run.sh"]},{"name":"multi_win.ps1","requirements":["powershell"],"input_method":"powershell"}],"files":["first/lib/puppet_x/help.rb"]}',
  'first/tasks/multi_linux.sh': '#!/bin/sh\necho multi\n',
  'first/tasks/multi_win.ps1': 'Write-Output multi\n',
  'first/tasks/further.rb': 'puts 1\n',
  'first/tasks/further.json':
    '{"files":["first/files/data.txt","first/lib/puppet_x/help.rb","second/scripts/run.sh","second/files/dir/","second/tasks/init.sh","first/files/data.txt"]}',
  'first/tasks/noimpl.json': '{"implementations":[]}',
  'first/tasks/README.md': 'no task',
  'first/tasks/settings.conf': 'no task',
  'first/tasks/Upper.sh': 'no task',
  'first/tasks/two.parts.sh': 'no task',
  'first/tasks/.dot.sh': 'no task',
  'first/tasks/_under.sh': 'no task',
  'first/tasks/below/deep.sh': 'no task',
  'first/files/data.txt': 'data\n',
  'first/lib/puppet_x/help.rb': '# help\n',
  'first/plans/init.pp': 'plan first() { }\n',
  'first/plans/deploy.yaml': 'steps: []\n',
  'first/plans/both.pp': 'plan first::both() { }\n',
  'first/plans/both.yaml': 'steps: []\n',
  'first/plans/class.pp': 'no plan',
  'first/plans/string.yaml': 'no plan',
  'first/plans/Upper.pp': 'no plan',
  'first/plans/notes.txt': 'no plan',
  'first/plans/below/deep.pp': 'no plan',
  'second/scripts/run.sh': 'echo run\n',
  'second/files/dir/one': '1\n',
  'second/files/dir/sub/two': '2\n',
  'second/files/dir/.hidden': 'h\n',
  'second/tasks/init.sh': '#!/bin/sh\necho second\n',
  'broken/tasks/double.sh': 'true\n',
  'broken/tasks/double.rb': 'true\n',
  'broken/tasks/nothing.json': '{}',
  'broken/tasks/unparseable.json': '{',
  'broken/tasks/unparseable.sh': 'true\n',
  'broken/tasks/missing.json': '{"implementations":[{"name":"elsewhere.sh"}]}',
  'broken/tasks/implementations.json': '{"implementations":"x.sh"}',
  'broken/tasks/requirements.json': '{"implementations":[{"name":"double.sh","requirements":"shell"}]}',
  'broken/tasks/files.json': '{"files":"first/files/data.txt"}',
  'broken/tasks/files.sh': 'true\n',
  'broken/tasks/implfiles.json': '{"implementations":[{"name":"double.sh","files":{"a":1}}]}',
  'broken/tasks/nomodule.json': '{"files":["nosuch/files/x/y"]}',
  'broken/tasks/nomodule.sh': 'true\n',
  'broken/tasks/mount.json': '{"files":["first/manifests/init.pp"]}',
  'broken/tasks/mount.sh': 'true\n',
  'broken/tasks/relative.json': '{"files":["first/files/../files/data.txt"]}',
  'broken/tasks/relative.sh': 'true\n',
  'broken/tasks/nofile.json': '{"files":["first/files/nosuch"]}',
  'broken/tasks/nofile.sh': 'true\n',
  'broken/tasks/noslash.json': '{"files":["second/files/dir"]}',
  'broken/tasks/noslash.sh': 'true\n',
  'broken/tasks/slash.json': '{"files":["first/files/data.txt/"]}',
  'broken/tasks/slash.sh': 'true\n',
  'empty/manifests/init.pp': 'class empty { }\n',
};

const names: readonly string[] = [
  ...['init', 'plain', 'hidden', 'empty', 'null', 'multi', 'further', 'noimpl'].map(
    (name) => `first/${name}`,
  ),
  ...['README', 'settings', 'Upper', 'two.parts', '.dot', '_under', 'deep', 'below'].map(
    (name) => `first/${name}`,
  ),
  'second/init',
  'shared/init',
  'deep/init',
  ...[
    'double',
    'nothing',
    'unparseable',
    'missing',
    'implementations',
    'requirements',
    'files',
    'implfiles',
  ].map((name) => `broken/${name}`),
  ...['nomodule', 'mount', 'relative', 'nofile', 'noslash', 'slash', 'nosuch'].map(
    (name) => `broken/${name}`,
  ),
  'empty/init',
  'nosuch/init',
];

/** Relative to the directory of code. */
export const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['production', 'versioned'].flatMap((environment) =>
      Object.entries(modules).map(([path, text]) => [`environments/${environment}/modules/${path}`, text]),
    ),
  ),
  ...Object.fromEntries(
    ['production', 'versioned'].flatMap((environment) => [
      [`environments/${environment}/site/own/deep/tasks/init.sh`, 'echo deep\n'],
      [`environments/${environment}/environment.conf`, 'modulepath = modules:site/own:$basemodulepath\n'],
    ]),
  ),
  'modules/shared/tasks/init.sh': 'echo shared\n',
};

export const targets: readonly string[] = [
  ...['tasks', 'plans'].flatMap((what) => [
    `/puppet/v3/${what}`,
    `/puppet/v3/${what}?environment=nosuch`,
    `/puppet/v3/${what}?environment=not-a-name`,
    `/puppet/v3/${what}?environment=`,
    `/puppet/v3/${what}?environment=production`,
    `/puppet/v3/${what}?environment=versioned`,
    `/puppet/v3/${what}/first/init`,
    `/puppet/v3/${what}/first/init?environment=nosuch`,
    `/puppet/v3/${what}/first?environment=production`,
    `/puppet/v3/${what}/first/init/more?environment=production`,
  ]),
  ...names.map((name) => `/puppet/v3/tasks/${name}?environment=production`),
  ...['first/init', 'first/further', 'first/multi', 'shared/init', 'deep/init'].map(
    (name) => `/puppet/v3/tasks/${name}?environment=versioned`,
  ),
  ...['init', 'deploy', 'both', 'class', 'string', 'Upper', 'notes', 'deep'].map(
    (name) => `/puppet/v3/plans/first/${name}?environment=production`,
  ),
  '/puppet/v3/plans/second/init?environment=production',
  '/puppet/v3/plans/nosuch/init?environment=production',
];
