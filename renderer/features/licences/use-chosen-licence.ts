import { useEffect, useMemo, useRef, useState } from 'react';
import type { Licence } from '../../../shared/domain/licence.ts';
import type { ChangeKind } from '../../../shared/domain/licence-change.ts';
import { isSameLicence, licenceKey } from './licence-facts.ts';

/** What the screen was asked to show on arrival; a new object even for the same wish. */
export interface Wish {
  licenceNumber: string;
  form: ChangeKind | null;
}

/** Which licence is shown beside the list: chosen here, or wished for on arrival. `arrival` is that wish until another is chosen. */
export function useChosenLicence(licences: readonly Licence[], wish: Wish | null) {
  const [chosen, setChosen] = useState<string | null>(null);
  const selected = useMemo(
    () => (chosen === null ? null : (licences.find((licence) => licenceKey(licence) === chosen) ?? null)),
    [licences, chosen],
  );
  // A wish is fulfilled once: reading the list again must not bring it back.
  const fulfilled = useRef<Wish | null>(null);
  const [arrival, setArrival] = useState<Wish | null>(null);
  useEffect(() => {
    if (wish === null || wish === fulfilled.current) return;
    const wished = licences.find((licence) => isSameLicence(licence.licenceNumber, wish.licenceNumber));
    if (!wished) return;
    fulfilled.current = wish;
    setArrival(wish);
    setChosen(licenceKey(wished));
  }, [wish, licences]);
  const choose = (key: string | null) => {
    setArrival(null);
    setChosen(key);
  };
  return { chosen, selected, arrival, choose };
}
