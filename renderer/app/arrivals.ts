import { useEffect, useEffectEvent, useState } from 'react';
import type { Arrival } from '../../shared/contract/app.ts';
import { decodeTextFile, mostTableText } from '../../shared/domain/text/text-file.ts';
import { takeFile } from '../features/batch/take-table.ts';
import { refuseTable, takeText } from '../features/bulk/take-table.ts';
import { call, listen } from '../lib/calls/bridge.ts';
import { showFailure } from '../lib/window/failure-notices.ts';
import type { Go, ScreenId } from '../lib/window/routes.tsx';

const noConnection = { message: 'There was no connection to use it with.', next: 'Try again once one is set up.' };

/**
 * Takes what comes from outside the window: links, entries of the icon's menu, tables dropped on the icon or on the window. It goes to the
 * screen and fills the form, and sends nothing to the service: whoever clicked a link has seen no price. A table dropped on Licences is a
 * change of licences, on any other screen it is a batch. Returns whether a file hovers over the window.
 */
export function useArrivals({
  go,
  enabled,
  screen: shown,
  connectionId,
}: {
  go: Go;
  enabled: boolean;
  screen: ScreenId;
  connectionId: string | null;
}): boolean {
  const [hovering, setHovering] = useState(false);
  const take = useEffectEvent((arrival: Arrival) => {
    const screen = arrival.kind === 'screen' ? arrival.screen : 'licences';
    if (connectionId === null || !enabled) showFailure(noConnection);
    else if (arrival.kind === 'screen')
      go(screen, arrival.text === null ? undefined : { text: arrival.text, focus: 'search' });
    else {
      if (arrival.kind === 'table') void takeText(connectionId, arrival.text, arrival.name);
      else refuseTable(connectionId, arrival.message);
      go(screen, { show: 'bulk' });
    }
  });

  const takeDropped = useEffectEvent((file: File) => {
    if (connectionId === null || !enabled) showFailure(noConnection);
    else if (shown === 'licences') void readDropped(file).then((arrival) => take(arrival));
    else {
      void takeFile(connectionId, file);
      go('lookup', { tab: 'batch' });
    }
  });

  useEffect(() => {
    const fetch = () =>
      call('app.arrivals', {}).then(
        ({ arrivals }) => {
          for (const arrival of arrivals) take(arrival);
        },
        () => {},
      );
    void fetch();
    return listen('app.arrived', () => void fetch());
  }, []);

  useEffect(() => {
    const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!carriesFile(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setHovering(true);
    };
    // Leaves the window: between parts of it the pointer has somewhere to go.
    const leave = (event: DragEvent) => event.relatedTarget === null && setHovering(false);
    const drop = (event: DragEvent) => {
      setHovering(false);
      const file = event.dataTransfer?.files[0];
      if (!carriesFile(event) || !file) return;
      event.preventDefault();
      takeDropped(file);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return hovering;
}

async function readDropped(file: File): Promise<Arrival> {
  const refuse = (why: string): Arrival => ({ kind: 'refused', message: `${file.name} ${why}` });
  if (!/\.(?:csv|tsv|txt)$/i.test(file.name)) return refuse('is not a table: a CSV file can be dropped here.');
  if (file.size > 2 * mostTableText) return refuse('is larger than a table may be (2 MB).');
  try {
    const text = decodeTextFile(new Uint8Array(await file.arrayBuffer()));
    if (text.length > mostTableText) return refuse('is larger than a table may be (2 MB).');
    return { kind: 'table', name: file.name.slice(0, 255), text };
  } catch {
    return refuse('could not be read.');
  }
}
