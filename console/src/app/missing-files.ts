/** After an upgrade of the server, the files of pages that have not been opened yet have other names. */

const key = 'bunraku.reloaded';
/** A second reload within this time would change nothing. */
const enoughMs = 60_000;

/** Reloads the page, address and all, when a file of it is missing; once, and not again and again. */
export function reloadOnceForMissingFiles(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? '0');
    if (Date.now() - last < enoughMs) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
