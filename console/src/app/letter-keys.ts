/** Whether single letters are shortcuts. People who speak to their computer switch them off. */

const key = 'bunraku.letter-keys';

export function hasLetterKeys(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function chooseLetterKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(key);
  else localStorage.setItem(key, 'off');
}
