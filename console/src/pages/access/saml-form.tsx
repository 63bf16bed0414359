/** The settings of the SAML provider, with what it has to be told of this console. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { readSaml, readSamlServiceProvider, type SamlSettings, saveSaml } from '../../api/providers.ts';
import { useChange } from '../../features/use-change.ts';
import { certificatesIn, pemText } from '../../lib/pem-certificates.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TextField } from '../../ui/text-field.tsx';

const usual: SamlSettings = {
  display_name: '',
  idp_entity_id: '',
  idp_sso_url: '',
  idp_certificate: '',
  user_lookup_attr: 'uid',
  group_lookup_attr: 'groups',
};

const texts = [
  ['display_name', 'Name on the log-in page'],
  ['idp_entity_id', 'Entity ID of the provider'],
  ['idp_sso_url', 'Log-in address of the provider'],
  ['user_lookup_attr', 'Attribute with the login'],
] as const;
const optional = [
  ['user_display_name_attr', 'Attribute with the name'],
  ['user_email_attr', 'Attribute with the email address'],
  ['group_lookup_attr', 'Attribute with the groups'],
] as const;

interface SamlFormProps {
  readonly isNew: boolean;
  readonly onClose: () => void;
}

export function SamlForm({ isNew, onClose }: SamlFormProps): ReactElement | undefined {
  const stored = useQuery({
    queryKey: ['rbac', 'saml'],
    enabled: !isNew,
    queryFn: ({ signal }) => readSaml(signal),
  });
  if (isNew) return <Form settings={usual} onClose={onClose} />;
  return stored.data === undefined ? undefined : <Form settings={stored.data} onClose={onClose} />;
}

interface FormProps {
  readonly settings: SamlSettings;
  readonly onClose: () => void;
}

function Form({ onClose, settings }: FormProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const [order, setOrder] = useState(settings);
  const [certificates, setCertificates] = useState(
    settings.idp_certificate === '' ? '' : pemText(settings.idp_certificate),
  );
  const set = (part: Partial<SamlSettings>) => setOrder((before) => ({ ...before, ...part }));
  const save = async () => {
    const wanted = { ...order, idp_certificate: certificatesIn(certificates) };
    if ((await run(() => saveSaml(wanted))) !== undefined) onClose();
  };
  const isWhole = certificates.trim() !== '' && texts.every(([name]) => order[name] !== '');
  return (
    <Dialog
      title="SAML provider"
      action="Save"
      isDisabled={isBusy || !isWhole}
      failure={failure}
      failureTitle="The provider was not saved"
      onAct={() => void save()}
      onClose={onClose}
    >
      <Ours />
      {texts.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          value={order[name]}
          isRequired
          onChange={(text) => set({ [name]: text })}
        />
      ))}
      <TextField
        label="Certificates of the provider"
        value={certificates}
        rows={6}
        isCode
        isRequired
        hint="In PEM; several one after another, while the provider changes its key."
        onChange={setCertificates}
      />
      {optional.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          value={order[name] ?? ''}
          onChange={(text) => set({ [name]: text })}
        />
      ))}
    </Dialog>
  );
}

/** To be entered at the provider. */
function Ours(): ReactElement | undefined {
  const { data } = useQuery({
    queryKey: ['rbac', 'saml-meta'],
    queryFn: ({ signal }) => readSamlServiceProvider(signal),
  });
  if (data === undefined) return undefined;
  return (
    <FactList
      facts={[
        { name: 'Our entity ID and metadata', value: visibleText(data.meta), isCode: true },
        { name: 'Where it sends answers (ACS)', value: visibleText(data.acs), isCode: true },
      ]}
    />
  );
}
