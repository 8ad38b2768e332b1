import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import type { LicenceFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { RemindersMenu } from './reminders-menu.tsx';

interface ListActionsProps {
  licences: readonly Licence[];
  connectionId: string;
  filter: LicenceFilter;
  count: number;
  bar: HTMLElement | null;
  onTold: (words: string, failed: boolean) => void;
}

/** Saves every licence that passes the filter, including those out of sight. The file is chosen in the main process. */
export function ListActions({ connectionId, licences, filter, count, bar, onTold }: ListActionsProps) {
  const [busy, setBusy] = useState(false);
  if (!bar) return null;
  const save = async () => {
    setBusy(true);
    try {
      const { saved, fileName, rows } = await call('licences.export', { connectionId, filter });
      if (saved) {
        const words = `${countOf(rows, 'licence')} saved as ${fileName}`;
        onTold(words, false);
        announce(words);
      }
    } catch (thrown) {
      onTold(errorOf(thrown).message, true);
      announce(errorOf(thrown).message, true);
    } finally {
      setBusy(false);
    }
  };
  return createPortal(
    <>
      {licences.length > 0 && <RemindersMenu connectionId={connectionId} licences={licences} />}
      <Button
        variant="subtle"
        color="gray"
        disabled={busy || count === 0}
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        onClick={() => void save()}
      >
        Export
      </Button>
    </>,
    bar,
  );
}
