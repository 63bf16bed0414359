/** Tasks that do what those of the recordings did; only their checksums are known. */

import { sha256 } from './replay.ts';

/** The checksum as recorded, the path on the server, and a file with the same output. */
export const taskFiles: readonly (readonly [string, string, string])[] = [
  [
    'd23ee591e6477d9960acdafa2ec26d64d18f6b4d8ea60bd1dfa958053d967abb',
    'tasks/demo/init.sh',
    `#!/bin/sh
printf '{"env_message":"%s","env_task":"%s","env_noop":"%s","stdin":' "$PT_message" "$PT__task" "$PT__noop"
cat
echo '}'
`,
  ],
  [
    '036f62ecaf771edec3580bef28ac0ae45f88b659720cfcfffb590a1ae723cfcd',
    'tasks/demo/impl.rb',
    `#!/usr/bin/env ruby
require 'json'
puts JSON.generate('ruby' => 'ruby', 'input' => JSON.parse($stdin.read), 'env' => ENV.to_h.select { |k, _| k.start_with?('PT_') }.sort.to_h)
`,
  ],
  [
    '2efd4da3f1344668f44a8f4b82a247d8a3125871241608317c086b20597c7c1d',
    'tasks/demo/multi.sh',
    '#!/bin/sh\ncd "$PT__installdir" && find . -type f | sort && cat demo/lib/helper.sh\n',
  ],
  [
    'f40c1e095b5633e4e9dc2ea4503e2f91240afc39f47a7b49a31b661bd748d35e',
    'modules/demo/lib/helper.sh',
    '# helper\n',
  ],
  [
    '2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806',
    'modules/demo/files/a/one.txt',
    'one\n',
  ],
  [
    '27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a',
    'modules/demo/files/a/b/two.txt',
    'two\n',
  ],
  [
    'da499d7dddaa550e5be06ffd30468f295126ff944e56b4e9115b59793b707280',
    'tasks/demo/fail.sh',
    `#!/bin/sh
echo '{"_error":{"msg":"it broke","kind":"demo/broke","details":{"why":"test"}}}'
echo problem >&2
exit 2
`,
  ],
  [
    '16a4d9fb2a711af9e6562d7165ac01aae68df2de0cd365eb3782b95601c2edd3',
    'tasks/demo/plain.sh',
    '#!/bin/sh\necho not json\n',
  ],
  [
    '5bcf9a1bcfd373834530e2bea958cd4f09444110cda3aceb1ffb44b996eab02d',
    'modules/demo/script.sh',
    '#!/bin/sh\necho "script: $# args: $1|$2"\n',
  ],
  [
    '694b27f021c4861b3373cd5ddbc42695c056d0a4297d2d85e2dae040a84e61df',
    'modules/demo/plainfile',
    'plain content',
  ],
];

export const checksums: readonly (readonly [string, string])[] = taskFiles.map(([recorded, , text]) => [
  recorded,
  sha256(text),
]);
