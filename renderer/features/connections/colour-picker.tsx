import { ColorSwatch, Radio } from '@mantine/core';

const names = ['Magenta', 'Ochre', 'Blue', 'Olive', 'Violet', 'Teal'];

export interface ColourPickerProps {
  colours: readonly string[];
  value: string;
  onChange: (colour: string) => void;
}

/** A connection's own colour: its dot everywhere, and the band over the window for production. */
export function ColourPicker({ colours, value, onChange }: ColourPickerProps) {
  return (
    <Radio.Group label="Colour" value={value} onChange={onChange}>
      <div className="row wrap g12">
        {colours.map((colour, index) => (
          <span key={colour} className="row g4">
            <ColorSwatch color={colour} size={12} aria-hidden="true" />
            <Radio value={colour} label={names[index] ?? colour} />
          </span>
        ))}
      </div>
    </Radio.Group>
  );
}
