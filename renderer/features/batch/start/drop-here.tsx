import { IconTableImport } from '@tabler/icons-react';

/** Covers the screen while a file is dragged over it. Until the drop only that it is a file is known. */
export function DropHere() {
  return (
    <div className="batch-dropping">
      <div className="pop row batch-let-go">
        <IconTableImport size={26} stroke={1.4} className="accent fixed" aria-hidden="true" />
        <div>
          <div className="title">Drop to read the table</div>
          <div className="t2">It is read on this computer. Nothing is sent.</div>
        </div>
      </div>
    </div>
  );
}
