import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { refreshSetUp } from './queries.ts';

/** Reverts what the last import changed, and says what it left. */
export function UndoImport({ onUndone }: { onUndone: (said: string) => void }) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: () => call('setup.undo', {}),
    meta: { subject: 'Undoing the import' },
    onSuccess: (result) => {
      const said = undoneText(result);
      announce(said);
      refreshSetUp(client);
      onUndone(said);
    },
  });
  if (undo.data) return <span className="sm">{undoneText(undo.data)}</span>;
  return (
    <span className="row g6">
      {undo.error && (
        <span role="alert" className="sm danger">
          {errorOf(undo.error).message}
        </span>
      )}
      <Button size="compact-xs" variant="subtle" loading={undo.isPending} onClick={() => undo.mutate()}>
        Undo the import
      </Button>
    </span>
  );
}

const undoneText = ({ undone, left }: { undone: number; left: number }): string =>
  `${countOf(undone, 'change')} undone${left > 0 ? `; ${left} left as ${left === 1 ? 'it is' : 'they are'}: changed again since, or in use` : ''}.`;
