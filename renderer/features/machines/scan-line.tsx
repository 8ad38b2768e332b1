import { Loader } from '@mantine/core';
import { Elapsed } from '../../components/state.tsx';
import { type Scan, stopScan } from './scan-store.ts';

/** How far the scan under way is, and how to stop it. `machines`: how many it asks, until it tells itself. */
export function ScanLine({ connectionId, scan, machines }: { connectionId: string; scan: Scan; machines: number }) {
  return (
    <div className="subbar" role="status">
      <Loader size={12} aria-hidden="true" />
      <span className="m">
        Asking, {scan.progress?.done ?? 0} of {scan.progress?.total ?? machines} done
      </span>
      <Elapsed since={scan.since} />
      <button type="button" className="link" onClick={() => stopScan(connectionId)}>
        Stop asking
      </button>
      <span className="t3">What was asked already stays. The price is not published: stopping takes nothing back.</span>
    </div>
  );
}
