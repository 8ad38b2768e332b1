import { useState } from 'react';
import type { MachinesOverview } from '../../../shared/domain/licences/licence-machines.ts';
import { Notice } from '../../components/notice.tsx';
import { formatNumber } from '../../lib/text/format.ts';
import { useGo } from '../../lib/window/routes.tsx';

const shownRemarks = 4;

interface MachineRemarksProps {
  remarks: MachinesOverview['remarks'];
  /** Filters the list by a name. */
  onCompare: (name: string) => void;
}

/** Remarks about the machines as a whole. */
export function MachineRemarks({ remarks, onCompare }: MachineRemarksProps) {
  const go = useGo();
  const [all, setAll] = useState(false);
  if (remarks.length === 0) return null;
  const shown = all ? remarks : remarks.slice(0, shownRemarks);
  return (
    <section className="machine-remarks" aria-label="Remarks">
      {shown.map((remark) => (
        <Notice
          key={`${remark.kind}${remark.text}`}
          {...(remark.tone === 'plain' ? {} : { tone: remark.tone })}
          action={
            remark.licenceNumber !== null ? (
              <button
                type="button"
                className="link"
                onClick={() => go('licences', { licence: remark.licenceNumber ?? '' })}
              >
                Show the licence
              </button>
            ) : (
              <button type="button" className="link" onClick={() => onCompare(remark.machines[0]?.split('.')[0] ?? '')}>
                Compare
              </button>
            )
          }
        >
          <span className="m">{remark.title}</span> {remark.text}
        </Notice>
      ))}
      {remarks.length > shown.length && (
        <p className="sm">
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show all {formatNumber(remarks.length)}
          </button>
        </p>
      )}
    </section>
  );
}
