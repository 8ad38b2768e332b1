import {
  type ActionIconProps,
  type ButtonProps,
  type CheckboxProps,
  createTheme,
  type LoaderProps,
  type MenuProps,
  type ModalProps,
  type NumberInputProps,
  type PasswordInputProps,
  type RadioProps,
  type SegmentedControlProps,
  type SelectProps,
  type SwitchProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { colourScales } from './theme-scales.ts';
import { fontFamily, fontFamilyMonospace } from './tokens.ts';

/** Floating parts are drawn inside the landmark they belong to; `fixed` keeps panes from clipping them. */
const inPlace = { withinPortal: false, floatingStrategy: 'fixed' } as const;

/** Refers to a component by its type alone: importing it would put it into the window's first script, whatever screen it is for. */
const defaults = <P>(part: { defaultProps: Partial<P> }) => part;

/** The Mantine theme of Address Console. What its colours mean is in tokens.ts; screens use those variables only. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  colors: colourScales,
  black: '#1a1b1f',
  white: '#ffffff',
  fontFamily,
  fontFamilyMonospace,
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '22px', xl: '26px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '26px' },
      h2: { fontSize: '15px', lineHeight: '22px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  defaultRadius: 'sm',
  cursorType: 'default',
  focusRing: 'auto',
  respectReducedMotion: true,
  shadows: {
    sm: '0 1px 2px rgb(16 17 26 / 0.06)',
    md: '0 4px 14px rgb(16 17 26 / 0.10), 0 1px 3px rgb(16 17 26 / 0.08)',
    xl: '0 16px 48px rgb(16 17 26 / 0.20), 0 2px 8px rgb(16 17 26 / 0.10)',
  },
  components: {
    Button: defaults<ButtonProps>({ defaultProps: { size: 'xs', variant: 'default' } }),
    ActionIcon: defaults<ActionIconProps>({ defaultProps: { size: 26, variant: 'subtle', color: 'gray' } }),
    TextInput: defaults<TextInputProps>({ defaultProps: { size: 'xs' } }),
    PasswordInput: defaults<PasswordInputProps>({
      defaultProps: { size: 'xs', visibilityToggleButtonProps: { 'aria-label': 'Show what is typed' } },
    }),
    NumberInput: defaults<NumberInputProps>({
      // Otherwise a comma that is typed is a decimal point, and 5,000 means 5.
      defaultProps: { size: 'xs', hideControls: true, allowedDecimalSeparators: ['.'] },
    }),
    Textarea: defaults<TextareaProps>({ defaultProps: { size: 'xs' } }),
    Select: defaults<SelectProps>({
      defaultProps: {
        size: 'xs',
        allowDeselect: false,
        checkIconPosition: 'right',
        comboboxProps: inPlace,
        // The chevron would be read as a picture without a name. A field that can be cleared has a button there and shows it.
        rightSectionProps: { 'aria-hidden': true },
      },
    }),
    Checkbox: defaults<CheckboxProps>({ defaultProps: { size: 'xs', radius: 'xs' } }),
    Radio: defaults<RadioProps>({ defaultProps: { size: 'xs' } }),
    Switch: defaults<SwitchProps>({ defaultProps: { size: 'xs', withThumbIndicator: false } }),
    SegmentedControl: defaults<SegmentedControlProps>({
      defaultProps: { size: 'xs', radius: 'sm', transitionDuration: 120 },
    }),
    Menu: defaults<MenuProps>({
      // The hidden focus stop Mantine would add is not allowed inside a menu; focus goes to the first item instead.
      defaultProps: {
        ...inPlace,
        shadow: 'md',
        radius: 'md',
        offset: 4,
        transitionProps: { duration: 80 },
        withInitialFocusPlaceholder: false,
      },
    }),
    Modal: defaults<ModalProps>({ defaultProps: { radius: 'lg', shadow: 'xl', transitionProps: { duration: 100 } } }),
    // Mantine's button has a cross and no accessible name.
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // A header element outside main would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Loader: defaults<LoaderProps>({ defaultProps: { size: 12, type: 'oval' } }),
  },
});
