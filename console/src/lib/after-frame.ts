/** What waits until the screen shows what has been rendered. */

/** @param act - when the next frame is on the screen, and when the window has another size @returns what ends it */
export function afterFrames(act: () => void): () => void {
  const cancel = afterFrame(act);
  addEventListener('resize', act);
  return () => {
    cancel();
    removeEventListener('resize', act);
  };
}

/** @param act - when the next frame is on the screen @returns what cancels it */
export function afterFrame(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
