/** Identity providers: where people log in with the account of their company. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { deleteOidc, deleteSaml, type ProviderRow, readProviders } from '../../api/providers.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { OidcForm } from './oidc-form.tsx';
import styles from './page.module.css';
import { SamlForm } from './saml-form.tsx';

function allProviders(): UseQueryOptions<readonly ProviderRow[]> {
  return { queryKey: ['rbac', 'providers'], queryFn: ({ signal }) => readProviders(signal) };
}

const kindWords = { oidc: 'OpenID Connect', saml: 'SAML' } as const;

type Asked = {
  readonly kind: ProviderRow['kind'];
  /** A new one when absent. */
  readonly provider?: ProviderRow;
  readonly isDeleting?: boolean;
};

export function Providers(): ReactElement {
  const providers = useQuery(allProviders());
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  if (providers.data === undefined)
    return <Pending query={providers} what="The identity providers" rows={2} />;
  const hasSaml = providers.data.some(({ kind }) => kind === 'saml');
  return (
    <section aria-labelledby="providers" className={styles.detail}>
      <h2 id="providers">Identity providers</h2>
      <div className={styles.filter}>
        <Button onPress={() => setAsked({ kind: 'oidc' })}>Add OpenID provider</Button>
        {hasSaml ? undefined : <Button onPress={() => setAsked({ kind: 'saml' })}>Set up SAML</Button>}
      </div>
      {providers.data.length === 0 ? (
        <p className={styles.hint}>
          No identity providers. Users log in with passwords of this console or of a directory.
        </p>
      ) : (
        providers.data.map((provider) => (
          <Connected
            key={provider.id}
            provider={provider}
            onOpen={(isDeleting) => setAsked({ kind: provider.kind, provider, isDeleting })}
          />
        ))
      )}
      {asked === undefined ? undefined : <Question asked={asked} onClose={close} />}
    </section>
  );
}

interface QuestionProps {
  readonly asked: Asked;
  readonly onClose: () => void;
}

function Question({ asked: { isDeleting = false, kind, provider }, onClose }: QuestionProps): ReactElement {
  if (isDeleting && provider !== undefined) return <Deletion provider={provider} onClose={onClose} />;
  if (kind === 'saml') return <SamlForm isNew={provider === undefined} onClose={onClose} />;
  return <OidcForm id={provider?.id} onClose={onClose} />;
}

interface ConnectedProps {
  readonly provider: ProviderRow;
  readonly onOpen: (isDeleting: boolean) => void;
}

function Connected({ onOpen, provider }: ConnectedProps): ReactElement {
  const { display_name: title, kind, name } = provider;
  return (
    <section aria-label={title} className={styles.directory}>
      <h3>{visibleText(title)}</h3>
      <FactList
        facts={[
          { name: 'Kind', value: kindWords[kind] },
          ...(kind === 'oidc'
            ? [
                {
                  name: 'Redirect address',
                  value: `${location.origin}/auth/oidc/${name}/callback`,
                  isCode: true,
                },
              ]
            : []),
        ]}
      />
      <p className={styles.buttons}>
        <Button label={`Edit ${title}`} onPress={() => onOpen(false)}>
          Edit
        </Button>
        <Button label={`Disconnect ${title}`} onPress={() => onOpen(true)}>
          Disconnect
        </Button>
      </p>
    </section>
  );
}

interface DeletionProps {
  readonly provider: ProviderRow;
  readonly onClose: () => void;
}

function Deletion({ onClose, provider }: DeletionProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const disconnect = () => (provider.kind === 'saml' ? deleteSaml() : deleteOidc(provider.id));
  const remove = async () => {
    if ((await run(disconnect)) !== undefined) onClose();
  };
  return (
    <Dialog
      title={`Disconnect ${visibleText(provider.display_name)}`}
      action="Disconnect"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>
        Its users can no longer log in, and their tokens become invalid. Users and groups are kept in case the
        provider is connected again.
      </p>
    </Dialog>
  );
}
