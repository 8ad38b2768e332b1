import { Button } from '@mantine/core';
import type { SecretStore } from '../../shared/domain/connection.ts';
import type { AppError } from '../../shared/errors.ts';
import { Failure } from './failure.tsx';

interface SecretFormEndProps {
  store: Pick<SecretStore, 'kind' | 'name'>;
  /** What is stored, as a sentence begins: "The passphrase"; without it the sentence does not name it. */
  secret?: string;
  /** A refusal that belongs to no field. */
  error: AppError | null;
  pending: boolean;
  submitLabel?: string;
  onClose: () => void;
}

/** The foot of a form with a secret: where the secret is stored, why it was refused, and the two ways out. */
export function SecretFormEnd({ store, secret, error, pending, submitLabel = 'Save it', onClose }: SecretFormEndProps) {
  return (
    <>
      <p className="sm t2">
        {store.kind === 'memory'
          ? `This run has no keychain: ${secret?.toLowerCase() ?? 'it'} is only in memory and is lost when the program ends.`
          : `${secret === undefined ? 'Kept' : `${secret} is kept`} in the ${store.name}, and nowhere else.`}
      </p>
      {error && <Failure error={error} />}
      <div className="row">
        <Button type="submit" variant="filled" loading={pending}>
          {submitLabel}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  );
}
