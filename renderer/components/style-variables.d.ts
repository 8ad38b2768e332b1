import 'react';

// React's style type does not include custom properties, by which sizes reach the style sheets.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
