import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { refreshMachines } from './queries.ts';

/** The inventory from a CSV file and into one, and what came of it in words. The file is chosen in the main process. */
export function useInventoryFiles(connectionId: string) {
  const client = useQueryClient();
  const [told, setTold] = useState<string | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const run = async (work: () => Promise<string | null>) => {
    setFailure(null);
    setTold(null);
    try {
      const words = await work();
      setTold(words);
      if (words) announce(words);
    } catch (thrown) {
      setFailure(errorOf(thrown));
    }
  };
  const importFile = () =>
    run(async () => {
      const { fileName, added, changed, same, refused } = await call('machines.import', { connectionId });
      refreshMachines(client, connectionId);
      if (fileName === '') return null;
      const left = refused.slice(0, 3).map(({ row, reason }) => `row ${row} ${reason}`);
      return `${fileName}: ${added} added, ${changed} changed, ${same} as they were${
        refused.length === 0
          ? '.'
          : `, ${refused.length} left out (${left.join('; ')}${refused.length > 3 ? ' …' : ''}).`
      }`;
    });
  const exportFile = () =>
    run(async () => {
      const { saved, fileName, rows } = await call('machines.export', { connectionId });
      return saved ? `${countOf(rows, 'machine')} saved as ${fileName}.` : null;
    });
  return { told, failure, forget: () => setTold(null), importFile, exportFile };
}
