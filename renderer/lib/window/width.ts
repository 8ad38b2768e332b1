import { useMediaQuery } from '@mantine/hooks';

const narrow = '(max-width: 900px)';
/** What is so when a part is first drawn, and not only after it. */
const atOnce = { getInitialValueInEffect: false };

/** Whether the window has room for one pane only. The same width stands in the style sheets. */
export const isNarrow = (): boolean => window.matchMedia(narrow).matches;

/** The same; the part is drawn again when it changes. */
export const useNarrow = (): boolean => useMediaQuery(narrow, undefined, atOnce);

/** Whether the navigation is drawn as icons alone. */
export const useIconsOnly = (): boolean => useMediaQuery('(max-width: 1023px)', undefined, atOnce);

/** Whether it has room for every column of a wide table. */
export const useWide = (): boolean => useMediaQuery('(min-width: 1200px)', undefined, atOnce);
