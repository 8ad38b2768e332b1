import type { MantineColorsTuple } from '@mantine/core';

/** Iris: the one accent. Focus, selection, the primary action, and everything that spends. */
const iris: MantineColorsTuple = [
  '#f1f2fe',
  '#e5e7fd',
  '#cdd1fb',
  '#b0b6f7',
  '#8f97f1',
  '#727be9',
  '#5a63e0',
  '#474fcf',
  '#3b42b0',
  '#30368f',
];
/** Neutral grey with a little blue, from paper (0) to ink (9). */
const gray: MantineColorsTuple = [
  '#f8f8f9',
  '#f3f3f5',
  '#e8e8ec',
  '#dcdce1',
  '#c6c7ce',
  '#9b9da8',
  '#6b6d78',
  '#53555f',
  '#34353c',
  '#1a1b1f',
];
/** Mantine reads `dark` in the dark scheme: 0 is text, 7 the body. */
const dark: MantineColorsTuple = [
  '#e9e9ed',
  '#c5c6ce',
  '#a3a5b0',
  '#8b8d99',
  '#3f4049',
  '#303139',
  '#25262c',
  '#1a1b1f',
  '#151619',
  '#101113',
];
const green: MantineColorsTuple = [
  '#eaf6ef',
  '#d6eddf',
  '#b0dcc2',
  '#83c8a0',
  '#5ab480',
  '#3a9f66',
  '#2a8a55',
  '#1c7446',
  '#175f3a',
  '#114a2d',
];
const amber: MantineColorsTuple = [
  '#fdf5e4',
  '#faeac8',
  '#f4d590',
  '#edbe57',
  '#e2a52c',
  '#c98a12',
  '#a96f05',
  '#8a5900',
  '#6f4700',
  '#553600',
];
const red: MantineColorsTuple = [
  '#fdeeed',
  '#fbdcda',
  '#f5b8b5',
  '#ee918d',
  '#e56c67',
  '#d84b46',
  '#c93a36',
  '#b52d2b',
  '#942422',
  '#751c1b',
];

/** The palettes Mantine draws from. Screens never name a step: they use the variables of tokens.ts. */
export const colourScales = { iris, gray, dark, green, yellow: amber, orange: amber, red };
