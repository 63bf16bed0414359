/** Forms for theme, density and single-key shortcuts. They apply to every device of the user. */

import type { ReactElement } from 'react';
import { usePreferences } from '../../features/preferences.ts';
import { CheckField, ChoiceField } from '../../ui/text-field.tsx';

export function Looks(): ReactElement {
  const { change, preferences } = usePreferences();
  return (
    <section aria-labelledby="looks">
      <h2 id="looks">Looks and keys</h2>
      <ChoiceField
        label="Theme"
        value={preferences.theme}
        options={[
          ['system', 'As the system'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        onChange={(theme) => change({ theme })}
      />
      <ChoiceField
        label="Density of lists"
        value={preferences.density}
        options={[
          ['compact', 'Compact'],
          ['usual', 'Usual'],
          ['wide', 'Wide'],
        ]}
        onChange={(density) => change({ density })}
      />
      <CheckField
        label="Single letters are shortcuts"
        isChecked={preferences.letter_keys}
        onChange={(isOn) => change({ letter_keys: isOn })}
      />
    </section>
  );
}
