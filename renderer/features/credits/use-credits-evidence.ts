import { useQueryClient } from '@tanstack/react-query';
import { type CallEvidenceState, useCallEvidence } from '../../components/money/call-evidence.tsx';
import { refreshCredits } from './queries.ts';

/** The evidence of one call on the Credits screen, whose figures are updated after a reading. */
export function useCreditsEvidence(connectionId: string, callId: string): CallEvidenceState {
  const client = useQueryClient();
  return useCallEvidence(callId, () => refreshCredits(client, connectionId));
}
