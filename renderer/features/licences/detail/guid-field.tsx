import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import { Failure } from '../../../components/failure.tsx';
import { Mono } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { appInfoQuery, refreshLocal } from '../../../lib/calls/queries.ts';
import { createCallStore } from '../../../lib/session/call-store.ts';
import { formatTime } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { listPrice } from '../prices.ts';

/** By licence: the result of the last copy, without the GUID, which this window never has. */
const copies = createCallStore<null, { lastFour: string; clearedAt: string }>();

interface GuidFieldProps {
  connectionId: string;
  licence: Licence;
  lastFour: string;
}

/** The last four characters of the GUID; the whole GUID goes only to the clipboard, and a reason is asked for. */
export function GuidField({ connectionId, licence, lastFour }: GuidFieldProps) {
  const key = `${connectionId}/${licence.licenceNumber}`;
  const { running, answer, failure } = copies.use(key);
  const client = useQueryClient();
  const { data: info } = useQuery(appInfoQuery());
  // GNOME's Wayland lets nobody without the focus clear it (electron/shell/secret-clipboard.ts).
  const onlyInFront = info?.platform === 'linux' ? ', on some desktops only when this window is in front' : '';
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [now, setNow] = useState(Date.now());
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  const left = answer ? Date.parse(answer.clearedAt) - now : 0;
  useEffect(() => {
    if (!answer || left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left + 50);
    return () => clearTimeout(timer);
  }, [answer, left]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '' || running) return;
    const result = await copies.start(key, null, (requestId) =>
      call('licences.copy-guid', { connectionId, licenceNumber: licence.licenceNumber.trim(), reason }, { requestId }),
    );
    refreshLocal(client, ['licences', 'journal'], ['activity']);
    setNow(Date.now());
    if (!result?.ok) return;
    setOpen(false);
    setReason('');
    announce(`The GUID of ${nameOf(licence)} is on the clipboard`);
  };
  return (
    <div className="col g6">
      <span className="row wrap g6">
        <Mono>•••• •••• •••• {lastFour}</Mono>
        {!open && (
          <button type="button" className="link sm" onClick={() => setOpen(true)}>
            Copy whole…
          </button>
        )}
      </span>
      {answer && left > 0 && (
        <span className="xs good">
          On the clipboard, ending in {answer.lastFour}. Cleared at {formatTime(answer.clearedAt)} if it is still there
          {onlyInFront}.
        </span>
      )}
      {open && (
        <form className="col g6" onSubmit={(event) => void submit(event)} aria-label="Copy the GUID">
          <TextInput
            ref={field}
            label="What it is needed for"
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.currentTarget.value)}
            autoComplete="off"
          />
          <div className="row wrap">
            <PriceButton type="submit" price={listPrice()} disabled={reason.trim() === '' || running !== null}>
              {running ? 'Reading the list' : 'Copy the GUID'}
            </PriceButton>
            <Button disabled={running !== null} onClick={() => setOpen(false)}>
              Close
            </Button>
          </div>
          <p className="xs t3">
            {reason.trim() === '' && 'Needs a reason. '}Reads the list. You, the time and the reason go into the
            journal. After a minute the clipboard is cleared where the GUID is still on it{onlyInFront}; a clipboard
            history of the system may keep it.
          </p>
          {failure && <Failure error={failure.error} />}
        </form>
      )}
    </div>
  );
}
