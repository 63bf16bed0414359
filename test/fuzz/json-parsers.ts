/** Bodies of the APIs: facts, reports, groups, users, deploys, file sync, servers. */

import { z } from 'zod';
import { HoconError, parseHocon } from '../../src/lib/hocon/index.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { parseYaml, YamlError } from '../../src/lib/yaml/index.ts';
import { internBytes, RequestFailed } from '../../src/platform/indirection/index.ts';
import { decodeSettings as decodeScaling } from '../../src/services/autoscaler/wire.ts';
import { decodeCertnames, decodeClean, decodeDesiredStatus } from '../../src/services/ca/http/wire.ts';
import { compileCondition, decodeCondition } from '../../src/services/classifier/condition.ts';
import { decodeDelta, decodeGroup, decodeHierarchy } from '../../src/services/classifier/group-wire.ts';
import { decodeCheckIns, decodeNode } from '../../src/services/classifier/node-wire.ts';
import { readConfiguration } from '../../src/services/code-manager/configuration/read-configuration.ts';
import {
  DeploysWire,
  decodeBody as decodeDeploys,
  RollbackWire,
} from '../../src/services/code-manager/http/wire.ts';
import { findWebhookKind } from '../../src/services/code-manager/webhooks/kinds.ts';
import { decodeCatalogRequest, mergeForm } from '../../src/services/compiler/wire.ts';
import { readLargeFacts } from '../../src/services/facts/index.ts';
import { decodeFacts, decodeFactsField } from '../../src/services/facts/wire.ts';
import { CommitWire, decodeBody, PackWire, PollWire } from '../../src/services/filesync/wire.ts';
import { decodeJoinToken } from '../../src/services/infrastructure/join-token.ts';
import {
  CheckInWire,
  decodeBody as decodeServer,
  TokenOrderWire as JoinOrderWire,
} from '../../src/services/infrastructure/wire.ts';
import { decodeClassification } from '../../src/services/nodes/classification.ts';
import { decodeBatch } from '../../src/services/outbox/batch.ts';
import { storedFacts } from '../../src/services/puppetdb-terminus/index.ts';
import { DirectoryWire } from '../../src/services/rbac/directory/directory-wire.ts';
import { GroupImportWire } from '../../src/services/rbac/user-groups/user-group-wire.ts';
import {
  decodeBody as decodeUsers,
  LoginWire,
  NewUserWire,
  PermittedWire,
  RevocationWire,
  RoleWire,
  TokenOrderWire,
  UserWire,
} from '../../src/services/rbac/wire.ts';
import { decodeReport } from '../../src/services/reports/index.ts';
import { pathsIn } from '../../src/services/server-files/index.ts';
import { decodeAnswer, decodePayload } from '../../src/services/server-files/wire.ts';
import type { Parser } from './fuzz.ts';
import { jsonWords, pathWords, patternWords, yamlWords } from './words.ts';

const facts =
  '{"name":"a","values":{"os":{"family":"Debian"},"n":1.0,"_timestamp":"2026-11-24T00:00:00Z"},"timestamp":"2026-11-24T00:00:00Z"}';
