/** The settings of a directory, and a test whether it answers. */

import { type ReactElement, useState } from 'react';
import {
  type DirectoryOrder,
  type DirectoryRow,
  saveDirectory,
  testDirectory,
} from '../../api/directories.ts';
import { useChange } from '../../features/use-change.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/text-field.tsx';
import { ConnectionTest } from './connection-test.tsx';
import styles from './page.module.css';

const usual: DirectoryOrder = {
  display_name: '',
  help_link: '',
  hostname: '',
  port: 636,
  ssl: true,
  start_tls: false,
  login: null,
  base_dn: '',
  user_rdn: null,
  user_lookup_attr: 'uid',
  user_email_attr: 'mail',
  user_display_name_attr: 'cn',
  group_rdn: null,
  group_object_class: 'groupOfNames',
  group_member_attr: 'member',
  group_name_attr: 'cn',
  group_lookup_attr: 'cn',
  search_nested_groups: false,
};

type Security = 'tls' | 'start-tls' | 'none';
const securities = [
  ['tls', 'TLS (port 636)'],
  ['start-tls', 'STARTTLS (port 389)'],
  ['none', 'Not encrypted: passwords can be read'],
] as const;

/** Fields of texts that a directory has in any case. */
const texts = [
  ['display_name', 'Name of the directory', true],
  ['hostname', 'Host name', true],
  ['base_dn', 'Base DN', true],
  ['login', 'Lookup user (DN)', false],
] as const;
const attributes = [
  ['user_rdn', 'Users below (RDN)'],
  ['user_lookup_attr', 'Login attribute'],
  ['user_email_attr', 'Email attribute'],
  ['user_display_name_attr', 'Name attribute'],
  ['group_rdn', 'Groups below (RDN)'],
  ['group_object_class', 'Object class of groups'],
  ['group_member_attr', 'Member attribute'],
  ['group_name_attr', 'Group name attribute'],
  ['group_lookup_attr', 'Group lookup attribute'],
] as const;
const optional: readonly string[] = ['login', 'user_rdn', 'group_rdn'];

interface DirectoryFormProps {
  readonly directory: DirectoryRow | undefined;
  readonly onClose: () => void;
}

export function DirectoryForm({ directory, onClose }: DirectoryFormProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const [order, setOrder] = useState<DirectoryOrder>(directory ?? usual);
  const set = (part: Partial<DirectoryOrder>) => setOrder((before) => ({ ...before, ...part }));
  const setText = (name: keyof DirectoryOrder, text: string) =>
    set({ [name]: text === '' && optional.includes(name) ? null : text });
  const save = async () => {
    if (await run(() => saveDirectory(order))) onClose();
  };
  const isWhole = order.display_name !== '' && order.hostname !== '' && order.base_dn !== '';
  return (
    <Dialog
      title={directory === undefined ? 'Add directory' : 'Edit directory'}
      action="Save"
      isDisabled={isBusy || !isWhole}
      failure={failure}
      failureTitle="The directory was not saved"
      onAct={() => void save()}
      onClose={onClose}
    >
      {texts.map(([name, label, isRequired]) => (
        <TextField
          key={name}
          label={label}
          value={order[name] ?? ''}
          isRequired={isRequired}
          onChange={(text) => setText(name, text)}
        />
      ))}
      <TextField
        label="Password of the lookup user"
        type="password"
        value={order.password ?? ''}
        hint={directory === undefined ? undefined : 'Leave it empty to keep the stored one.'}
        onChange={(text) => set({ password: text })}
      />
      <Connection order={order} onChange={set} />
      <details className={styles.more}>
        <summary>Where users and groups are</summary>
        {attributes.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={order[name] ?? ''}
            onChange={(text) => setText(name, text)}
          />
        ))}
        <CheckField
          label="Search groups in groups"
          isChecked={order.search_nested_groups}
          onChange={(isOn) => set({ search_nested_groups: isOn })}
        />
      </details>
      <ConnectionTest isDisabled={!isWhole} test={() => testDirectory(order)} what="directory" />
    </Dialog>
  );
}

interface ConnectionProps {
  readonly order: DirectoryOrder;
  readonly onChange: (part: Partial<DirectoryOrder>) => void;
}

function Connection({ onChange, order }: ConnectionProps): ReactElement {
  const security: Security = order.ssl ? 'tls' : order.start_tls ? 'start-tls' : 'none';
  const choose = (chosen: Security) =>
    onChange({
      ssl: chosen === 'tls',
      start_tls: chosen === 'start-tls',
      port: chosen === 'tls' ? 636 : 389,
    });
  return (
    <>
      <ChoiceField label="Connection" value={security} options={securities} onChange={choose} />
      <TextField
        label="Port"
        type="number"
        value={String(order.port)}
        onChange={(text) => onChange({ port: Number(text) })}
      />
    </>
  );
}
