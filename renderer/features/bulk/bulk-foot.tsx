import { Button, TextInput } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { priceOfCalls } from '../../../shared/domain/credits/published-price.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { machineReads } from '../../lib/licences/machines.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { countOf, formatMoment, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { findUnticked, isNotDone, planNotDone, runRows } from './bulk-run.ts';
import { bulkCalls, useChoices } from './bulk-store.ts';

/** What one row of a kind asks the service, including the read that proves it. */
const operationsOf = (kind: ChangeKind | null): readonly string[] =>
  kind === 'move'
    ? ['RegisterLicense', 'UnregisterLicense', 'GetLicenseDetails']
    : ['RegisterLicense', 'GetLicenseDetails'];

interface BulkFootProps {
  bulk: Bulk;
  /** Rows to be run, by their number. */
  chosen: ReadonlySet<number>;
  /** Whether nothing is under way. */
  free: boolean;
}

/** Below the rows: which of them may be left out, and the run, confirmed by typing how many rows it changes. */
export function BulkFoot({ bulk, chosen, free }: BulkFootProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useDraft(`licences/bulk-confirm-${bulk.id}`);
  const [told, setTold] = useState<string | null>(null);
  const { copied, copy } = useCopy();
  const running = bulk.state === 'running';
  const begun = bulk.rows.some(({ state }) => state !== 'planned' && state !== 'skipped');
  const operations = bulk.rows.filter(({ row }) => chosen.has(row)).flatMap(({ kind }) => operationsOf(kind));
  const notDone = bulk.rows.filter(isNotDone);
  const machinesNotDone = new Set(notDone.flatMap(({ from, to }) => [from, to]).filter((name) => name !== null));
  const save = async () => {
    try {
      const { saved, fileName } = await call('bulk.export', { bulkId: bulk.id });
      const words = saved ? `States saved as ${fileName}. Open it again to do only the rest.` : null;
      setTold(words);
      if (words) announce(words);
    } catch (thrown) {
      bulkCalls.fail(bulk.connectionId, 'file', thrown);
    }
  };
  const { ticked } = useChoices(bulk.id);
  const [unticked] = findUnticked(bulk.rows, chosen, ticked);
  // Plain, or as the button writes it: “3,000”.
  const typedCount = typed.replaceAll(/[\s,]/g, '');
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (!free || chosen.size === 0 || unticked || typedCount !== String(chosen.size)) return;
    setTyped('');
    void runRows(client, bulk, [...chosen], typedCount);
  };
  return (
    <form className="footbar bulk-foot" onSubmit={run}>
      <span className="t2 source">
        {told ?? `From ${bulk.source}, planned ${formatMoment(bulk.plannedAt)} from ${countOf(bulk.reads, 'read')}`}
      </span>
      {begun && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconCopy size={15} aria-hidden="true" />}
          onClick={() =>
            copy(
              call('bulk.receipt', { bulkId: bulk.id }).then(({ text }) => text),
              'the receipt',
            )
          }
        >
          Copy receipt
        </Button>
      )}
      {copied && <CopiedNote copied={copied} />}
      <Button leftSection={<IconDownload size={15} aria-hidden="true" />} onClick={() => void save()}>
        Save states
      </Button>
      {bulk.rows.some(({ state }) => state === 'planned') && chosen.size === 0 && !running && (
        <span className="sm t2">No rows selected. Press Space to select one.</span>
      )}
      {notDone.length > 0 && chosen.size === 0 && !running && (
        <PriceButton
          main
          price={priceOfCalls(['GetLicenseList', ...machineReads(machinesNotDone.size)])}
          disabled={!free}
          onClick={() => void planNotDone(client, bulk)}
        >
          {`Plan the ${formatNumber(notDone.length)} not done again`}
        </PriceButton>
      )}
      {(chosen.size > 0 || running) && (
        <>
          {free && unticked && <span className="sm warn">Row {unticked.row} needs its tick above.</span>}
          {free && chosen.size > 0 && (
            <TextInput
              className="low"
              aria-label={`Type ${chosen.size} to confirm`}
              placeholder={`Type ${chosen.size} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              w={150}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
          {running ? (
            <Button disabled>Running</Button>
          ) : (
            <PriceButton
              type="submit"
              main
              price={priceOfCalls(operations)}
              disabled={!free || chosen.size === 0 || unticked !== undefined || typedCount !== String(chosen.size)}
            >
              {begun ? `Run the ${formatNumber(chosen.size)} not done` : `Run ${countOf(chosen.size, 'row')}`}
            </PriceButton>
          )}
        </>
      )}
    </form>
  );
}
