import { Button, Modal } from '@mantine/core';
import { useKeyQuestion } from '../../lib/calls/key-question.ts';

/** Stops what looks like a key before it leaves the box it was typed into. Once, at the top of the window. */
export function KeyQuestionDialog() {
  const question = useKeyQuestion();
  if (!question) return null;
  const takeOut = () => question.answer(false);
  return (
    <Modal opened onClose={takeOut} title="Is this a key?">
      <div className="col g12">
        <p>
          {question.error.message} No request has left this computer, and nothing is stored. Sent or saved, it would be
          in plain text in the activity log and on the disk.
        </p>
        <div className="row">
          <Button variant="filled" onClick={takeOut} data-autofocus>
            Take it out
          </Button>
          <Button variant="subtle" color="gray" onClick={() => question.answer(true)}>
            It is not a key: carry on
          </Button>
        </div>
      </div>
    </Modal>
  );
}
