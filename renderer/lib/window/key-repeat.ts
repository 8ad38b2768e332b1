/**
 * Makes an Enter that is kept pressed act once, in the whole window. Chromium presses a button, and submits a form, again for each repeat
 * of the key: of a call that failed at once, two seconds sent more than forty, each of which may cost. In a text of several lines it
 * repeats.
 */
export function ignoreRepeatedEnter(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !event.repeat || event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
