/** The settings of an OpenID provider, and a test whether it answers. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type OidcOrder, readOidc, saveOidc, testOidc } from '../../api/providers.ts';
import { useChange } from '../../features/use-change.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import { ConnectionTest } from './connection-test.tsx';
import styles from './page.module.css';

const usual: OidcOrder = {
  name: '',
  display_name: '',
  issuer: '',
  client_id: '',
  client_authentication: 'basic',
  scopes: 'openid profile email',
  login_claim: 'preferred_username',
  display_name_claim: 'name',
  email_claim: 'email',
  groups_claim: 'groups',
};

const texts = [
  ['display_name', 'Name on the log-in page', ''],
  ['name', 'Name in addresses', 'Lower-case letters, digits and hyphens.'],
  ['issuer', 'Issuer', 'Its address, as its own settings name it: https://login.example.com'],
  ['client_id', 'Client ID', 'Of the client that you have made for this console there.'],
] as const;
const claims = [
  ['scopes', 'Scopes'],
  ['login_claim', 'Claim with the login'],
  ['display_name_claim', 'Claim with the name'],
  ['email_claim', 'Claim with the email address'],
  ['groups_claim', 'Claim with the groups'],
] as const;

interface OidcFormProps {
  /** Of one that is connected. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

export function OidcForm({ id, onClose }: OidcFormProps): ReactElement | undefined {
  const stored = useQuery({
    queryKey: ['rbac', 'oidc', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => readOidc(id ?? '', signal),
  });
  if (id === undefined) return <Form provider={usual} onClose={onClose} />;
  return stored.data === undefined ? undefined : <Form provider={stored.data} onClose={onClose} />;
}

interface FormProps {
  readonly provider: OidcOrder;
  readonly onClose: () => void;
}

function Form({ onClose, provider }: FormProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const [order, setOrder] = useState(provider);
  const set = (part: Partial<OidcOrder>) => setOrder((before) => ({ ...before, ...part }));
  const save = async () => {
    if ((await run(() => saveOidc(order))) !== undefined) onClose();
  };
  const isWhole = texts.every(([name]) => order[name] !== '');
  return (
    <Dialog
      title={provider.id === undefined ? 'Add OpenID provider' : 'Edit OpenID provider'}
      action="Save"
      isDisabled={isBusy || !isWhole}
      failure={failure}
      failureTitle="The provider was not saved"
      onAct={() => void save()}
      onClose={onClose}
    >
      {texts.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          value={order[name]}
          isRequired
          onChange={(text) => set({ [name]: text })}
        />
      ))}
      <TextField
        label="Client secret"
        type="password"
        value={order.client_secret ?? ''}
        hint={provider.id === undefined ? undefined : 'Leave it empty to keep the stored one.'}
        onChange={(text) => set({ client_secret: text })}
      />
      <p className={styles.hint}>
        Give the provider this redirect address:{' '}
        <code>{`${location.origin}/auth/oidc/${order.name || 'NAME'}/callback`}</code>
      </p>
      <Claims order={order} onChange={set} />
      <ConnectionTest isDisabled={!isWhole} test={() => testOidc(order)} what="provider" />
    </Dialog>
  );
}

interface ClaimsProps {
  readonly order: OidcOrder;
  readonly onChange: (part: Partial<OidcOrder>) => void;
}

function Claims({ onChange, order }: ClaimsProps): ReactElement {
  return (
    <details className={styles.more}>
      <summary>What it tells of users</summary>
      <ChoiceField
        label="How the secret is sent"
        value={order.client_authentication}
        options={[
          ['basic', 'As a header'],
          ['post', 'In the body'],
        ]}
        onChange={(chosen) => onChange({ client_authentication: chosen })}
      />
      {claims.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          value={order[name]}
          onChange={(text) => onChange({ [name]: text })}
        />
      ))}
    </details>
  );
}
