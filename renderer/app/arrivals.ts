import { useEffect, useEffectEvent } from 'react';
import { type Arrival, mostTableText } from '../../shared/contract/app.ts';
import { decodeTextFile } from '../../shared/domain/text-file.ts';
import { refuseTable, takeText } from '../features/bulk/take-table.ts';
import { call, listen } from '../lib/calls/bridge.ts';
import { announce } from '../lib/window/announce.ts';
import type { Go } from '../lib/window/routes.tsx';

/**
 * Takes what comes from outside of the window: links, entries of the icon's menu, tables dropped on the icon or on the window. It goes to
 * the screen and fills the form, and asks nothing of the service: whoever made the link has not seen a price.
 */
export function useArrivals({
  go,
  enabled,
  connectionId,
}: {
  go: Go;
  enabled: boolean;
  connectionId: string | null;
}): void {
  const take = useEffectEvent((arrival: Arrival) => {
    const screen = arrival.kind === 'screen' ? arrival.screen : 'licences';
    if (connectionId === null || !enabled) announce('Set up a connection first.', true);
    else if (arrival.kind === 'screen')
      go(screen, arrival.text === null ? undefined : { text: arrival.text, focus: 'search' });
    else {
      if (arrival.kind === 'table') void takeText(connectionId, arrival.text, arrival.name);
      else refuseTable(connectionId, arrival.message);
      go(screen, { show: 'bulk' });
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
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (!carriesFile(event) || !file) return;
      event.preventDefault();
      void readDropped(file).then((arrival) => take(arrival));
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
}

async function readDropped(file: File): Promise<Arrival> {
  const refuse = (why: string): Arrival => ({ kind: 'refused', message: `${file.name} ${why}` });
  if (!/\.(?:csv|tsv|txt)$/i.test(file.name)) return refuse('is no table: a CSV file can be dropped here.');
  if (file.size > 2 * mostTableText) return refuse('is larger than a table may be (2 MB).');
  try {
    const text = decodeTextFile(new Uint8Array(await file.arrayBuffer()));
    if (text.length > mostTableText) return refuse('is larger than a table may be (2 MB).');
    return { kind: 'table', name: file.name.slice(0, 255), text };
  } catch {
    return refuse('could not be read.');
  }
}
