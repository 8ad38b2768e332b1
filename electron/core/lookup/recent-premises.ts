import { ok, type Result } from '../../../shared/result.ts';
import type { Settings } from '../settings/settings.ts';

const mostKept = 20;

/**
 * Ids of the premises that a person opened last, by connection, newest first, at most 20: what a batch has asked for is saved too, and
 * pushes none of them out. Errors of `list`: 'storage-failed'.
 */
export function createRecentPremises(settings: Pick<Settings, 'read' | 'write'>) {
  function list(connectionId: string): Result<string[]> {
    const stored = settings.read('recentPremises');
    return stored.ok ? ok(stored.value[connectionId] ?? []) : stored;
  }

  /** Puts a premise first. A list that cannot be written stays as it was: nothing that was paid for hangs on it. */
  function note(connectionId: string, premiseId: string): void {
    const stored = settings.read('recentPremises');
    if (!stored.ok || stored.value[connectionId]?.[0] === premiseId) return;
    const others = (stored.value[connectionId] ?? []).filter((id) => id !== premiseId);
    settings.write('recentPremises', { ...stored.value, [connectionId]: [premiseId, ...others].slice(0, mostKept) });
  }

  return { list, note };
}
