import { formatMoment } from '../../lib/text/format.ts';

/** Beside figures that contain the demo's made-up history, whose calls nobody made. `until`: its end, ISO 8601. */
export const MadeUpNote = ({ until }: { until: string }) => (
  <p className="credits-made-up xs t2">
    <span className="tag warn">demo data</span> Everything up to {formatMoment(until)} is made up, so that there is some
    history to look at.
  </p>
);
