interface SeatsProps {
  used: number;
  free: number;
  /** Seats of a licence that sent no number: hatched, never counted as free. */
  unknown: number;
  /** Free seats of an expired licence. */
  lost: number;
  width: number | string;
}

/** Used, free, lost and unknown seats as one bar, with the same as text for a screen reader. */
export function Seats({ used, free, unknown, lost, width }: SeatsProps) {
  const parts = [
    { kind: 'used', count: used, word: 'used' },
    { kind: 'free', count: free, word: 'free' },
    { kind: 'lost', count: lost, word: 'on an expired licence' },
    { kind: 'unknown', count: unknown, word: 'unknown' },
  ].filter((part) => part.count > 0);
  const words = parts.map((part) => `${part.count} ${part.word}`).join(', ') || 'no seats';
  return (
    <span className="seats" style={{ width }} role="img" aria-label={words}>
      {parts.map((part) => (
        <i key={part.kind} className={part.kind} style={{ flex: part.count }} />
      ))}
    </span>
  );
}

/** What one colour of the bar means. */
export function SeatsKey({ kind, children }: { kind: 'used' | 'free' | 'lost' | 'unknown'; children: string }) {
  return (
    <span className="row g6 sm">
      <span className="seats fixed" style={{ width: 12 }} aria-hidden="true">
        <i className={`${kind} grow`} />
      </span>
      <span className="t2 nowrap">{children}</span>
    </span>
  );
}
