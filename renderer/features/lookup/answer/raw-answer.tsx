import { Modal } from '@mantine/core';
import { RawView } from '../../../components/raw-text/raw-view.tsx';

interface RawAnswerProps {
  /** null: not shown. */
  answerId: string | null;
  onClose: () => void;
}

/** The answer and its request as they were received and sent, secrets masked by the main process; free. */
export function RawAnswer({ answerId, onClose }: RawAnswerProps) {
  return (
    <Modal.Root opened={answerId !== null} onClose={onClose} size={880} centered classNames={{ content: 'lookup-raw' }}>
      <Modal.Overlay />
      <Modal.Content>
        {/* A plain box: Mantine's own head is a header element, which would be a second banner of the window. */}
        <div className="lookup-raw-head">
          <Modal.Title>Raw answer</Modal.Title>
          <Modal.CloseButton />
        </div>
        <Modal.Body className="lookup-raw-body">{answerId !== null && <RawView answerId={answerId} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