const report = `{"host":"a","time":"2026-11-24T00:00:00.000Z","environment":"production","status":"changed","noop":false,
"puppet_version":"7.23.0","report_format":12,"configuration_version":1,"transaction_uuid":"b",
"logs":[{"level":"info","message":"m","source":"Puppet","tags":["info"],"time":"2026-11-24T00:00:00.000Z","file":null,"line":null}],
"metrics":{"resources":{"name":"resources","label":"Resources","values":[["total","Total",8]]}},
"resource_statuses":{"File[/a]":{"title":"/a","file":"/x.pp","line":3,"resource":"File[/a]","resource_type":"File",
"containment_path":["Stage[main]"],"evaluation_time":0.1,"tags":["file"],"time":"2026-11-24T00:00:00.000Z","failed":false,"changed":true,
"out_of_sync":true,"skipped":false,"change_count":1,"out_of_sync_count":1,"events":[{"audited":false,"property":"ensure",
"previous_value":"absent","desired_value":"file","message":"m","name":"c","status":"success","time":"2026-11-24T00:00:00.000Z"}]}}}`;
const group = `{"name":"web","parent":"00000000-0000-4000-8000-000000000000","environment":"production","environment_trumps":false,
"classes":{"apache":{"port":80}},"variables":{"v":[1]},"rule":["and",["=",["fact","os","family"],"Debian"],["not",["~","name","^web\\\\d+"]]]}`;
const push = `{"ref":"refs/heads/main","deleted":false,"repository":{"clone_url":"https://git.example/a.git","ssh_url":"git@git.example:a.git"},
"project":{"git_http_url":"https://git.example/a.git"},"object_kind":"push","eventType":"git.push",
"push":{"changes":[{"new":{"type":"branch","name":"main"},"old":null}]},"changes":[{"ref":{"displayId":"main","type":"BRANCH"}}],
"resource":{"refUpdates":[{"name":"refs/heads/main"}],"repository":{"remoteUrl":"https://dev.example/a"}}}`;
const users: readonly (readonly [string, z.ZodType, string])[] = [
  [
    'DirectoryWire',
    DirectoryWire,
    '{"display_name":"a","hostname":"b","port":636,"ssl":true,"login":"cn=c","password":"d","connect_timeout":10,"base_dn":"dc=e","user_lookup_attr":"uid","user_email_attr":"mail","user_display_name_attr":"cn","group_object_class":"group","group_member_attr":"member","group_name_attr":"cn","group_lookup_attr":"cn"}',
  ],
  [
    'GroupImportWire',
    GroupImportWire,
    '{"login":"a","role_ids":[1],"identity_provider_id":"b","validate":true}',
  ],
  ['LoginWire', LoginWire, '{"login":"a","password":"b","lifetime":"1h"}'],
  ['NewUserWire', NewUserWire, '{"login":"a","email":"b","display_name":"c","role_ids":[1],"password":"d"}'],
  ['UserWire', UserWire, '{"login":"a","email":"b","display_name":"c","role_ids":[1],"is_revoked":false}'],
  [
    'RoleWire',
    RoleWire,
    '{"display_name":"a","permissions":[{"object_type":"node_groups","action":"view","instance":"*"}],"user_ids":[]}',
  ],
  ['RevocationWire', RevocationWire, '{"revoke_tokens":["a"],"revoke_tokens_by_ids":["b"]}'],
  ['TokenOrderWire', TokenOrderWire, '{"lifetime":"90s","label":"l"}'],
  [
    'PermittedWire',
    PermittedWire,
    '{"token":"t","permissions":[{"object_type":"a","action":"b","instance":"*"}]}',
  ],
];
const node = {
  name: 'web1.example.net',
  fact: { os: { family: 'Debian' }, text: 'a'.repeat(40) },
  trusted: {},
};

function text(input: Buffer): string {
  return input.toString('utf8');
}

function webhook(name: string): Parser {
  return {
    name: `webhook of ${name}`,
    seeds: [push],
    isJson: true,
    words: [...jsonWords, '"refs/heads/', '"branch"'],
    refusals: [SyntaxError, z.ZodError],
    parse: (input) => findWebhookKind(name)?.decode(JSON.parse(text(input)), { 'x-github-event': 'push' }),
  };
}

function json(
  name: string,
  seed: string,
  parse: (input: Buffer) => unknown,
  findings: readonly string[] = [],
): Parser {
  return {
    name,
    isJson: seed.at(-1) !== 'y',
    seeds: [seed, ...findings],
    words: jsonWords,
    refusals: [ServiceError],
    parse,
  };
}

