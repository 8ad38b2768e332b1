/** Characters of the end that stay in sight. */
const tail = 15;

/** A name that is shortened in its middle where there is no room: what tells names apart is often their end. */
export function MiddleCut({ text }: { text: string }) {
  if (text.length < tail + 5)
    return (
      <span className="middle-cut">
        <span className="trunc">{text}</span>
      </span>
    );
  const at = text.lastIndexOf(' ', text.length - tail) + 1 || text.length - tail;
  return (
    <span className="middle-cut" title={text}>
      {/* Heard whole: two parts side by side are read with a gap between them. */}
      <span className="spoken">{text}</span>
      <span className="trunc" aria-hidden="true">
        {text.slice(0, at)}
      </span>
      <span aria-hidden="true">{text.slice(at)}</span>
    </span>
  );
}
