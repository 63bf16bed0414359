/** Forms for theme, density and single-key shortcuts. They apply to every device of the user. */

import { type ReactElement, useState } from 'react';
import { usePreferences } from '../../features/preferences.ts';
import { isTimeZone } from '../../lib/time.ts';
import { CheckField, ChoiceField, TextField } from '../../ui/text-field.tsx';

export function Looks(): ReactElement {
  const { change, preferences } = usePreferences();
  return (
    <section aria-labelledby="looks">
      <h2 id="looks">Preferences</h2>
      <ChoiceField
        label="Theme"
        value={preferences.theme}
        options={[
          ['system', 'System default'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        onChange={(theme) => change({ theme })}
      />
      <ChoiceField
        label="Row height of lists"
        value={preferences.density}
        options={[
          ['compact', 'Compact'],
          ['usual', 'Normal'],
          ['wide', 'Tall'],
        ]}
        onChange={(density) => change({ density })}
      />
      <ZoneField value={preferences.time_zone} onChange={(zone) => change({ time_zone: zone })} />
      <CheckField
        label="Single-letter shortcuts"
        isChecked={preferences.letter_keys}
        onChange={(isOn) => change({ letter_keys: isOn })}
      />
    </section>
  );
}

interface ZoneFieldProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}

/** Kept as soon as it is a zone. */
function ZoneField({ onChange, value }: ZoneFieldProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const isKnown = typed === '' || isTimeZone(typed);
  const change = (text: string) => {
    setTyped(text);
    if (text === '' || isTimeZone(text)) onChange(text);
  };
  return (
    <TextField
      label="Time zone"
      value={typed}
      placeholder={`From the browser: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`}
      suggestions={Intl.supportedValuesOf('timeZone')}
      mistake={isKnown ? undefined : 'Unknown time zone; use a name such as Europe/Berlin'}
      onChange={change}
    />
  );
}
