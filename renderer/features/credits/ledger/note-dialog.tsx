import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { LedgerEntry } from '../../../../shared/domain/credits/credits.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { formatMoment } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { ledgerKey } from '../queries.ts';
import { sentencesOf } from './entry-text.ts';

interface NoteDialogProps {
  connectionId: string;
  entry: LedgerEntry;
  onClose: () => void;
}

/** Takes a person's note on a movement that no call explains. */
export function NoteDialog({ connectionId, entry, onClose }: NoteDialogProps) {
  const client = useQueryClient();
  const [text, setText] = useDraft(`credits/note/${entry.id}`, entry.note);
  const save = useMutation({
    mutationFn: () => call('credits.annotate', { connectionId, entryId: entry.id, note: text }),
    meta: { subject: `Saving your note on the ledger’s entry of ${formatMoment(entry.at)}`, connectionId },
    onSuccess: () => {
      announce('Your note is saved.');
      setText(null);
      refreshLocal(client, ledgerKey(connectionId));
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Dialog title="Say what it was" size={480} onClose={onClose}>
      <form className="col g12" onSubmit={onSubmit}>
        <p className="sm t2">{sentencesOf({ ...entry, note: '' })}</p>
        <TextInput
          label="What it was"
          description="Kept in this console’s ledger. Leave it empty to remove your note."
          value={text}
          maxLength={300}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {save.error && <Failure error={errorOf(save.error)} />}
        <div className="row">
          <Button type="submit" variant="filled" loading={save.isPending}>
            Keep the note
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
