import { expect, test } from 'vitest';
import { endOfName } from '../../../renderer/components/middle-cut.tsx';

test.each([
  ['Wyebank Borough Council Customer Contact Centre Production 2', 'Production 2'],
  ['Wyebank Borough Council Herefordshire-North 2', 'rdshire-North 2'],
  ['customer-addresses-hereford (1).csv', 'ereford (1).csv'],
  ['hereford-and-worcester-2026.csv', 'cester-2026.csv'],
])('of “%s” the end that stays visible is “%s”', (name, end) => expect(name.slice(endOfName(name))).toBe(end));
