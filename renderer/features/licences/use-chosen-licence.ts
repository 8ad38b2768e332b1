import { useEffect, useMemo, useRef, useState } from 'react';
import type { Licence } from '../../../shared/domain/licences/licence.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { isSameLicence } from '../../../shared/domain/licences/licence-ids.ts';
import { licenceKey } from './licence-facts.ts';

/** The licence that the route's parameters name; a new object even for the same request. */
export interface OpenRequest {
  licenceNumber: string;
  form: ChangeKind | null;
}

/** Which licence is shown beside the list: chosen here, or asked for on arrival. `arrival` is that request until another is chosen. */
export function useChosenLicence(licences: readonly Licence[], openRequest: OpenRequest | null) {
  const [chosen, setChosen] = useState<string | null>(null);
  const selected = useMemo(
    () => (chosen === null ? null : (licences.find((licence) => licenceKey(licence) === chosen) ?? null)),
    [licences, chosen],
  );
  // A request is fulfilled once: reading the list again must not bring it back.
  const fulfilled = useRef<OpenRequest | null>(null);
  const [arrival, setArrival] = useState<OpenRequest | null>(null);
  useEffect(() => {
    if (openRequest === null || openRequest === fulfilled.current) return;
    const found = licences.find((licence) => isSameLicence(licence.licenceNumber, openRequest.licenceNumber));
    if (!found) return;
    fulfilled.current = openRequest;
    setArrival(openRequest);
    setChosen(licenceKey(found));
  }, [openRequest, licences]);
  const choose = (key: string | null) => {
    setArrival(null);
    setChosen(key);
  };
  return { chosen, selected, arrival, choose };
}
