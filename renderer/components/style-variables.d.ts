import 'react';

// React's style type has no place for custom properties; they are how a size reaches the style sheets.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
