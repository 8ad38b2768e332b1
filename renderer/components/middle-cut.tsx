import { drawable } from '../../shared/domain/text/visible-text.ts';

/** The most characters at the end that always stay visible, and the least of them that whole words may leave. */
const tail = 15;
const shortestTail = 8;

/** Where the end begins that stays visible: at a word, unless too little would be left to tell names apart, such as “(1).csv”. */
export function endOfName(text: string): number {
  const word = text.indexOf(' ', text.length - tail - 1) + 1;
  return word > 0 && word <= text.length - shortestTail ? word : text.length - tail;
}

/** A name shortened in its middle if there is no room: names often differ only at the end. */
export function MiddleCut({ text: name }: { text: string }) {
  const text = drawable(name);
  if (text.length < tail + 5)
    return (
      <span className="middle-cut" title={text}>
        <span className="trunc">{text}</span>
      </span>
    );
  const at = endOfName(text);
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