export const jsonParsers: readonly Parser[] = [
  json('facts', facts, (input) => internBytes('json', input, (value, exact) => decodeFacts(value, exact))),
  {
    name: 'facts of a catalog request',
    seeds: [
      `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(facts))}&static_catalog=true`,
    ],
    words: [...pathWords, ...jsonWords, 'facts=', 'facts_format=pson', '%257B'],
    refusals: [ServiceError, RequestFailed],
    parse(input) {
      const posted = new URLSearchParams(text(input));
      const form = decodeCatalogRequest(mergeForm(new URLSearchParams(), posted), 'application/json');
      const sent = posted.get('facts');
      return sent === null ? form : decodeFactsField(sent, posted.get('facts_format'), 'a');
    },
  },
  {
    name: 'large facts of a catalog request',
    seeds: [
      `environment=production&facts_format=pson&facts=${encodeURIComponent(encodeURIComponent(facts))}`,
    ],
    words: [...pathWords, ...jsonWords, 'facts=', 'facts_format=pson', '%257B'],
    refusals: [ServiceError, RequestFailed],
    parse: (bytes) => readLargeFacts({ bytes, certname: 'a' }, (sent) => storedFacts(sent, true)),
  },
  json('report', report, (input) => internBytes('pson', input, (value) => decodeReport(value, 'a'))),
  json('group of nodes', group, decodeGroup),
  json('change of a group', group.replace('{', '{"id":"00000000-0000-4000-8000-000000000000",'), decodeDelta),
  json(
    'hierarchy of groups',
    `[${group.replace('{', '{"id":"00000000-0000-4000-8000-000000000000",')}]`,
    decodeHierarchy,
  ),
  json('node to classify', '{"fact":{"a":{"b":1}},"trusted":{"certname":"a"}}', (input) =>
    decodeNode('a', input),
  ),
  json(
    'check-ins of nodes',
    '{"check_ins":[{"name":"a","time":"2026-01-02T03:04:05Z","transaction_uuid":"u","explanation":"{}"}]}',
    decodeCheckIns,
  ),
  {
    name: 'rule of a group',
    isJson: true,
    seeds: [
      '["and",["~",["fact","text"],"^a+$"],["or",["<","name","3"],["not",["=",["trusted","certname"],"a"]]]]',
      '["and",["~",["fact","text"],"(.*a){25}$"],["or",["<","name","3"]]]',
      '["and",["~",["fact","text"],"(.*a){2525}$"],["or",["<","name","3"]]]',
    ],
    // Look-around and back references have no linear engine: the hierarchy of groups gives rules with them a time limit.
    words: [
      '~',
      ...jsonWords,
      ...patternWords.filter((word) => !/^\(\?=|^\\\\1$/.test(word)),
      '["~",["fact","text"],"',
      '["=",',
      '"fact"',
    ],
    refusals: [SyntaxError, ServiceError],
    parse: (input) => compileCondition(decodeCondition(JSON.parse(text(input))))(node),
  },
  json(
    'desired state of a certificate',
    '{"desired_state":"signed","cert_ttl":"3600"}',
    (input) => decodeDesiredStatus(input, 'a'),
    ['{"desired_state":"signed","cert_ttl":{"toString":1}}'],
  ),
  json('names of certificates', '{"certnames":["a","b"]}', (input) => {
    decodeCertnames(input);
    return decodeClean(input);
  }),
  json('deploys', '{"environments":["production"],"wait":true,"modules":"a, b"}', (input) =>
    decodeDeploys(DeploysWire, input),
  ),
  json('rollback', '{"environment":"production","commit":"abc"}', (input) =>
    decodeDeploys(RollbackWire, input),
  ),
  ...['github', 'gitlab', 'bitbucket', 'bitbucket-server', 'azure-devops', 'gitea'].map(webhook),
  json('file sync: commit', '{"commit-all":true,"message":"m","author":{"name":"a","email":"b"}}', (input) =>
    decodeBody(CommitWire, input),
  ),
  json('file sync: poll', '{"serving":{"production":"abc"},"known":{},"coming":["x"],"wait_ms":5}', (input) =>
    decodeBody(PollWire, input),
  ),
  json('file sync: packs', `{"want":["${'a'.repeat(40)}"],"have":["${'b'.repeat(40)}"]}`, (input) =>
    decodeBody(PackWire, input),
  ),
  json(
    'check-in of a server',
    '{"state":"running","version":"1","url":"https://c:8140","started_at":"x","services":{"a":{"state":"running"}},"code":{"p":"c"},"load":{"workers":1,"busy_workers":0,"queued":0,"load_average":0.1,"cores":2,"resident_bytes":5}}',
    (input) => decodeServer(CheckInWire, input),
  ),
  json(
    'check-in of a server with runs',
    '{"state":"running","version":"1","url":"https://c:8140","started_at":"x","services":{},"code":{},"load":{"workers":1,"busy_workers":0,"queued":0,"load_average":0.1,"cores":2,"resident_bytes":5},"work":{"work":1,"backlog_seconds":2,"event_loop":0.1,"first_run":3,"runs":[{"node":"a","age_ms":1,"worker_ms":2},{"node":"b","age_ms":1,"retry_ms":2}]}}',
    (input) => decodeServer(CheckInWire, input),
  ),
  json('settings of the autoscaler', '{"min":1,"max":20,"target":0.6}', (input) =>
    decodeScaling(input, { min: 1, max: 50, target: 0.6, isPaused: false }),
  ),
  json(
    'files for servers, sealed',
    `{"digest":"${'a'.repeat(64)}","sealed":{"kind":"rsa","key":"aGk=","nonce":"aGk=","tag":"aGk=","content":"aGk="}}`,
    decodeAnswer,
  ),
  json(
    'files for servers',
    '{"paths":["/etc/a"],"files":[{"path":"/etc/a/b","isProgram":true,"content":"aGk="}],"problems":[{"path":"/c","source":"s","isRequired":true,"reason":"r"}],"hieraConfig":"/etc/hiera.yaml"}',
    decodePayload,
  ),
  {
    name: 'paths in a hiera.yaml',
    seeds: [
      'version: 5\ndefaults: {options: {pkcs7_private_key: /etc/a}}\nhierarchy:\n- options: {b: [/etc/c]}\n',
    ],
    words: [...yamlWords, ...pathWords, 'hierarchy', 'defaults', 'options', '&a', '*a'],
    refusals: [],
    parse: pathsIn,
  },
  json('order of a join token', '{"uses":1,"ttl_seconds":60,"certnames":["*"]}', (input) =>
    decodeServer(JoinOrderWire, input),
  ),
  {
    name: 'join token',
    seeds: ['eyJpZCI6ImEiLCJzZWNyZXQiOiJiIiwiZmluZ2VycHJpbnQiOiJjIn0'],
    words: jsonWords,
    refusals: [],
    parse: (input) => decodeJoinToken(text(input)),
  },
  json('batch of commands', '[["command=a",2],["b",3]]\nxxyyy', decodeBatch),
  ...users.map(([name, wire, seed]) => json(`users: ${name}`, seed, (input) => decodeUsers(wire, input))),
  {
    name: 'classification by a program',
    seeds: [
      '---\nclasses:\n  apache:\n    port: 80\nparameters:\n  a: [1, "b"]\nenvironment: production\n',
      'classes: [a, b]',
    ],
    words: yamlWords,
    refusals: [ServiceError, YamlError],
    parse: (input) => decodeClassification('a', text(input)),
  },
  {
    name: 'YAML',
    seeds: [
      '---\na: &x {b: 1}\nc: *x\nd:\n- e\n',
      'a: |\n  text\nb: !!binary aGk=\n? c\n: 2026-11-24\n',
      '!ruby/sym a',
      `a: ${'[a, s: '.repeat(3000)}`,
      // Keys of keys: comparing them took 50 ms and more.
      '? '.repeat(400),
    ],
    words: yamlWords,
    refusals: [YamlError],
    parse: (input) => parseYaml(text(input)),
  },
  {
    name: 'r10k.yaml',
    seeds: [
      '---\nsources:\n  main:\n    remote: https://git.example/a.git\n    basedir: /x\n    prefix: true\n',
    ],
    words: yamlWords,
    refusals: [ServiceError],
    parse: (input) => readConfiguration(text(input), 'r10k.yaml'),
  },
  {
    name: 'HOCON',
    seeds: [
      'a { b: [1, 2], c = ${?X} } # d\n"e" : """f"""',
      'x = [1]\nx += 2\nx += ${?x}\ny = ${?z}${?z}\nz = ${?y}${?x}',
    ],
    words: [...jsonWords, '${', '${?', '"""', '=', '+=', '#', '//', 'include ', '\n', '.'],
    refusals: [HoconError],
    parse: (input) => parseHocon(text(input)),
  },
];
