import { IconAlertTriangle, IconBookmark } from '@tabler/icons-react';
import type { OperationForm, SavedLookup } from '../../../../shared/contract/operations.ts';
import { PriceNote } from '../../../components/money/price-button.tsx';

/** An operation in the picker: what stands in the way of calling it, or its price. */
export function OperationLine({ form }: { form: OperationForm }) {
  return (
    <>
      <span className="trunc grow" title={form.name}>
        {form.name}
      </span>
      {form.twin && (
        <span className="xs t3" title="Has a data-set twin">
          +D<span className="spoken"> has a data-set twin</span>
        </span>
      )}
      {form.blocked !== null && !form.writes ? (
        <span className="xs t3 nowrap">cannot be called</span>
      ) : form.writes ? (
        <span className="xs t3 nowrap">under Licences</span>
      ) : (
        <PriceNote price={form.price} />
      )}
      {form.known !== 'published' && (
        <IconAlertTriangle size={13} className="ti warn" aria-label="not published" role="img" />
      )}
    </>
  );
}

/** A saved lookup in the picker, with the operation it calls. */
export function SavedLine({ saved }: { saved: SavedLookup }) {
  return (
    <>
      <IconBookmark size={13} className="ti t3" aria-hidden="true" />
      <span className="trunc grow" title={saved.name}>
        {saved.name}
      </span>
      <span className="xs t3 trunc ops-of" title={saved.operation}>
        {saved.operation}
      </span>
    </>
  );
}
