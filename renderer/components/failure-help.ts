import { createContext, type ReactNode } from 'react';
import type { AppError } from '../../shared/errors.ts';

/** A way on that every failure of a kind has, whatever screen it stands on; null: none. The frame provides it. */
export const FailureHelp = createContext<((error: AppError) => ReactNode) | null>(null);
