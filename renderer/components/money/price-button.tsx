import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { formatPrice, isFree } from '../../lib/text/format.ts';

interface PriceButtonProps
  extends Omit<ButtonProps, 'children' | 'variant' | 'color' | 'size'>,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'children' | 'color'> {
  /** The verb, without its price. */
  children: ReactNode;
  price: ShownPrice;
  /** The pane's main action: filled iris if it may spend, quiet green if it is known to be free. */
  main?: boolean;
  size?: 'small' | 'big';
}

/** A verb with its price: `Search · 1 credit`. It never shrinks and its price is never cut off. */
export function PriceButton({ children, price, main = false, size, className, ...rest }: PriceButtonProps) {
  const classes = [size, main && isFree(price) ? 'free' : undefined, className].filter(Boolean).join(' ');
  return (
    <Button {...rest} variant={main && !isFree(price) ? 'filled' : 'default'} className={classes}>
      {children} · {formatPrice(price)}
    </Button>
  );
}

/** A price in a row: quiet, green when free. */
export function PriceNote({ price }: { price: ShownPrice }) {
  const text = price.kind === 'not-published' ? 'not published' : formatPrice(price);
  return <span className={`xs nowrap ${isFree(price) ? 'good' : 't3'}`}>{text}</span>;
}
