import type { batchChannels } from '../../shared/contract/batch.ts';
import { appError } from '../../shared/errors.ts';
import { fail } from '../../shared/result.ts';
import type { HandlersOf } from './dispatcher.ts';

const notYet = () => fail(appError('unknown-operation', { message: 'Batches are not in this build yet.' }));

export function batchHandlers(): HandlersOf<typeof batchChannels> {
  return {
    'batch.list': notYet,
    'batch.get': notYet,
    'batch.open': notYet,
    'batch.paste': notYet,
    'batch.drop': notYet,
    'batch.read-as': notYet,
    'batch.close-table': notYet,
    'batch.plan': notYet,
    'batch.plan-again': notYet,
    'batch.run': notYet,
    'batch.pause': notYet,
    'batch.stop': notYet,
    'batch.not-done': notYet,
    'batch.run-not-done': notYet,
    'batch.rows': notYet,
    'batch.several': notYet,
    'batch.choose': notYet,
    'batch.result-sample': notYet,
    'batch.save': notYet,
    'batch.forget': notYet,
    'batch.sample': notYet,
  };
}
