/** The most characters at the end that always stay visible: whole words if there are any. */
const tail = 15;

/** A name shortened in its middle if there is no room: names often differ only at the end. */
export function MiddleCut({ text }: { text: string }) {
  if (text.length < tail + 5)
    return (
      <span className="middle-cut" title={text}>
        <span className="trunc">{text}</span>
      </span>
    );
  const at = text.indexOf(' ', text.length - tail - 1) + 1 || text.length - tail;
  return (
    <span className="middle-cut" title={text}>
      {/* For screen readers, which would read the two visible parts with a gap between them. */}
      <span className="spoken">{text}</span>
      <span className="trunc" aria-hidden="true">
        {text.slice(0, at)}
      </span>
      <span aria-hidden="true">{text.slice(at)}</span>
    </span>
  );
}
