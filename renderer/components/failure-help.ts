import { createContext, type ReactNode } from 'react';
import type { AppError } from '../../shared/errors.ts';

/** Draws the ways on for an error, the same on every screen; null: none. Provided by the frame. */
export const FailureHelp = createContext<((error: AppError) => ReactNode) | null>(null);
