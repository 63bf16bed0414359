/** A new user: a person with a password, or a program with tokens only. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { createUser } from '../../api/access.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { shellWord } from '../../lib/api-command.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { allRoles } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

const route = getRouteApi('/access/{-$tab}');

export function AddUser({ onClose }: { readonly onClose: () => void }): ReactElement {
  const navigate = route.useNavigate();
  const { data: roles = [] } = useQuery(allRoles());
  const [login, setLogin] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [hasNone, setHasNone] = useState(false);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { failure, isBusy, run } = useChange('rbac');
  const add = async () => {
    const user = {
      login: login.trim(),
      display_name: name.trim(),
      email: email.trim(),
      role_ids: chosen,
      ...(hasNone || password === '' ? {} : { password }),
    };
    const added = await run(() => createUser(user));
    if (added) await navigate({ search: { id: added.value } });
  };
  const flags = roles.filter(({ id }) => chosen.includes(id)).map(({ display_name }) => slugOf(display_name));
  const command = [
    `bunraku user create ${shellWord(login.trim() || 'LOGIN')}`,
    ...flags.map((each) => `--role ${shellWord(each)}`),
    ...(hasNone ? ['--no-password'] : []),
  ].join(' ');
  return (
    <Dialog
      title="Add user"
      action="Add user"
      isDisabled={isBusy || login.trim() === '' || (!hasNone && password === '')}
      failure={failure}
      failureTitle="The user was not added"
      onAct={() => void add()}
      onClose={onClose}
    >
      <TextField label="Login" value={login} onChange={setLogin} isRequired />
      <TextField label="Full name" value={name} onChange={setName} />
      <TextField label="Email" value={email} onChange={setEmail} />
      <CheckField label="No password: uses tokens only" isChecked={hasNone} onChange={setHasNone} />
      {hasNone ? undefined : (
        <TextField label="Password" type="password" value={password} onChange={setPassword} isRequired />
      )}
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      <div>
        <CommandButton text={command} />
      </div>
    </Dialog>
  );
}

/** As the command line names roles: `Code Deployers` is `code-deployers`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
