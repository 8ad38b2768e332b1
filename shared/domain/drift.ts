/** Which part of the console a difference affects: where a user meets it. */
export type ConsolePart = 'Lookup' | 'Operations' | 'Credits' | 'Licences' | 'Connections';

export type DriftKind =
  | 'operation-added'
  | 'operation-removed'
  | 'twin-lost'
  | 'twin-found'
  | 'field-added'
  | 'field-removed'
  | 'field-retyped'
  | 'fields-reordered'
  | 'result-field-added'
  | 'result-field-removed'
  | 'result-field-retyped'
  | 'result-not-compared'
  | 'address-changed'
  | 'action-changed'
  | 'namespace-changed'
  | 'guide-operation-found';

export interface DriftFinding {
  /** What the live description was compared with. */
  against: 'catalogue' | 'last-seen';
  kind: DriftKind;
  operation?: string;
  field?: string;
  before?: string;
  after?: string;
  touches: ConsolePart[];
  /** One sentence for a person. */
  message: string;
}

export interface DriftReport {
  /** `readAt` of the live description and of the one last seen. */
  liveReadAt: string;
  lastSeenReadAt: string | null;
  findings: DriftFinding[];
}
