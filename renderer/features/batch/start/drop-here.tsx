import { IconTableImport } from '@tabler/icons-react';

/** Over the screen while a file hovers; nothing is known of it but that it is a file. */
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
