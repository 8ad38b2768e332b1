import { useEffect } from 'react';

/**
 * Moves the focus to the first field with a problem when a form is not sent because of it: what was pressed would keep it, with the reason
 * above, perhaps out of sight.
 */
export function useProblemsFocused(): void {
  useEffect(() => {
    const onSubmit = ({ target: form }: SubmitEvent) => {
      // The next frame has the problems.
      requestAnimationFrame(() => {
        if (!(form instanceof HTMLFormElement) || document.activeElement?.matches('[aria-invalid="true"]')) return;
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      });
    };
    document.addEventListener('submit', onSubmit);
    return () => document.removeEventListener('submit', onSubmit);
  }, []);
}
