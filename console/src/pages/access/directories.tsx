/** Directories: LDAP servers whose users log in here. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type DirectoryRow, deleteDirectory } from '../../api/directories.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { DirectoryForm } from './directory-form.tsx';
import styles from './page.module.css';
import { Providers } from './providers.tsx';
import { allDirectories } from './queries.ts';

export function Directories(): ReactElement {
  const directories = useQuery(allDirectories(true));
  const [open, setOpen] = useState<
    'new' | { readonly directory: DirectoryRow; readonly isDeleting: boolean }
  >();
  const close = () => setOpen(undefined);
  if (directories.data === undefined) return <Pending query={directories} what="The directories" />;
  return (
    <div className={styles.detail}>
      <div className={styles.filter}>
        <Button onPress={() => setOpen('new')}>Add directory</Button>
      </div>
      {directories.data.length === 0 ? (
        <Empty title="No directories">
          With an LDAP server or Active Directory, users log in with their passwords from there.
        </Empty>
      ) : (
        directories.data.map((directory) => (
          <Connected
            key={directory.id}
            directory={directory}
            onOpen={(isDeleting) => setOpen({ directory, isDeleting })}
          />
        ))
      )}
      <Providers />
      {open === undefined ? undefined : open === 'new' ? (
        <DirectoryForm directory={undefined} onClose={close} />
      ) : open.isDeleting ? (
        <Deletion directory={open.directory} onClose={close} />
      ) : (
        <DirectoryForm directory={open.directory} onClose={close} />
      )}
    </div>
  );
}

interface ConnectedProps {
  readonly directory: DirectoryRow;
  readonly onOpen: (isDeleting: boolean) => void;
}

function Connected({ directory, onOpen }: ConnectedProps): ReactElement {
  return (
    <section aria-label={directory.display_name} className={styles.directory}>
      <h3>{visibleText(directory.display_name)}</h3>
      <FactList
        facts={[
          { name: 'Server', value: visibleText(`${directory.hostname}:${directory.port}`) },
          {
            name: 'Connection',
            value: directory.ssl ? 'TLS' : directory.start_tls ? 'STARTTLS' : 'Not encrypted',
          },
          { name: 'Base', value: visibleText(directory.base_dn), isCode: true },
          { name: 'Lookup user', value: visibleText(directory.login ?? 'None: searches are anonymous') },
        ]}
      />
      <p className={styles.buttons}>
        <Button label={`Edit ${directory.display_name}`} onPress={() => onOpen(false)}>
          Edit and test
        </Button>
        <Button label={`Disconnect ${directory.display_name}`} onPress={() => onOpen(true)}>
          Disconnect
        </Button>
      </p>
    </section>
  );
}

interface DeletionProps {
  readonly directory: DirectoryRow;
  readonly onClose: () => void;
}

function Deletion({ directory, onClose }: DeletionProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const remove = async () => {
    if (await run(() => deleteDirectory(directory.id))) onClose();
  };
  return (
    <Dialog
      title={`Disconnect ${visibleText(directory.display_name)}`}
      action="Disconnect"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>
        Its users can no longer log in, and their tokens become invalid. Users and groups are kept in case the
        directory is connected again.
      </p>
    </Dialog>
  );
}
