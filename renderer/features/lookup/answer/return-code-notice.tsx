import type { Provenance } from '../../../../shared/domain/lookup/lookup.ts';
import { Notice } from '../../../components/notice.tsx';
import { legible } from '../../../lib/text/legible.ts';

/**
 * Of an answer under a code whose meaning is not published: any but that of success means a problem (field notes, "Return codes and
 * errors").
 */
export function ReturnCodeNotice({ answer: { returnCode } }: { answer: Provenance }) {
  if (returnCode === undefined) return null;
  return (
    <div className="pad pane-b">
      <Notice tone="warn">
        This came with Return_Code {legible(returnCode)}. Only 1 is success: with any other there is a problem, and what
        this one means is not published.
      </Notice>
    </div>
  );
}
