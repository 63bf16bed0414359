/** Light, dark, or as the system has it. Kept in the browser. */

export type Theme = 'system' | 'light' | 'dark';

const key = 'bunraku.theme';

export function storedTheme(): Theme {
  const found = localStorage.getItem(key);
  return found === 'light' || found === 'dark' ? found : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}
